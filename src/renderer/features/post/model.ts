import { type PictureSource, storedSource } from '#/renderer/lib/media-store'
import { exceeds } from '#/renderer/lib/rich-text'
import type { Tables } from '#/shared/database.types'
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

/** The columns of a photo in Storage. */
type PhotoColumns = Pick<
  Tables<'post_photos'>,
  'full_path' | 'feed_path' | 'grid_path' | 'width' | 'height' | 'thumbhash' | 'alt_text'
>

type InlineColumns = Pick<Tables<'posts'>, 'thumbnail_url' | 'image_width' | 'image_height' | 'alt_text'>

/** A post's photo as screens show it. */
export interface PostPhoto {
  source: PictureSource
  /** In pixels; null if it is unknown. */
  width: number | null
  height: number | null
  altText: string | null
}

/**
 * The photo of a post: in Storage, or the inline one. Null for a post without one.
 * @param inline the full inline picture, once it is loaded
 */
export function photoOf(
  post: InlineColumns & { photos: readonly PhotoColumns[] },
  inline: string | null = null,
): PostPhoto | null {
  const [photo] = post.photos
  if (photo !== undefined) {
    const { full_path: full, feed_path: feed, grid_path: grid, width, height, thumbhash } = photo
    const source = storedSource({ full, feed, grid }, { width, height }, thumbhash)
    return { source, width, height, altText: photo.alt_text }
  }
  if (inline === null && post.thumbnail_url === null) return null
  return {
    source: { kind: 'inline', url: inline, preview: post.thumbnail_url },
    width: post.image_width,
    height: post.image_height,
    altText: post.alt_text,
  }
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

/** Where a photo of the feed is shown: in a column of 600 px, and at most 62 % of the window high. */
export function feedPhotoSizes({ width, height }: PostPhoto): string {
  const { ratio, isTall } = photoFrame(width, height)
  return isTall ? `min(100vw, 600px, ${ratio} * min(680px, 62vh))` : 'min(100vw, 600px)'
}

/** Where an open photo is shown: whole, at most 760 px wide and high. */
export function openPhotoSizes({ width, height }: PostPhoto): string {
  const ratio = width === null || height === null ? 1 : width / height
  return `min(100vw, 760px, ${ratio} * 760px)`
}
