import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Avatar } from '#/renderer/components/Avatar'
import { toAppError } from '#/renderer/lib/core/errors'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { texts } from '#/renderer/lib/texts'
import type { DemoMember } from '#/shared/server'
import { describeAuthError } from '../model'
import { signIn } from '../mutations'
import { useSignInState } from '../session-store'
import { AuthAlert, EmailField, PasswordField, QuietButton, SubmitButton } from './form-parts'

const SHOWN = 3

const PORTRAITS = import.meta.glob<string>('../../../../../resources/demo/avatar-*.webp', {
  eager: true,
  import: 'default',
  query: '?url',
})

/** The picture of a demo member. The file name is the first part of their username. */
function portraitOf(username: string): string | null {
  const [name] = username.split(/[._]/)
  return PORTRAITS[`../../../../../resources/demo/avatar-${name}.webp`] ?? null
}

const NOBODY: DemoMember[] = []

interface SignInFormProps {
  email: string
  onEmailChange: (email: string) => void
  onForgot: () => void
}

/** E-mail and password. After a success the route guards redirect to the feed. */
export function SignInForm({ email, onEmailChange, onForgot }: SignInFormProps) {
  const [password, setPassword] = useState('')
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: signIn,
    meta: { action: 'sign in' },
  })
  const { isOpening, hasFailed } = useSignInState()
  const isBusy = isPending || isOpening

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    mutate({ email: email.trim(), password })
  }

  let problem = error && describeAuthError(toAppError(error), texts.auth.signInFailed)
  if (isSuccess && hasFailed && !isOpening) problem = { message: texts.auth.signInFailed, advice: null }
  return (
    <>
      <form onSubmit={handleSubmit} className="grid gap-3.5">
        <AuthAlert problem={problem} />
        <EmailField value={email} onChange={onEmailChange} autoFocus />
        <PasswordField
          label={texts.auth.password}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          required
        />
        <SubmitButton isBusy={isBusy}>{isBusy ? texts.auth.signingIn : texts.access.signIn}</SubmitButton>
        <QuietButton onClick={onForgot}>{texts.auth.forgot}</QuietButton>
      </form>
      <DemoMembers isBusy={isBusy} onChoose={({ email, password }) => mutate({ email, password })} />
    </>
  )
}

interface DemoMembersProps {
  isBusy: boolean
  onChoose: (member: DemoMember) => void
}

/** 'Look around as …', only on the embedded server with its demo community. */
function DemoMembers({ isBusy, onChoose }: DemoMembersProps) {
  const members = useServerInfo((state) => state.server?.demo ?? NOBODY).slice(0, SHOWN)
  if (members.length === 0) return null
  return (
    <section aria-label={texts.auth.lookAround} className="mt-6">
      <p className="mb-3.5 flex items-center gap-3 text-[12.5px] text-quiet before:flex-1 before:border-line before:border-t after:flex-1 after:border-line after:border-t">
        {texts.auth.lookAround}
      </p>
      <div className="flex gap-2.5">
        {members.map((member) => (
          <button
            key={member.username}
            type="button"
            disabled={isBusy}
            aria-label={texts.auth.demoMember(member.fullName)}
            onClick={() => onChoose(member)}
            className="grid min-w-0 flex-1 justify-items-center gap-1.5 rounded-md border border-line bg-raised px-1.5 py-2.5 font-medium text-[12.5px] transition-colors duration-150 hover:border-edge active:bg-sunk disabled:opacity-45"
          >
            <Avatar
              member={{
                username: member.username,
                avatar_url: portraitOf(member.username),
                avatar_path: null,
              }}
              size={40}
            />
            <span className="max-w-full truncate">{member.fullName.split(' ')[0]}</span>
          </button>
        ))}
      </div>
    </section>
  )
}
