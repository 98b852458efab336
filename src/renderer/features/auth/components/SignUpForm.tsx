import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Field } from '#/renderer/components/Field'
import { toAppError } from '#/renderer/lib/errors'
import { texts } from '#/renderer/lib/texts'
import { checkSignUp, describeAuthError, type FieldErrors } from '../model'
import { signUp } from '../mutations'
import { holdWelcome, releaseHold, useSignInState } from '../session-store'
import { AuthAlert, EmailField, PasswordField, SubmitButton, UsernameField } from './form-parts'

interface SignUpFormProps {
  /** Called if the server requires a confirmed e-mail address first. */
  onMailSent: (email: string) => void
}

export function SignUpForm({ onMailSent }: SignUpFormProps) {
  const [fullName, setFullName] = useState('')
  const [username, setUsername] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({})
  const { mutate, reset, isPending, isSuccess, error } = useMutation({
    mutationFn: signUp,
    // Before the session opens, so that /signup stays for its welcome (AUTH-03).
    onMutate: holdWelcome,
    onSuccess: (result, { email }) => {
      if (result === 'signed-in') return
      releaseHold()
      if (result === 'mail-sent') onMailSent(email)
      else setFieldErrors({ username: texts.auth.usernameTaken })
    },
    onError: releaseHold,
    meta: { action: 'sign up' },
  })
  const { isOpening, hasFailed } = useSignInState()
  const isBusy = isPending || isOpening

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const values = { fullName: fullName.trim(), username, email: email.trim(), password }
    const errors = checkSignUp(values)
    setFieldErrors(errors)
    if (Object.keys(errors).length > 0) reset()
    else mutate(values)
  }

  const clearError = (field: keyof FieldErrors) => setFieldErrors(({ [field]: _, ...rest }) => rest)

  let problem = error && describeAuthError(toAppError(error), texts.auth.signUpFailed)
  if (isSuccess && hasFailed && !isOpening) problem = { message: texts.auth.signUpFailed, advice: null }

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
      <SubmitButton isBusy={isBusy}>{isBusy ? texts.auth.signingUp : texts.access.signUp}</SubmitButton>
    </form>
  )
}
