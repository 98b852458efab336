/** How many frames to wait for the element to be rendered. */
const FRAMES = 20

/** Focuses an element of a virtual list as soon as the list has rendered it. */
export function focusWhenThere(find: () => HTMLElement | null | undefined): void {
  let frames = FRAMES
  const attempt = () => {
    const element = find()
    if (element != null) element.focus({ preventScroll: true })
    else if (frames-- > 0) requestAnimationFrame(attempt)
  }
  attempt()
}
