import { Check, Mail } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { texts } from '#/renderer/lib/texts'
import { SIGNUP_REDIRECT_MS } from '#/shared/limits'
import { AuthFrame } from './components/AuthFrame'
import { ChooseUsernameForm } from './components/ChooseUsernameForm'
import { TextLink } from './components/form-parts'
import { SignUpForm } from './components/SignUpForm'
import { releaseHold, useSessionStore } from './session-store'

/** /signup: the form, a missing username, e-mail confirmation, and the welcome. */
export function SignupScreen() {
  const { session, hold } = useSessionStore()
  const [mailSentTo, setMailSentTo] = useState<string | null>(null)
  const isWelcome = hold === 'welcome' && session.status === 'signed-in'

  useEffect(() => {
    if (!isWelcome) return
    const timer = setTimeout(releaseHold, SIGNUP_REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [isWelcome])

  let content = <SignUpForm onMailSent={setMailSentTo} />
  if (isWelcome)
    content = (
      <Message icon={<Check />} title={texts.auth.createdTitle}>
        {texts.auth.createdBody}
      </Message>
    )
  else if (session.status === 'needs-username')
    content = <ChooseUsernameForm wanted={session.wanted} isTaken={session.isTaken} />
  else if (mailSentTo !== null)
    content = (
      <Message icon={<Mail />} title={texts.auth.mailSentTitle}>
        {texts.auth.mailSentBody(mailSentTo)}
      </Message>
    )

  return (
    <AuthFrame
      footer={
        !isWelcome && (
          <>
            {texts.auth.haveAccount} <TextLink to="/login">{texts.auth.toLogin}</TextLink>
          </>
        )
      }
    >
      {content}
    </AuthFrame>
  )
}

function Message({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <div role="status" className="animate-appear py-6 text-center">
      <span className="mx-auto mb-4 grid size-14 place-items-center rounded-full bg-accent-wash text-accent">
        {icon}
      </span>
      <h2 className="font-semibold text-[18px]">{title}</h2>
      <p className="mt-1 text-quiet">{children}</p>
    </div>
  )
}
