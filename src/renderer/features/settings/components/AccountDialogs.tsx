import { useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '#/renderer/components/Button'
import { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import { Dialog } from '#/renderer/components/Dialog'
import { Field } from '#/renderer/components/Field'
import { NewPasswordField, useMe, useNewPassword } from '#/renderer/features/auth'
import { AppError } from '#/renderer/lib/core/errors'
import { showToast } from '#/renderer/lib/core/toasts'
import { texts } from '#/renderer/lib/texts'
import { EMAIL_MAX } from '#/shared/limits'
import { DOWNLOAD_BUTTON } from '../download/DownloadData'
import { useChangeEmailMutation, useChangePasswordMutation, useDeleteAccountMutation } from '../mutations'
import { useNeedsPasswordQuery } from '../queries'
import { AccountForm } from './AccountForm'

const words = texts.settings.security

interface ChangePasswordDialogProps {
  description?: string
  onClose: () => void
}

/** Changes the password, which ends the sessions on all other devices. */
export function ChangePasswordDialog({
  description = words.changePasswordBody,
  onClose,
}: ChangePasswordDialogProps) {
  const changing = useChangePasswordMutation()
  const { email, profile } = useMe()
  const password = useNewPassword({
    email,
    username: profile.username,
    fullName: profile.full_name ?? '',
  })
  const handleSubmit = async (currentPassword: string | null) => {
    if (!(await password.isAllowed())) return
    changing.mutate(
      { value: password.value, currentPassword },
      {
        onSuccess: () => {
          showToast({ text: words.passwordChanged })
          onClose()
        },
      },
    )
  }
  return (
    <Dialog title={words.changePassword} description={description} onClose={onClose}>
      <AccountForm
        action={words.changePassword}
        isBusy={changing.isPending}
        error={changing.error}
        onSubmit={handleSubmit}
      >
        <NewPasswordField label={texts.auth.newPassword} password={password} autoFocus />
      </AccountForm>
    </Dialog>
  )
}

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
            {words.mailedDone}
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
          data-limit={EMAIL_MAX}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          autoFocus
          required
        />
      </AccountForm>
    </Dialog>
  )
}

/**
 * Confirms the deletion: with the password if the server requires it, otherwise with a second button. Other failures are
 * only logged (SET-03).
 */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const deleting = useDeleteAccountMutation()
  const { data: needsPassword } = useNeedsPasswordQuery()
  const [isSure, setIsSure] = useState(false)
  const isRefused = deleting.error instanceof AppError && FORM_ERRORS.has(deleting.error.code)
  if (isRefused || deleting.variables != null || (isSure && needsPassword === true)) {
    return (
      <Dialog
        title={texts.settings.deleteAccount}
        description={texts.settings.deleteAccountConfirm}
        onClose={onClose}
      >
        <AccountForm
          action={texts.delete}
          isBusy={deleting.isPending}
          error={deleting.error}
          onSubmit={(password) => deleting.mutate(password, { onError: closeUnlessShown })}
        >
          {null}
        </AccountForm>
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      title={texts.settings.deleteAccount}
      body={texts.settings.deleteAccountConfirm}
      action={isSure ? texts.settings.deleteForGood : texts.delete}
      isBusy={deleting.isPending}
      onConfirm={() => (isSure ? deleting.mutate(null, { onError: closeUnlessShown }) : setIsSure(true))}
      onCancel={onClose}
    >
      <button
        type="button"
        onClick={handleDownload}
        className="mt-3 rounded-sm font-medium text-[14px] text-accent underline-offset-3 hover:underline"
      >
        {texts.download.title}
      </button>
    </ConfirmDialog>
  )

  function handleDownload() {
    // Not before the dialog is gone, because it keeps the focus.
    flushSync(onClose)
    document.getElementById(DOWNLOAD_BUTTON)?.focus()
  }

  function closeUnlessShown(error: Error) {
    if (!(error instanceof AppError && FORM_ERRORS.has(error.code))) onClose()
  }
}

/** Errors that the password form shows. */
const FORM_ERRORS: ReadonlySet<string> = new Set(['password-needed', 'credentials', 'rate-limited'])
