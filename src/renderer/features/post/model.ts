import { exceeds } from '#/renderer/lib/rich-text'
import { TEXT_LIMITS } from '#/shared/limits'

/** The texts of a post, as they are in a form. */
export interface PostWords {
  content: string
  location: string
  altText: string
}

/** The columns have no blank texts. */
function orNull(text: string): string | null {
  const trimmed = text.trim()
  return trimmed === '' ? null : trimmed
}

/** The texts as columns of `posts`, trimmed; alt text only with a picture. */
export function wordColumns({ content, location, altText }: PostWords, hasPicture: boolean) {
  return {
    content: content.trim(),
    location: orNull(location),
    alt_text: hasPicture ? orNull(altText) : null,
  }
}

/** Whether a post can be shared: it has a text or a picture, and each text is within its limit. */
export function canPost({ content, location, altText }: PostWords, hasPicture: boolean): boolean {
  return (
    (hasPicture || content.trim() !== '') &&
    !exceeds(content, TEXT_LIMITS.post) &&
    !exceeds(location, TEXT_LIMITS.location) &&
    !exceeds(altText, TEXT_LIMITS.altText)
  )
}

/** Limits of a frame's width by its height; a picture beyond them is cropped. */
const FLATTEST = 2.4
const TALLEST = 0.5
/** Up to this ratio a picture is shown whole instead of cropped to the window. */
const TALL = 0.92

export interface PhotoFrame {
  /** Width by height, as CSS's aspect-ratio takes it. */
  ratio: number
  isTall: boolean
}

/** The frame of a post's picture in a list, from its stored size in pixels; square if that is unknown. */
export function photoFrame(width: number | null, height: number | null): PhotoFrame {
  const ratio = width === null || height === null ? 1 : width / height
  return { ratio: Math.min(FLATTEST, Math.max(TALLEST, ratio)), isTall: ratio < TALL }
}
