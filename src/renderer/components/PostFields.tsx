import { MapPin } from 'lucide-react'
import { useId } from 'react'
import { texts } from '#/renderer/lib/texts'
import { TEXT_LIMITS } from '#/shared/limits'
import { CharactersLeft } from './CharactersLeft'
import { Field } from './Field'

type PostField = 'content' | 'location' | 'altText'

interface PostFieldsProps {
  words: Readonly<Record<PostField, string>>
  onChange: (field: PostField, value: string) => void
  /** A picture can be described. */
  hasPicture: boolean
  isLocked: boolean
}

/** What can be said in a post: its text, where it is, and what its picture shows. */
export function PostFields({ words, onChange, hasPicture, isLocked }: PostFieldsProps) {
  const textId = useId()
  return (
    <>
      <div>
        <label htmlFor={textId} className="mb-1.5 block font-medium text-[13px] text-quiet">
          {texts.composer.textLabel}
        </label>
        <textarea
          id={textId}
          rows={6}
          placeholder={texts.composer.placeholder}
          value={words.content}
          onChange={(event) => onChange('content', event.target.value)}
          readOnly={isLocked}
          dir="auto"
          className="field-sizing-content wrap-anywhere block max-h-90 min-h-34 w-full resize-none rounded-md border border-edge bg-raised px-3.5 py-2.5 outline-ink outline-offset-0"
        />
        <CharactersLeft text={words.content.trim()} limit={TEXT_LIMITS.post} />
      </div>
      <div>
        <Field
          label={texts.composer.locationLabel}
          placeholder={texts.composer.locationPlaceholder}
          value={words.location}
          onChange={(event) => onChange('location', event.target.value)}
          readOnly={isLocked}
          autoComplete="off"
          end={<MapPin aria-hidden="true" className="pointer-events-none me-2.5 size-4.5 text-quiet" />}
        />
        <CharactersLeft text={words.location.trim()} limit={TEXT_LIMITS.location} />
      </div>
      {hasPicture && (
        <div>
          <Field
            label={texts.composer.altLabel}
            placeholder={texts.composer.altPlaceholder}
            value={words.altText}
            onChange={(event) => onChange('altText', event.target.value)}
            readOnly={isLocked}
            autoComplete="off"
          />
          <CharactersLeft text={words.altText.trim()} limit={TEXT_LIMITS.altText} />
        </div>
      )}
    </>
  )
}
