import { badgeLabel } from '#/shared/badge'

const BADGE = /^\(\d+\+?\) /
let unread = 0
let observer: MutationObserver | null = null

/** The page's title with the unread count: `(3) Messages · Vignette`. */
export function badgedTitle(title: string, count: number): string {
  const plain = title.replace(BADGE, '')
  if (count === 0) return plain
  return `(${badgeLabel(count)}) ${plain}`
}

function apply(): void {
  const title = badgedTitle(document.title, unread)
  // Setting the same title again would trigger the observer again.
  if (title !== document.title) document.title = title
}

/** Shows the unread count in the title of the tab, also after navigation. */
export function showInTitle(count: number): void {
  unread = count
  if (observer === null) {
    observer = new MutationObserver(apply)
    observer.observe(document.head, { subtree: true, childList: true, characterData: true })
  }
  apply()
}
