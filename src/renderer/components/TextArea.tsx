import { type ComponentProps, type RefObject, useId, useRef } from 'react'
import { exceeds } from '#/renderer/lib/content/rich-text'
import { CharactersLeft } from './CharactersLeft'
import { EmojiButton } from './EmojiButton'
import { MentionArea } from './MentionArea'

interface TextAreaProps
  extends Omit<ComponentProps<'textarea'>, 'id' | 'value' | 'dir' | 'onChange' | 'ref'> {
  label: string
  value: string
  onText: (text: string) => void
  ref?: RefObject<HTMLTextAreaElement | null>
  /** Maximum length, in characters. */
  limit: number
  /** The signed-in member, to offer emojis. */
  me?: string
}

/** A labelled text area that suggests members and grows with its text; `className` limits its height. */
export function TextArea({ label, value, limit, me, ref, onText, className = '', ...area }: TextAreaProps) {
  const id = useId()
  const own = useRef<HTMLTextAreaElement>(null)
  const field = ref ?? own
  return (
    <div className="relative">
      <label htmlFor={id} className="mb-1.5 block font-medium text-[13px] text-quiet">
        {label}
      </label>
      <MentionArea
        id={id}
        ref={field}
        value={value}
        onText={onText}
        limit={limit}
        aria-invalid={exceeds(value, limit) || undefined}
        className={`field-sizing-content wrap-anywhere block w-full resize-none rounded-md border border-edge bg-raised px-3.5 py-2.5 outline-ink outline-offset-0 ${className}`}
        {...area}
      />
      {me !== undefined && area.readOnly !== true && (
        // In the line of the label, but after the field in the tab order.
        <EmojiButton me={me} field={field} className="absolute! -top-2 end-0 size-8!" />
      )}
      <CharactersLeft text={value.trim()} limit={limit} />
    </div>
  )
}
