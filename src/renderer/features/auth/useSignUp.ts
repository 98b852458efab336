import { useState } from 'react'
import { toAppError } from '#/renderer/lib/errors'
import { logFailure } from '#/renderer/lib/logger'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { texts } from '#/renderer/lib/texts'
import { type AuthProblem, describeAuthError } from './auth-errors'
import { isUsernameAvailable } from './profile-row'
import { holdWelcome, releaseHold, useFailedSession } from './session-store'
import { checkSignUp, type FieldErrors, type SignUpValues } from './sign-up-values'

/**
 * Signs up: checks the username first (AUTH-09), then creates the account with name and username as metadata, from
 * which the session creates the profile row (AUTH-08, AUTH-13).
 * @param onMailSent called if the server requires a confirmed e-mail address, so that no session opens
 */
export function useSignUp(onMailSent: (email: string) => void) {
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<AuthProblem | null>(null)
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({})

  useFailedSession(() => {
    setProblem({ message: texts.auth.signUpFailed, advice: null })
    setIsBusy(false)
  })

  const signUp = async (values: SignUpValues) => {
    const { fullName, username, email, password } = values
    const errors = checkSignUp(values)
    setProblem(null)
    setFieldErrors(errors)
    if (Object.keys(errors).length > 0) return
    setIsBusy(true)
    // Before the session opens, so that /signup stays for its welcome (AUTH-03).
    holdWelcome()
    try {
      if (!(await isUsernameAvailable(username))) {
        releaseHold()
        setFieldErrors({ username: texts.auth.usernameTaken })
      } else {
        const { session } = await unwrap(
          supabase().auth.signUp({ email, password, options: { data: { username, full_name: fullName } } }),
        )
        if (session !== null) return
        releaseHold()
        onMailSent(email)
      }
    } catch (cause) {
      const error = toAppError(cause)
      logFailure('sign up', error)
      releaseHold()
      setProblem(describeAuthError(error, texts.auth.signUpFailed))
    }
    setIsBusy(false)
  }

  const clearError = (field: keyof FieldErrors) => setFieldErrors(({ [field]: _, ...rest }) => rest)
  return { signUp, isBusy, problem, fieldErrors, clearError }
}
