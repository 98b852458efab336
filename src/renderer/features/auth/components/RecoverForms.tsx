import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { Field } from '#/renderer/components/Field'
import { desktop, useAbilities } from '#/renderer/features/desktop'
import { type AppError, toAppError } from '#/renderer/lib/core/errors'
import { logIfFails } from '#/renderer/lib/core/logger'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { texts } from '#/renderer/lib/texts'
import { type AuthProblem, describeAuthError } from '../model'
import { requestRecovery, setPassword as saveNewPassword } from '../mutations'
import { recoveryRedirect, useRecoveryLink } from '../recovery-link'
import { rememberRecovery } from '../recovery-request'
import { signOut, useSessionStore } from '../session-store'
import { AuthAlert, EmailField, QuietButton, SubmitButton } from './form-parts'
import { NewPasswordField, useNewPassword } from './NewPasswordField'

interface RecoverFormsProps {
  email: string
  onEmailChange: (email: string) => void
  onLeave: () => void
}

/** Password recovery in two steps on one screen: the e-mail address, then the code with a new password. */
export function RecoverForms({ email, onEmailChange, onLeave }: RecoverFormsProps) {
  // An accepted code opens a recovery session: only the new password is missing.
  const isCodeAccepted = useSessionStore((state) => state.hold === 'recovery')
  const member = useSessionStore(({ hold, recovering }) => (hold === 'recovery' ? recovering : null))
  const [step, setStep] = useState<'email' | 'code'>(isCodeAccepted ? 'code' : 'email')
  const [code, setCode] = useState('')
  const me = useSessionStore(({ session }) => (session.status === 'signed-in' ? session.me : null))
  const password = useNewPassword({
    email: me?.email ?? email,
    username: me?.profile.username ?? '',
    fullName: me?.profile.full_name ?? '',
  })
  const hasLinks = useAbilities()?.links !== false
  const linkProblem = useRecoveryLink((state) => state.problem)
  const requestMail = useMutation({
    mutationFn: async () => {
      await requestRecovery(email.trim(), recoveryRedirect(desktop.host))
      rememberRecovery(email.trim())
    },
    meta: { action: 'ask for a recovery code' },
  })
  const savePassword = useMutation({
    mutationFn: () => saveNewPassword({ email: email.trim(), code: code.trim(), member }, password.value),
    meta: { action: 'set a new password' },
  })
  const [isResent, setIsResent] = useState(false)
  const isBusy = requestMail.isPending || savePassword.isPending
  const error = requestMail.error ?? savePassword.error
  const problem = error === null ? linkProblem : describeRecoveryError(toAppError(error))

  const clearResults = () => {
    requestMail.reset()
    savePassword.reset()
    useRecoveryLink.setState({ problem: null })
    setIsResent(false)
  }

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    clearResults()
    if (step === 'email') requestMail.mutate(undefined, { onSuccess: () => setStep('code') })
    else if (await password.isAllowed()) savePassword.mutate()
  }

  const handleResend = () => {
    clearResults()
    requestMail.mutate(undefined, {
      onSuccess: () => {
        setCode('')
        setIsResent(true)
      },
    })
  }

  const handleLeave = () => {
    if (isCodeAccepted) void signOut()
    useRecoveryLink.setState({ problem: null })
    onLeave()
  }

  return (
    <form onSubmit={handleSubmit} className="grid gap-3.5">
      <div>
        <h2 className="font-semibold text-[17px]">
          {step === 'email' ? texts.auth.recoverTitle : texts.auth.codeTitle}
        </h2>
        <p className="mt-1 text-[14px] text-quiet">
          {step === 'email'
            ? texts.auth.recoverBody
            : hasLinks
              ? texts.auth.codeBody(email.trim())
              : texts.auth.codeOnlyBody(email.trim())}
        </p>
      </div>
      {step === 'code' && !isCodeAccepted && <MailFile />}
      <AuthAlert problem={problem} />
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
          <NewPasswordField label={texts.auth.newPassword} password={password} />
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

function describeRecoveryError(error: AppError): AuthProblem {
  return error.code === 'code-wrong'
    ? { message: texts.auth.codeWrong, advice: null }
    : describeAuthError(error, texts.auth.recoverFailed)
}

/** The embedded server writes mails to a file. Names that file. */
export function MailFile() {
  const mailFile = useServerInfo((state) => state.server?.mailFile ?? null)
  if (mailFile === null) return null
  return (
    <div className="rounded-md bg-lifted px-3.5 py-2.5 text-[13px] text-quiet">
      <p>{texts.auth.codeFile}</p>
      <p className="mt-1 select-all break-all font-medium text-ink">{mailFile}</p>
      {desktop.host === 'electron' && (
        <Button
          variant="quiet"
          className="mt-1 -ms-3 h-8! px-3! text-[13px]!"
          onClick={() => logIfFails('show mail file', desktop.shell.showMailFile())}
        >
          {texts.auth.showCodeFile}
        </Button>
      )}
    </div>
  )
}
