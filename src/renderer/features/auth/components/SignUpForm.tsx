import { type FormEvent, useState } from 'react'
import { Field } from '#/renderer/components/Field'
import { texts } from '#/renderer/lib/texts'
import { useSignUp } from '../useSignUp'
import { AuthAlert } from './AuthAlert'
import { EmailField } from './EmailField'
import { SubmitButton } from './form-buttons'
import { PasswordField } from './PasswordField'
import { UsernameField } from './UsernameField'

interface SignUpFormProps {
  /** Called if the server requires a confirmed e-mail address first. */
  onMailSent: (email: string) => void
}

export function SignUpForm({ onMailSent }: SignUpFormProps) {
  const [fullName, setFullName] = useState('')
  const [username, setUsername] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { signUp, isBusy, problem, fieldErrors, clearError } = useSignUp(onMailSent)

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    void signUp({ fullName: fullName.trim(), username, email: email.trim(), password })
  }

  return (
    <form onSubmit={handleSubmit} className="grid gap-3.5">
      <AuthAlert problem={problem} />
      <Field
        label={texts.auth.fullName}
        name="name"
        autoComplete="name"
        value={fullName}
        onChange={(event) => {
          setFullName(event.target.value)
          clearError('fullName')
        }}
        error={fieldErrors.fullName ?? null}
        pattern=".*\S.*"
        required
        autoFocus
      />
      <UsernameField
        value={username}
        onChange={(value) => {
          setUsername(value)
          clearError('username')
        }}
        error={fieldErrors.username ?? null}
      />
      <EmailField
        value={email}
        onChange={(value) => {
          setEmail(value)
          clearError('email')
        }}
        error={fieldErrors.email ?? null}
      />
      <PasswordField
        label={texts.auth.password}
        hint={texts.auth.passwordHint}
        name="new-password"
        autoComplete="new-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        required
      />
      <SubmitButton isBusy={isBusy}>{isBusy ? texts.auth.signingUp : texts.auth.signUp}</SubmitButton>
    </form>
  )
}
