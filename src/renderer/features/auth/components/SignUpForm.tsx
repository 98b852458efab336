import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { Field } from '#/renderer/components/Field'
import { toAppError } from '#/renderer/lib/core/errors'
import { texts } from '#/renderer/lib/texts'
import { TEXT_LIMITS } from '#/shared/limits'
import { trimText } from '#/shared/visible-text'
import { checkSignUp, describeAuthError, type FieldErrors } from '../model'
import { signUp } from '../mutations'
import { holdWelcome, releaseHold, useSignInState } from '../session-store'
import { AuthAlert, EmailField, SubmitButton, UsernameField } from './form-parts'
import { NewPasswordField, useNewPassword } from './NewPasswordField'

interface SignUpFormProps {
  /** Called if the server requires a confirmed e-mail address first. */
  onMailSent: (email: string) => void
}

export function SignUpForm({ onMailSent }: SignUpFormProps) {
  const [fullName, setFullName] = useState('')
  const [username, setUsername] = useState('')
  const [email, setEmail] = useState('')
  const password = useNewPassword({ fullName, username, email })
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({})
  const form = useRef<HTMLFormElement>(null)
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

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const values = { fullName: trimText(fullName), username, email: email.trim(), password: password.value }
    const errors = checkSignUp(values)
    setFieldErrors(errors)
    const isAllowed = await password.isAllowed()
    if (isAllowed && Object.keys(errors).length === 0) return mutate(values)
    reset()
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }

  const clearError = (field: keyof FieldErrors) => setFieldErrors(({ [field]: _, ...rest }) => rest)

  let problem = error && describeAuthError(toAppError(error), texts.auth.signUpFailed)
  if (isSuccess && hasFailed && !isOpening) problem = { message: texts.auth.signUpFailed, advice: null }

  return (
    <form ref={form} onSubmit={handleSubmit} noValidate className="grid gap-3.5">
      <AuthAlert problem={problem} />
      <Field
        label={texts.auth.fullName}
        name="name"
        autoComplete="name"
        value={fullName}
        data-limit={TEXT_LIMITS.fullName}
        onChange={(event) => {
          setFullName(event.target.value)
          clearError('fullName')
        }}
        error={fieldErrors.fullName ?? null}
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
      <NewPasswordField
        label={texts.auth.password}
        password={password}
        error={password.value === '' ? (fieldErrors.password ?? null) : null}
      />
      <SubmitButton isBusy={isBusy}>{isBusy ? texts.auth.signingUp : texts.access.signUp}</SubmitButton>
    </form>
  )
}
