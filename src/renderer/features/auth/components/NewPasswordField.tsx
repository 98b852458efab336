import { useEffect, useState } from 'react'
import { logFailure } from '#/renderer/lib/core/logger'
import { texts } from '#/renderer/lib/texts'
import { loadCommonPasswords, newPasswordProblem, type PasswordOwner } from '../new-password'
import { PasswordField } from './form-parts'

const NONE: ReadonlySet<string> = new Set()

/** Without the list, the form still refuses what it can, and the server has its own rules. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  return loadCommonPasswords().catch((cause: unknown) => {
    logFailure('load common passwords', cause)
    return NONE
  })
}

interface NewPassword {
  value: string
  change: (value: string) => void
  /** Why it is refused, while it is typed. */
  problem: string | null
  /** Whether the form may send it. Waits for the list of common passwords. */
  isAllowed: () => Promise<boolean>
}

/** The state of a new password, for a form with a `NewPasswordField`. */
export function useNewPassword(owner: PasswordOwner): NewPassword {
  const [value, change] = useState('')
  const [loading] = useState(commonPasswords)
  const [common, setCommon] = useState(NONE)

  useEffect(() => {
    void loading.then(setCommon)
  }, [loading])

  const problem = newPasswordProblem(value, owner, common)
  return {
    value,
    change,
    problem: problem && texts.auth.passwordProblems[problem],
    isAllowed: async () => newPasswordProblem(value, owner, await loading) === null,
  }
}

interface NewPasswordFieldProps {
  label: string
  password: NewPassword
  /** Found when the form was submitted. */
  error?: string | null
  autoFocus?: boolean
}

export function NewPasswordField({
  label,
  password,
  error = null,
  autoFocus = false,
}: NewPasswordFieldProps) {
  return (
    <PasswordField
      label={label}
      hint={texts.auth.passwordHint}
      error={password.problem ?? error}
      name="new-password"
      autoComplete="new-password"
      value={password.value}
      onChange={(event) => password.change(event.target.value)}
      required
      autoFocus={autoFocus}
    />
  )
}
