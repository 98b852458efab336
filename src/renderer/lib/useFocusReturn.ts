import { useState } from 'react'

/** What had the focus when a dialog opened; for an item of a menu, which is gone by then, the menu's button. */
function findOpener(): Element | null {
  const focused = document.activeElement
  const menu = focused?.closest('[role=menu]')
  return menu == null ? focused : document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
}

/** Brings the focus back to where it was before a dialog without a trigger of its own: its `onCloseAutoFocus`. */
export function useFocusReturn(): (event: Event) => void {
  const [opener] = useState(findOpener)
  return (event) => {
    event.preventDefault()
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
  }
}
