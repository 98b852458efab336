import { type FormEvent, useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { toAppError } from '#/renderer/lib/errors'
import { logFailure } from '#/renderer/lib/logger'
import { texts } from '#/renderer/lib/texts'
import { type AuthProblem, describeAuthError } from '../auth-errors'
import { chooseUsername, signOut } from '../session-store'
import { isUsername } from '../username'
import { AuthAlert } from './AuthAlert'
import { SubmitButton } from './form-buttons'
import { UsernameField } from './UsernameField'

interface ChooseUsernameFormProps {
  wanted: string
  /** Whether another member has taken the requested username meanwhile. */
  isTaken: boolean
}

/** For an account without a profile, e.g. because another sign-up took its username first (AUTH-09). */
export function ChooseUsernameForm({ wanted, isTaken }: ChooseUsernameFormProps) {
  const [username, setUsername] = useState(wanted)
  const [fieldError, setFieldError] = useState<string | null>(isTaken ? texts.auth.usernameTaken : null)
  const [problem, setProblem] = useState<AuthProblem | null>(null)
  const [isBusy, setIsBusy] = useState(false)

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isUsername(username)) return setFieldError(texts.auth.usernameInvalid)
    setProblem(null)
    setIsBusy(true)
    try {
      await chooseUsername(username)
    } catch (cause) {
      const error = toAppError(cause)
      logFailure('choose username', error)
      if (error.code === 'conflict') setFieldError(texts.auth.usernameTaken)
      else setProblem(describeAuthError(error, texts.auth.signUpFailed))
      setIsBusy(false)
    }
  }

  return (
    <form onSubmit={handleSubmit} className="grid gap-3.5">
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
