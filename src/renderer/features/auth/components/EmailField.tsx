import type { ComponentProps } from 'react'
import { Field } from '#/renderer/components/Field'
import { texts } from '#/renderer/lib/texts'

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
      autoComplete="username"
      onChange={(event) => onChange(event.target.value)}
      required
      {...rest}
    />
  )
}
