import { useEffect } from 'react'
import { lazyDialog } from '#/renderer/components/lazy-contained'
import { openSafetyDialog, useSafetyDialog } from '../dialog-store'

const SafetyModal = lazyDialog(() => import('./SafetyModal'), 'SafetyModal')

/** Renders the dialogs that menus open, loaded on first use. */
export function SafetyDialogs() {
  const isOpen = useSafetyDialog((state) => state.dialog !== null)
  useEffect(() => () => openSafetyDialog(null), [])
  return isOpen && <SafetyModal />
}
