import { type FormEvent, useState } from 'react'
import { toAppError } from '#/renderer/lib/errors'
import { logFailure } from '#/renderer/lib/logger'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { texts } from '#/renderer/lib/texts'
import { type AuthProblem, describeAuthError } from '../auth-errors'
import { useFailedSession } from '../session-store'
import { AuthAlert } from './AuthAlert'
import { DemoMembers } from './DemoMembers'
import { EmailField } from './EmailField'
import { QuietButton, SubmitButton } from './form-buttons'
import { PasswordField } from './PasswordField'

interface SignInFormProps {
  email: string
  onEmailChange: (email: string) => void
  onForgot: () => void
}

/** E-mail and password. After a success the route guards redirect to the feed. */
export function SignInForm({ email, onEmailChange, onForgot }: SignInFormProps) {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<AuthProblem | null>(null)
  const [isBusy, setIsBusy] = useState(false)

  useFailedSession(() => {
    setProblem({ message: texts.auth.signInFailed, advice: null })
    setIsBusy(false)
  })

  const signIn = async (credentials: { email: string; password: string }) => {
    setProblem(null)
    setIsBusy(true)
    try {
      await unwrap(supabase().auth.signInWithPassword(credentials))
    } catch (cause) {
      const error = toAppError(cause)
      logFailure('sign in', error)
      setProblem(describeAuthError(error, texts.auth.signInFailed))
      setIsBusy(false)
    }
  }

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    void signIn({ email: email.trim(), password })
  }

  return (
    <>
      <form onSubmit={handleSubmit} className="grid gap-3.5">
        <AuthAlert problem={problem} />
        <EmailField value={email} onChange={onEmailChange} autoFocus />
        <PasswordField
          label={texts.auth.password}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          required
        />
        <SubmitButton isBusy={isBusy}>{isBusy ? texts.auth.signingIn : texts.auth.signIn}</SubmitButton>
        <QuietButton onClick={onForgot}>{texts.auth.forgot}</QuietButton>
      </form>
      <DemoMembers isBusy={isBusy} onChoose={({ email, password }) => void signIn({ email, password })} />
    </>
  )
}
