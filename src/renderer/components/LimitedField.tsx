import type { ComponentProps } from 'react'
import { exceeds } from '#/renderer/lib/content/rich-text'
import { CharactersLeft } from './CharactersLeft'
import { Field } from './Field'

interface LimitedFieldProps extends Omit<ComponentProps<typeof Field>, 'onChange'> {
  value: string
  /** Maximum length, in characters. */
  limit: number
  onChange: (value: string) => void
}

/** A single-line field that reports when its text is too long. */
export function LimitedField({ value, limit, onChange, ...field }: LimitedFieldProps) {
  return (
    <div>
      <Field
        {...field}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        data-limit={limit}
        aria-invalid={exceeds(value, limit) || undefined}
        autoComplete="off"
      />
      <CharactersLeft text={value.trim()} limit={limit} />
    </div>
  )
}
