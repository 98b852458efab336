import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { SpinnerOrRetry } from '#/renderer/components/SpinnerOrRetry'
import { AuthAlert, describeAuthError, PasswordField } from '#/renderer/features/auth'
import type { AppError } from '#/renderer/lib/core/errors'
import { texts } from '#/renderer/lib/texts'
import { useNeedsPasswordQuery } from '../queries'

const words = texts.settings.security

interface AccountFormProps {
  /** Fields before the current password. */
  children: ReactNode
  /** Label of the submit button. */
  action: string
  isBusy: boolean
  error: AppError | null
  onSubmit: (currentPassword: string | null) => void
}

/** A form that changes the account. Asks for the current password unless the sign-in is recent. */
export function AccountForm({ children, action, isBusy, error, onSubmit }: AccountFormProps) {
  const { data, isError, refetch } = useNeedsPasswordQuery()
  const [password, setPassword] = useState('')
  if (data === undefined) {
    return (
      <div className="grid h-20 place-items-center">
        <SpinnerOrRetry hasFailed={isError} onRetry={refetch} />
      </div>
    )
  }
  // The sign-in may become too old (ten minutes) while the form is open.
  const needsPassword = data || password !== '' || error?.code === 'password-needed'
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) onSubmit(needsPassword ? password : null)
  }
  return (
    <form onSubmit={handleSubmit} className="grid gap-3.5">
      <AuthAlert problem={error === null ? null : problemOf(error)} />
      {children}
      {needsPassword && (
        <PasswordField
          label={words.currentPassword}
          hint={words.currentPasswordHint}
          autoComplete="current-password"
          value={password}
          autoFocus={children === null}
          onChange={(event) => setPassword(event.target.value)}
          required
        />
      )}
      <div className="mt-1 flex justify-end">
        <Button variant="primary" type="submit" disabled={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  )
}

function problemOf(error: AppError) {
  switch (error.code) {
    case 'credentials':
      return { message: words.wrongPassword, advice: null }
    case 'password-needed':
      return { message: words.passwordNeeded, advice: null }
    case 'conflict':
      return { message: words.emailTaken, advice: null }
    default:
      return describeAuthError(error, texts.auth.recoverFailed)
  }
}
