import { type ComponentProps, type RefObject, useId } from 'react'
import { exceeds } from '#/renderer/lib/rich-text'
import { CharactersLeft } from './CharactersLeft'
import { MentionArea } from './MentionArea'

interface TextAreaProps
  extends Omit<ComponentProps<'textarea'>, 'id' | 'value' | 'dir' | 'onChange' | 'ref'> {
  label: string
  value: string
  onText: (text: string) => void
  ref?: RefObject<HTMLTextAreaElement | null>
  /** Maximum length, in characters. */
  limit: number
}

/** A labelled text area that suggests members and grows with its text; `className` limits its height. */
export function TextArea({ label, value, limit, className = '', ...area }: TextAreaProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-medium text-[13px] text-quiet">
        {label}
      </label>
      <MentionArea
        id={id}
        value={value}
        aria-invalid={exceeds(value, limit) || undefined}
        className={`field-sizing-content wrap-anywhere block w-full resize-none rounded-md border border-edge bg-raised px-3.5 py-2.5 outline-ink outline-offset-0 ${className}`}
        {...area}
      />
      <CharactersLeft text={value.trim()} limit={limit} />
    </div>
  )
}
