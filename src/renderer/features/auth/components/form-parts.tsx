import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { Link, type LinkProps } from 'react-router-dom'
import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { Field } from '#/renderer/components/Field'
import { IconButton } from '#/renderer/components/IconButton'
import { texts } from '#/renderer/lib/texts'
import { EMAIL_MAX, PASSWORD_BYTES_MAX, USERNAME } from '#/shared/limits'
import { type AuthProblem, rejectedCharacter, typedUsername } from '../model'

interface EmailFieldProps extends Pick<ComponentProps<typeof Field>, 'error' | 'autoFocus'> {
  value: string
  onChange: (value: string) => void
}

/** An e-mail input that password managers treat as the username. */
export function EmailField({ onChange, ...rest }: EmailFieldProps) {
  return (
    <Field
      label={texts.auth.email}
      type="email"
      name="email"
      data-limit={EMAIL_MAX}
      autoComplete="username"
      onChange={(event) => onChange(event.target.value)}
      required
      {...rest}
    />
  )
}

export function PasswordField(props: Omit<ComponentProps<typeof Field>, 'type' | 'end'>) {
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Field
      {...props}
      data-limit={PASSWORD_BYTES_MAX}
      type={isShown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
      end={
        <IconButton
          label={isShown ? texts.auth.hidePassword : texts.auth.showPassword}
          onClick={() => setIsShown(!isShown)}
          size="medium"
          className="text-quiet"
        >
          <Icon />
        </IconButton>
      }
    />
  )
}

interface UsernameFieldProps {
  value: string
  hint?: string
  onChange: (value: string) => void
  error: string | null
  autoFocus?: boolean
}

/** A username input: lowercases the text, drops invalid characters and says which. */
export function UsernameField({
  value,
  hint = texts.auth.usernameHint,
  onChange,
  error,
  autoFocus = false,
}: UsernameFieldProps) {
  const [rejected, setRejected] = useState<string | null>(null)
  return (
    <Field
      label={texts.auth.username}
      hint={hint}
      error={error ?? (rejected === null ? null : texts.auth.usernameRejected(rejected))}
      name="nickname"
      autoComplete="nickname"
      value={value}
      data-limit={USERNAME.max}
      onChange={({ target }) => {
        setRejected(rejectedCharacter(target.value))
        onChange(typedUsername(target.value))
      }}
      spellCheck={false}
      autoCapitalize="none"
      required
      autoFocus={autoFocus}
    />
  )
}

export function AuthAlert({ problem }: { problem: AuthProblem | null }) {
  if (problem === null) return null
  return (
    <Alert>
      <p className="font-medium">{problem.message}</p>
      {problem.advice !== null && <p className="mt-0.5 text-[13px] text-quiet">{problem.advice}</p>}
    </Alert>
  )
}

interface SubmitButtonProps {
  isBusy: boolean
  children: ReactNode
}

/** Submits the form; disabled while the request is in flight. */
export function SubmitButton({ isBusy, children }: SubmitButtonProps) {
  return (
    <Button variant="primary" type="submit" className="mt-1.5 h-11 w-full" disabled={isBusy}>
      {children}
    </Button>
  )
}

interface QuietButtonProps {
  onClick: () => void
  children: ReactNode
}

/** A secondary action below the form. */
export function QuietButton({ onClick, children }: QuietButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="justify-self-center rounded-sm px-1 py-1 text-[13.5px] text-quiet hover:text-ink"
    >
      {children}
    </button>
  )
}

export function TextLink({ className = '', ...rest }: LinkProps) {
  return (
    <Link className={`font-medium text-accent underline-offset-3 hover:underline ${className}`} {...rest} />
  )
}
