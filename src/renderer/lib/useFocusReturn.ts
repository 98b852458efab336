import { useState } from 'react'

/** What had the focus when a dialog opened; for an item of a menu, which is gone by then, the menu's button. */
function findOpener(): Element | null {
  const focused = document.activeElement
  const menu = focused?.closest('[role=menu]')
  return menu == null ? focused : document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
}

/**
 * Whether something was given the focus since: it is told a moment after a dialog or menu is gone, when a fast member may
 * type elsewhere already. The frame of a dialog below, which has it while nothing else does, is not reached by Tab.
 */
function isFocusTaken(): boolean {
  const focused = document.activeElement
  return focused instanceof HTMLElement && focused !== document.body && focused.tabIndex >= 0
}

/** Lets a popup's trigger have the focus again, unless something else took it: its `onCloseAutoFocus`. */
export function returnFocusToTrigger(event: Event): void {
  if (isFocusTaken()) event.preventDefault()
}

/** Brings the focus back to where it was before a dialog without a trigger of its own: its `onCloseAutoFocus`. */
export function useFocusReturn(): (event: Event) => void {
  const [opener] = useState(findOpener)
  return (event) => {
    event.preventDefault()
    if (opener instanceof HTMLElement && opener.isConnected && !isFocusTaken())
      opener.focus({ preventScroll: true })
  }
}
