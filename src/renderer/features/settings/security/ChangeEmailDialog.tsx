import { useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { Dialog } from '#/renderer/components/Dialog'
import { Field } from '#/renderer/components/Field'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { showToast } from '#/renderer/lib/toasts'
import { EMAIL_MAX } from '#/shared/limits'
import { AccountForm } from './AccountForm'
import { useChangeEmailMutation } from './account'

const words = texts.settings.security

/** Changes the e-mail address, or reports that the server has sent a mail to confirm it. */
export function ChangeEmailDialog({ onClose }: { onClose: () => void }) {
  const { email: current } = useMe()
  const changing = useChangeEmailMutation()
  const [email, setEmail] = useState('')
  const address = email.trim()
  const handleSubmit = (currentPassword: string | null) =>
    changing.mutate(
      { value: address, currentPassword },
      {
        onSuccess: (outcome) => {
          if (outcome === 'mailed') return
          showToast({ text: words.emailChanged(address) })
          onClose()
        },
      },
    )
  if (changing.data === 'mailed') {
    return (
      <Dialog title={words.mailedTitle} description={words.mailedBody(address)} onClose={onClose}>
        <div className="flex justify-end">
          <Button variant="primary" onClick={onClose}>
            {texts.close}
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={words.changeEmail} description={words.changeEmailBody(current)} onClose={onClose}>
      <AccountForm
        action={words.changeEmail}
        isBusy={changing.isPending}
        error={changing.error}
        onSubmit={handleSubmit}
      >
        <Field
          label={words.newEmail}
          type="email"
          name="new-email"
          autoComplete="email"
          maxLength={EMAIL_MAX}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          autoFocus
          required
        />
      </AccountForm>
    </Dialog>
  )
}
