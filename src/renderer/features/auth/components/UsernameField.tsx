import { Field } from '#/renderer/components/Field'
import { texts } from '#/renderer/lib/texts'
import { typedUsername } from '../username'

interface UsernameFieldProps {
  value: string
  onChange: (value: string) => void
  error: string | null
  autoFocus?: boolean
}

/** A username input: lowercases the text and drops invalid characters. */
export function UsernameField({ value, onChange, error, autoFocus = false }: UsernameFieldProps) {
  return (
    <Field
      label={texts.auth.username}
      hint={texts.auth.usernameHint}
      error={error}
      name="nickname"
      autoComplete="nickname"
      value={value}
      onChange={(event) => onChange(typedUsername(event.target.value))}
      spellCheck={false}
      autoCapitalize="none"
      required
      autoFocus={autoFocus}
    />
  )
}
