import { useState } from 'react'
import { useFocusReturn } from './useFocusReturn'

/**
 * State of a dialog that the route opens: props of its root, and its close handlers.
 * @param leave removes the dialog from the route
 */
export function useModalDialog(leave: () => void) {
  // Navigation is asynchronous: hide the dialog immediately, and never go back twice.
  const [isOpen, setIsOpen] = useState(true)
  const handleCloseAutoFocus = useFocusReturn()
  const handleClose = () => {
    setIsOpen(false)
    leave()
  }
  const handleOpenChange = (willBeOpen: boolean) => {
    if (!willBeOpen) handleClose()
  }
  return { root: { open: isOpen, onOpenChange: handleOpenChange }, handleClose, handleCloseAutoFocus }
}
