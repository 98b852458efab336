import { useState } from 'react'

/** The element that had the focus when a dialog opened. For an item of a menu, which has closed, the menu's button. */
function findOpener(): Element | null {
  const focused = document.activeElement
  const menu = focused?.closest('[role=menu]')
  return menu == null ? focused : document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
}

/**
 * Whether another element has been focused since. The callback runs shortly after the dialog or menu closed, when the
 * member may already type elsewhere. A dialog's frame has a negative tabIndex and does not count.
 */
function isFocusTaken(): boolean {
  const focused = document.activeElement
  return focused instanceof HTMLElement && focused !== document.body && focused.tabIndex >= 0
}

/** `onCloseAutoFocus` of a popup: focuses its trigger unless another element took the focus. */
export function returnFocusToTrigger(event: Event): void {
  if (isFocusTaken()) event.preventDefault()
}

/** `onCloseAutoFocus` of a dialog without a trigger: focuses the element that opened it. */
export function useFocusReturn(): (event: Event) => void {
  const [opener] = useState(findOpener)
  return (event) => {
    event.preventDefault()
    if (opener instanceof HTMLElement && opener.isConnected && !isFocusTaken())
      opener.focus({ preventScroll: true })
  }
}

/** How many frames to wait for the element to be rendered. */
const FRAMES = 20

/** Focuses an element of a virtual list as soon as the list has rendered it. */
export function focusWhenRendered(find: () => HTMLElement | null | undefined): void {
  let frames = FRAMES
  const attempt = () => {
    const element = find()
    if (element != null) element.focus({ preventScroll: true })
    else if (frames-- > 0) requestAnimationFrame(attempt)
  }
  attempt()
}
