import { lazy, Suspense, useEffect } from 'react'
import { openSafetyDialog, useSafetyDialog } from '../open-dialog'

const SafetyOverPage = lazy(async () => ({ default: (await import('./SafetyOverPage')).SafetyOverPage }))

/** Where the dialogs of menus show; they are loaded when one is asked for. */
export function SafetyDialogs() {
  const isOpen = useSafetyDialog((state) => state.dialog !== null)
  useEffect(() => () => openSafetyDialog(null), [])
  if (!isOpen) return null
  return (
    <Suspense>
      <SafetyOverPage />
    </Suspense>
  )
}
