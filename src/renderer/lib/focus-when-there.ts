/** How many frames what was scrolled to has to be rendered. */
const FRAMES = 20

/** Focuses an element of a virtual list once it is in the page: it may have to be rendered first. */
export function focusWhenThere(find: () => HTMLElement | null | undefined): void {
  let frames = FRAMES
  const attempt = () => {
    const element = find()
    if (element != null) element.focus({ preventScroll: true })
    else if (frames-- > 0) requestAnimationFrame(attempt)
  }
  attempt()
}
