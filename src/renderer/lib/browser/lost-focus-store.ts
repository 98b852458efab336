import { findPage } from './focus'

/** How many frames to look after the focus. */
const FRAMES = 20
/** The same for a page, which loads its content first: about three seconds. */
const PAGE_FRAMES = 180

/** The next attempt of `focusIfLost`. */
let nextAttempt = 0

/**
 * Once open menus and dialogs have closed, focuses an element if the one that had the focus is gone. A later call ends this one: where
 * the focus belongs is what the latest act says.
 */
export function focusIfLost(find: () => HTMLElement | null | undefined, maxFrames = FRAMES): void {
  cancelAnimationFrame(nextAttempt)
  let frames = maxFrames
  const attempt = () => {
    const isLost = document.activeElement === document.body
    if (isLost && document.querySelector('[role=menu],[role=alertdialog]') === null) {
      find()?.focus({ preventScroll: true })
    }
    // A closing dialog may move the focus once more.
    if (frames-- > 0) nextAttempt = requestAnimationFrame(attempt)
  }
  nextAttempt = requestAnimationFrame(attempt)
}

/** After a form has led to another page: the button that had the focus is gone. */
export function focusPageIfLost(): void {
  focusIfLost(findPage, PAGE_FRAMES)
}
