import { barHeight } from '#/renderer/lib/layout/layout'

/** The view transition of the photo (app/styles.css). */
const NAME = 'table-photo'

/** How long a page waits for the light table before it shows what there is, in milliseconds. */
const LONGEST_MS = 300

/** Resolves once the light table is in the page. It is a child of the body. */
function tableShown(): Promise<void> {
  return new Promise((resolve) => {
    const isShown = () => document.querySelector('[data-light-table]') !== null
    const end = () => {
      observer.disconnect()
      clearTimeout(timer)
      resolve()
    }
    const observer = new MutationObserver(() => {
      if (isShown()) end()
    })
    observer.observe(document.body, { childList: true })
    const timer = setTimeout(end, LONGEST_MS)
    if (isShown()) end()
  })
}

/** Whether the member and the browser want movement. */
function isAnimated(): boolean {
  return !window.matchMedia('(prefers-reduced-motion: reduce)').matches && 'startViewTransition' in document
}

/**
 * Opens the light table so that a photo grows into its frame there, by a view transition. Without support, with reduced motion, or
 * without a photo it opens at once.
 */
export function growPhoto(photo: HTMLElement | null, open: () => void): void {
  if (photo === null || !isAnimated()) {
    open()
    return
  }
  photo.style.viewTransitionName = NAME
  const transition = document.startViewTransition(() => {
    photo.style.viewTransitionName = ''
    open()
    return tableShown()
  })
  // Skipped, e.g. in a hidden window: the table is open all the same.
  transition.ready.catch(() => undefined)
}

/** The photo of a post in the page below the light table, if its middle is in view. */
function photoInPage(id: string): HTMLElement | null {
  const place = CSS.escape(id)
  const photos = document.querySelectorAll<HTMLElement>(
    `main [data-item="${place}"] a img, main [data-post="${place}"] [data-feed-photo]`,
  )
  return (
    [...photos].find((photo) => {
      const { left, top, width, height } = photo.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      return (
        photo.closest('[inert]') === null && x > 0 && x < innerWidth && y > barHeight() && y < innerHeight
      )
    }) ?? null
  )
}

/**
 * Closes the light table so that its photo shrinks into the one of the page. Without support, with reduced motion, or if the post's photo
 * is not in view, it closes at once.
 * @param id the post that is shown
 * @param close removes the table from the page, synchronously
 */
export function shrinkPhoto(id: string, close: () => void): void {
  const photo = photoInPage(id)
  if (photo === null || !isAnimated()) {
    close()
    return
  }
  const transition = document.startViewTransition(() => {
    close()
    photo.style.viewTransitionName = NAME
  })
  const forgetName = () => {
    photo.style.viewTransitionName = ''
  }
  transition.finished.then(forgetName, forgetName)
  transition.ready.catch(() => undefined)
}
