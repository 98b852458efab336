import { useEffect } from 'react'
import { lazyComponent } from '#/renderer/lib/lazy-component'
import { openSafetyDialog, useSafetyDialog } from '../dialog-store'

const SafetyModal = lazyComponent(() => import('./SafetyModal'), 'SafetyModal')

/** Renders the dialogs that menus open, loaded on first use. */
export function SafetyDialogs() {
  const isOpen = useSafetyDialog((state) => state.dialog !== null)
  useEffect(() => () => openSafetyDialog(null), [])
  return isOpen && <SafetyModal />
}
