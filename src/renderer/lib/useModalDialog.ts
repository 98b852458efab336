import { useState } from 'react'
import { useFocusReturn } from './useFocusReturn'

/**
 * A dialog that the address opens over the page: its root, and what closes it.
 * @param leave takes it out of the address.
 */
export function useModalDialog(leave: () => void) {
  // History takes its time: what is closed is gone at once, and nobody goes back twice.
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
