import { texts } from '#/renderer/lib/texts'
import { TEXT_LIMITS } from '#/shared/limits'
import { LimitedField } from './LimitedField'
import { PlaceField } from './PlaceField'
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
      <PlaceField
        value={words.location}
        onChange={(value) => onChange('location', value)}
        readOnly={isLocked}
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
