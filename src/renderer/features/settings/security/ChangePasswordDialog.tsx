import { useState } from 'react'
import { Dialog } from '#/renderer/components/Dialog'
import { PasswordField } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { showToast } from '#/renderer/lib/toasts'
import { AccountForm } from './AccountForm'
import { useChangePasswordMutation } from './account'

const words = texts.settings.security

/** Changes the password, which ends the sessions on all other devices. */
export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const changing = useChangePasswordMutation()
  const [password, setPassword] = useState('')
  const handleSubmit = (currentPassword: string | null) =>
    changing.mutate(
      { value: password, currentPassword },
      {
        onSuccess: () => {
          showToast({ text: words.passwordChanged })
          onClose()
        },
      },
    )
  return (
    <Dialog title={words.changePassword} description={words.changePasswordBody} onClose={onClose}>
      <AccountForm
        action={words.changePassword}
        isBusy={changing.isPending}
        error={changing.error}
        onSubmit={handleSubmit}
      >
        <PasswordField
          label={texts.auth.newPassword}
          hint={texts.auth.passwordHint}
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          autoFocus
          required
        />
      </AccountForm>
    </Dialog>
  )
}
