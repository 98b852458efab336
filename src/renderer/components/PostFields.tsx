import { MapPin } from 'lucide-react'
import { texts } from '#/renderer/lib/texts'
import { TEXT_LIMITS } from '#/shared/limits'
import { CharactersLeft } from './CharactersLeft'
import { Field } from './Field'
import { TextArea } from './TextArea'

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
  return (
    <>
      <TextArea
        label={texts.composer.textLabel}
        rows={6}
        placeholder={texts.composer.placeholder}
        value={words.content}
        limit={TEXT_LIMITS.post}
        onChange={(event) => onChange('content', event.target.value)}
        readOnly={isLocked}
        className="max-h-90 min-h-34"
      />
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
