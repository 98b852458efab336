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

/**
 * Opens the light table so that a photo grows into its frame there, by a view transition. Without support, with reduced motion, or
 * without a photo it opens at once.
 */
export function growPhoto(photo: HTMLElement | null, open: () => void): void {
  const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  if (photo === null || isStill || !('startViewTransition' in document)) {
    open()
    return
  }
  photo.style.viewTransitionName = 'table-photo'
  const transition = document.startViewTransition(() => {
    photo.style.viewTransitionName = ''
    open()
    return tableShown()
  })
  // Skipped, e.g. in a hidden window: the table is open all the same.
  transition.ready.catch(() => undefined)
}
