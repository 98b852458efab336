import { useEffect } from 'react'
import { lazyComponent } from '#/renderer/lib/lazy-component'
import { openSafetyDialog, useSafetyDialog } from '../open-dialog'

const SafetyModal = lazyComponent(() => import('./SafetyModal'), 'SafetyModal')

/** Where the dialogs of menus show; they are loaded when one is asked for. */
export function SafetyDialogs() {
  const isOpen = useSafetyDialog((state) => state.dialog !== null)
  useEffect(() => () => openSafetyDialog(null), [])
  return isOpen && <SafetyModal />
}
