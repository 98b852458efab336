import { isCount } from '#/renderer/lib/server/checks/checked-values'
import { badgeLabel } from '#/shared/badge'

const BADGE = /^\(\d+\+?\) /

/** The page's title with the unread count: `(3) Messages · Vignette`. */
export function badgedTitle(title: string, count: number): string {
  const plain = title.replace(BADGE, '')
  if (count === 0) return plain
  return `(${badgeLabel(count)}) ${plain}`
}

/** Returns a function that shows the unread count in the title of the tab, also after navigation. */
export function createTitleBadge(): (count: number) => void {
  let unread = 0
  let isObserving = false
  let shown: string | null = null
  const apply = () => {
    // The observer also reports the title that was set here.
    if (document.title === shown) return
    document.title = badgedTitle(document.title, unread)
    shown = document.title
  }
  return (count) => {
    unread = isCount(count) ? count : 0
    shown = null
    if (!isObserving) {
      isObserving = true
      new MutationObserver(apply).observe(document.head, {
        subtree: true,
        childList: true,
        characterData: true,
      })
    }
    apply()
  }
}
