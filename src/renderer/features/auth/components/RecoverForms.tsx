import { type FormEvent, useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { Field } from '#/renderer/components/Field'
import { desktop } from '#/renderer/features/desktop'
import { toAppError } from '#/renderer/lib/errors'
import { logFailure, logIfFails } from '#/renderer/lib/logger'
import { useServerInfo } from '#/renderer/lib/server-info'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { texts } from '#/renderer/lib/texts'
import { type AuthProblem, describeAuthError } from '../auth-errors'
import { recoveryRedirect, rememberRecovery, useRecoveryLink } from '../recovery-link'
import { signOut, useSessionStore } from '../session-store'
import { AuthAlert } from './AuthAlert'
import { EmailField } from './EmailField'
import { QuietButton, SubmitButton } from './form-buttons'
import { PasswordField } from './PasswordField'

interface RecoverFormsProps {
  email: string
  onEmailChange: (email: string) => void
  onLeave: () => void
}

/** Password recovery in two steps on one screen: the e-mail address, then the code with a new password. */
export function RecoverForms({ email, onEmailChange, onLeave }: RecoverFormsProps) {
  // An accepted code opens a recovery session: only the new password is missing.
  const isCodeAccepted = useSessionStore((state) => state.hold === 'recovery')
  const [step, setStep] = useState<'email' | 'code'>(isCodeAccepted ? 'code' : 'email')
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const linkProblem = useRecoveryLink((state) => state.problem)
  const [problem, setProblem] = useState<AuthProblem | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [isResent, setIsResent] = useState(false)

  const attempt = async (what: string, action: () => Promise<void>) => {
    setProblem(null)
    useRecoveryLink.setState({ problem: null })
    setIsResent(false)
    setIsBusy(true)
    try {
      await action()
    } catch (cause) {
      const error = toAppError(cause)
      logFailure(what, error)
      setProblem(
        error.code === 'code-wrong'
          ? { message: texts.auth.codeWrong, advice: null }
          : describeAuthError(error, texts.auth.recoverFailed),
      )
    }
    setIsBusy(false)
  }

  const requestCode = async () => {
    await unwrap(
      supabase().auth.resetPasswordForEmail(email.trim(), { redirectTo: recoveryRedirect(desktop.host) }),
    )
    rememberRecovery(email.trim())
  }

  const handleEmail = (event: FormEvent) => {
    event.preventDefault()
    void attempt('ask for a recovery code', async () => {
      await requestCode()
      setStep('code')
    })
  }

  const handleResend = () =>
    void attempt('ask for a new recovery code', async () => {
      await requestCode()
      setCode('')
      setIsResent(true)
    })

  const handleCode = (event: FormEvent) => {
    event.preventDefault()
    void attempt('set a new password', async () => {
      const { auth } = supabase()
      if (!isCodeAccepted)
        await unwrap(auth.verifyOtp({ email: email.trim(), token: code.trim(), type: 'recovery' }))
      await unwrap(auth.updateUser({ password }))
    })
  }

  const handleLeave = () => {
    if (isCodeAccepted) void signOut()
    useRecoveryLink.setState({ problem: null })
    onLeave()
  }

  return (
    <form onSubmit={step === 'email' ? handleEmail : handleCode} className="grid gap-3.5">
      <div>
        <h2 className="font-semibold text-[17px]">
          {step === 'email' ? texts.auth.recoverTitle : texts.auth.codeTitle}
        </h2>
        <p className="mt-1 text-[14px] text-quiet">
          {step === 'email' ? texts.auth.recoverBody : texts.auth.codeBody(email.trim())}
        </p>
      </div>
      {step === 'code' && !isCodeAccepted && <MailFile />}
      <AuthAlert problem={problem ?? linkProblem} />
      <p role="status" className="text-[14px] text-quiet empty:-mb-3.5">
        {isResent && texts.auth.newCodeSent}
      </p>
      {step === 'email' ? (
        <EmailField value={email} onChange={onEmailChange} autoFocus />
      ) : (
        <>
          {!isCodeAccepted && (
            <Field
              label={texts.auth.code}
              value={code}
              onChange={(event) => setCode(event.target.value)}
              inputMode="numeric"
              autoComplete="one-time-code"
              spellCheck={false}
              required
              autoFocus
            />
          )}
          <PasswordField
            label={texts.auth.newPassword}
            hint={texts.auth.passwordHint}
            autoComplete="new-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            required
          />
        </>
      )}
      <SubmitButton isBusy={isBusy}>
        {step === 'email'
          ? isBusy
            ? texts.auth.sendingCode
            : texts.auth.sendCode
          : isBusy
            ? texts.auth.settingPassword
            : texts.auth.setPassword}
      </SubmitButton>
      {step === 'email' && email.trim() !== '' && (
        <QuietButton onClick={() => setStep('code')}>{texts.auth.haveCode}</QuietButton>
      )}
      {step === 'code' && !isCodeAccepted && (
        <QuietButton onClick={handleResend}>{texts.auth.sendNewCode}</QuietButton>
      )}
      <QuietButton onClick={handleLeave}>{texts.auth.backToSignIn}</QuietButton>
    </form>
  )
}

/** The embedded server writes mails to a file. Names that file. */
export function MailFile() {
  const mailFile = useServerInfo((state) => state.server?.mailFile ?? null)
  if (mailFile === null) return null
  return (
    <div className="rounded-md bg-sunk px-3.5 py-2.5 text-[13px] text-quiet">
      <p>{texts.auth.codeFile}</p>
      <p className="mt-1 select-all break-all font-medium text-ink">{mailFile}</p>
      {desktop.host === 'electron' && (
        <Button
          variant="quiet"
          className="mt-1 -ms-3 h-8 px-3 text-[13px]"
          onClick={() => logIfFails('show mail file', desktop.shell.showMailFile())}
        >
          {texts.auth.showCodeFile}
        </Button>
      )}
    </div>
  )
}
