import { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import { Dialog } from '#/renderer/components/Dialog'
import { AppError } from '#/renderer/lib/errors'
import { texts } from '#/renderer/lib/texts'
import { useDeleteAccountMutation } from '../queries'
import { AccountForm } from './AccountForm'

/** Confirms the deletion, with the password if the server requires it. Other failures are only logged (SET-03). */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const deleting = useDeleteAccountMutation()
  const needsPassword = deleting.error instanceof AppError && FORM_ERRORS.has(deleting.error.code)
  if (needsPassword || deleting.variables != null) {
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
      action={texts.delete}
      isBusy={deleting.isPending}
      onConfirm={() => deleting.mutate(null, { onError: closeUnlessShown })}
      onCancel={onClose}
    />
  )

  function closeUnlessShown(error: Error) {
    if (!(error instanceof AppError && FORM_ERRORS.has(error.code))) onClose()
  }
}

/** Errors that the password form shows. */
const FORM_ERRORS: ReadonlySet<string> = new Set(['password-needed', 'credentials', 'rate-limited'])
