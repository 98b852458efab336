import { useState } from 'react'
import { texts } from '#/renderer/lib/texts'
import { AuthFrame } from './components/AuthFrame'
import { TextLink } from './components/form-parts'
import { RecoverForms } from './components/RecoverForms'
import { SessionEndNotice } from './components/SessionEndNotice'
import { SignInForm } from './components/SignInForm'
import { useRecoveryLink } from './recovery-link'
import { useSessionStore } from './session-store'

/** /login: sign-in and password recovery. */
export function LoginScreen() {
  const isRecoveryOpen = useSessionStore((state) => state.hold === 'recovery')
  const hasLinkFailed = useRecoveryLink((state) => state.problem !== null)
  const [isRecovering, setIsRecovering] = useState(false)
  const [email, setEmail] = useState('')

  return (
    <AuthFrame
      footer={
        <>
          {texts.auth.noAccount} <TextLink to="/signup">{texts.auth.toSignup}</TextLink>
        </>
      }
    >
      {isRecovering || isRecoveryOpen || hasLinkFailed ? (
        <RecoverForms email={email} onEmailChange={setEmail} onLeave={() => setIsRecovering(false)} />
      ) : (
        <>
          <SessionEndNotice />
          <SignInForm email={email} onEmailChange={setEmail} onForgot={() => setIsRecovering(true)} />
        </>
      )}
    </AuthFrame>
  )
}
