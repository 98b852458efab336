import { useState } from 'react'
import { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import { signOut, whileEnding } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { forgetAllUnsent } from '../unsent'

const words = texts.settings.signOut

interface SignOutDialogProps {
  me: string
  server: string
  onClose: () => void
}

/** Asks what becomes of the texts and photos that are not sent (AUTH-11). */
export function SignOutDialog({ me, server, onClose }: SignOutDialogProps) {
  const [isBusy, setIsBusy] = useState(false)
  const leave = async (beforeLeaving: () => Promise<void>) => {
    setIsBusy(true)
    await whileEnding(async () => {
      await beforeLeaving()
      await signOut()
    })
    onClose()
  }
  return (
    <ConfirmDialog
      title={words.title}
      body={words.body}
      action={words.keep}
      alternative={{ action: words.delete, onConfirm: () => void leave(() => forgetAllUnsent(me, server)) }}
      isBusy={isBusy}
      onConfirm={() => void leave(async () => undefined)}
      onCancel={onClose}
    />
  )
}
