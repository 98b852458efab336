import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { toAppError } from '#/renderer/lib/core/errors'
import { texts } from '#/renderer/lib/texts'
import { describeAuthError, isUsername } from '../model'
import { chooseUsername, signOut } from '../session-store'
import { AuthAlert, SubmitButton, UsernameField } from './form-parts'

interface ChooseUsernameFormProps {
  wanted: string
  /** Whether another member has taken the requested username meanwhile. */
  isTaken: boolean
}

/** For an account without a profile, e.g. because another sign-up took its username first (AUTH-09). */
export function ChooseUsernameForm({ wanted, isTaken }: ChooseUsernameFormProps) {
  const [username, setUsername] = useState(wanted)
  const [fieldError, setFieldError] = useState<string | null>(isTaken ? texts.auth.usernameTaken : null)
  const {
    mutate,
    isPending: isBusy,
    error,
  } = useMutation({
    mutationFn: chooseUsername,
    onError: (cause) => {
      if (toAppError(cause).code === 'conflict') setFieldError(texts.auth.usernameTaken)
    },
    meta: { action: 'choose username' },
  })

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isUsername(username)) return setFieldError(texts.access.usernameInvalid)
    mutate(username)
  }

  const failure = error && toAppError(error)
  const problem =
    failure === null || failure.code === 'conflict'
      ? null
      : describeAuthError(failure, texts.auth.signUpFailed)
  return (
    <form onSubmit={handleSubmit} noValidate className="grid gap-3.5">
      <div>
        <h2 className="font-semibold text-[17px]">{texts.auth.chooseUsernameTitle}</h2>
        <p className="mt-1 text-[14px] text-quiet">{texts.auth.chooseUsernameBody}</p>
      </div>
      <AuthAlert problem={problem} />
      <UsernameField
        value={username}
        onChange={(value) => {
          setUsername(value)
          setFieldError(null)
        }}
        error={fieldError}
        autoFocus
      />
      <SubmitButton isBusy={isBusy}>{isBusy ? texts.auth.continuing : texts.auth.continue}</SubmitButton>
      <Button variant="quiet" className="justify-self-center" onClick={() => void signOut()}>
        {texts.nav.signOut}
      </Button>
    </form>
  )
}
