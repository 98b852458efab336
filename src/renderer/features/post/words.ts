import { exceeds } from '#/renderer/lib/rich-text'
import { TEXT_LIMITS } from '#/shared/limits'

/** What a post says, as it stands in a form. */
export interface PostWords {
  content: string
  location: string
  altText: string
}

/** Null for what was left empty: the columns know no blank texts. */
function orNull(text: string): string | null {
  const trimmed = text.trim()
  return trimmed === '' ? null : trimmed
}

/** The words as columns of `posts`, trimmed; alt text only where there is a picture. */
export function wordColumns({ content, location, altText }: PostWords, hasPicture: boolean) {
  return {
    content: content.trim(),
    location: orNull(location),
    alt_text: hasPicture ? orNull(altText) : null,
  }
}

/** Whether the words can be posted: there are any or a picture, and each is within its limit. */
export function canPost({ content, location, altText }: PostWords, hasPicture: boolean): boolean {
  return (
    (hasPicture || content.trim() !== '') &&
    !exceeds(content, TEXT_LIMITS.post) &&
    !exceeds(location, TEXT_LIMITS.location) &&
    !exceeds(altText, TEXT_LIMITS.altText)
  )
}
