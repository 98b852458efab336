import { MapPin } from 'lucide-react'
import type { ComponentProps } from 'react'
import { exceeds } from '#/renderer/lib/rich-text'
import { texts } from '#/renderer/lib/texts'
import { TEXT_LIMITS } from '#/shared/limits'
import { CharactersLeft } from './CharactersLeft'
import { Field } from './Field'
import { TextArea } from './TextArea'

type PostField = 'content' | 'location' | 'altText'

interface PostFieldsProps {
  /** The signed-in member. */
  me: string
  words: Readonly<Record<PostField, string>>
  onChange: (field: PostField, value: string) => void
  /** Shows the field for the alternative text. */
  hasPicture: boolean
  isLocked: boolean
}

/** The fields of a post: caption, location and alternative text. */
export function PostFields({ me, words, onChange, hasPicture, isLocked }: PostFieldsProps) {
  return (
    <>
      <TextArea
        me={me}
        label={texts.composer.textLabel}
        rows={6}
        placeholder={texts.composer.placeholder}
        value={words.content}
        limit={TEXT_LIMITS.post}
        onText={(text) => onChange('content', text)}
        readOnly={isLocked}
        className="max-h-90 min-h-34"
      />
      <LimitedField
        label={texts.composer.locationLabel}
        placeholder={texts.composer.locationPlaceholder}
        value={words.location}
        limit={TEXT_LIMITS.location}
        onChange={(value) => onChange('location', value)}
        readOnly={isLocked}
        end={<MapPin aria-hidden="true" className="pointer-events-none me-2.5 size-4.5 text-quiet" />}
      />
      {hasPicture && (
        <LimitedField
          label={texts.composer.altLabel}
          placeholder={texts.composer.altPlaceholder}
          value={words.altText}
          limit={TEXT_LIMITS.altText}
          onChange={(value) => onChange('altText', value)}
          readOnly={isLocked}
        />
      )}
    </>
  )
}

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
