import { type FormEvent, useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { Field } from '#/renderer/components/Field'
import { texts } from '#/renderer/lib/texts'
import { useSignUp } from '../useSignUp'
import { AuthAlert } from './AuthAlert'
import { PasswordField } from './PasswordField'
import { UsernameField } from './UsernameField'

interface SignUpFormProps {
  /** The server wants the e-mail address confirmed first. */
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
      <Field
        label={texts.auth.email}
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        onChange={(event) => {
          setEmail(event.target.value)
          clearError('email')
        }}
        error={fieldErrors.email ?? null}
        required
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
      <Button variant="primary" type="submit" className="mt-1.5 h-11 w-full" disabled={isBusy}>
        {isBusy ? texts.auth.signingUp : texts.auth.signUp}
      </Button>
    </form>
  )
}
