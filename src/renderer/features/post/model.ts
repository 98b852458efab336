import type { CSSProperties } from 'react'
import { codePoints, exceeds } from '#/renderer/lib/content/rich-text'
import { type PhotoSize, photoRatio, sideLimit, smallest } from '#/renderer/lib/layout/photo-frame'
import { postMedia, type StoredMedia } from '#/renderer/lib/media-store'
import type { Tables } from '#/shared/database.types'
import { beginning } from '#/shared/graphemes'
import { TEXT_LIMITS } from '#/shared/limits'
import { trimText } from '#/shared/visible-text'

/** The texts of a post, as they are in a form. */
export interface PostWords {
  content: string
  location: string
  altText: string
}

/** The fields of the alt texts of a post's photos, in their order. */
export const ALT_FIELDS = [
  'altText',
  'altText2',
  'altText3',
  'altText4',
  'altText5',
  'altText6',
  'altText7',
  'altText8',
  'altText9',
  'altText10',
] as const

/** The texts of a stored post, with an alt text for each of its photos. */
export type PostEdit = PostWords & Record<(typeof ALT_FIELDS)[number], string>

/** The alt texts of a post's photos as fields of a form; empty for photos that it does not have. */
export function altFields(photos: readonly { alt_text: string | null }[]) {
  const fields = ALT_FIELDS.map((field, index) => [field, photos[index]?.alt_text ?? ''] as const)
  return Object.fromEntries(fields) as Record<(typeof ALT_FIELDS)[number], string>
}

/** Whether the text of a post is set in large letters where it stands in for a picture or beside one: up to 160 code points. */
export function isShortText(content: string): boolean {
  return codePoints(content) <= 160
}

/** About as much text as a cell has room for, in code points. */
const CELL_TEXT = 120

/** The text of a post in a cell: its beginning, which ends with a whole word where words have spaces between them. */
export function cellText(content: string): string {
  const start = beginning(content, CELL_TEXT)
  if (start === content) return content
  const words = /^\s/u.test(content.slice(start.length)) ? start : start.replace(/\s+\S*$/u, '')
  return `${words.trimEnd()}…`
}

/** Blank texts are stored as null. */
export function orNull(text: string): string | null {
  const trimmed = trimText(text)
  return trimmed === '' ? null : trimmed
}

/** The texts as columns of `posts`, trimmed; alt text only with a picture. */
export function wordColumns({ content, location, altText }: PostWords, hasPicture: boolean) {
  return {
    content: trimText(content),
    location: orNull(location),
    alt_text: hasPicture ? orNull(altText) : null,
  }
}

/** Whether the changed texts of a post with this number of photos can be saved. */
export function canSave(edit: PostEdit, photos: number): boolean {
  return canPost(edit, photos > 0) && ALT_FIELDS.every((field) => !exceeds(edit[field], TEXT_LIMITS.altText))
}

/** Whether a post can be shared: it has a text or a picture, and each text is within its limit. */
export function canPost({ content, location, altText }: PostWords, hasPicture: boolean): boolean {
  return (
    (hasPicture || trimText(content) !== '') &&
    !exceeds(content, TEXT_LIMITS.post) &&
    !exceeds(location, TEXT_LIMITS.location) &&
    !exceeds(altText, TEXT_LIMITS.altText)
  )
}

type InlineColumns = Pick<Tables<'posts'>, 'thumbnail_url' | 'image_width' | 'image_height' | 'alt_text'>

/**
 * The media of a post: in Storage, or the inline picture. Empty for a post without one.
 * @param inline the full inline picture, once it is loaded
 */
export function mediaOf(
  post: InlineColumns & { media: readonly Parameters<typeof postMedia>[0][] },
  inline: string | null = null,
): StoredMedia[] {
  if (post.media.length > 0) return post.media.map(postMedia)
  if (inline === null && post.thumbnail_url === null) return []
  return [
    {
      source: { kind: 'inline', url: inline, preview: post.thumbnail_url },
      width: post.image_width,
      height: post.image_height,
      altText: post.alt_text,
      video: null,
    },
  ]
}

/** Width divided by height of a post's first photo or cover; 1 for a text. */
export function shownRatio(
  post: Pick<InlineColumns, 'image_width' | 'image_height'> & { media: readonly PhotoSize[] },
): number {
  const [first = { width: post.image_width, height: post.image_height }] = post.media
  return photoRatio(first)
}

/** The width of a photo on the light table, for the attribute `sizes`: as large as the window allows. */
export function tableSizes(photo: PhotoSize): string {
  return smallest('100vw', `${photoRatio(photo)} * 100vh`, sideLimit(photo.width))
}

/** The attribute `sizes` of a photo that is zoomed: no size is large enough. */
export const ZOOMED_SIZES = '100000px'

/** Sizes the stage in a narrow window: the ratio of the tallest photo, and the height that the photos may use. */
export function stageStyle(photos: readonly PhotoSize[]): CSSProperties {
  const ratios = photos.map(photoRatio)
  const highest = photos.every(({ height }) => height !== null) ? photos.map(({ height }) => height ?? 0) : []
  return {
    '--flattest': Math.min(...ratios),
    '--highest': sideLimit(highest.length === 0 ? null : Math.max(...highest)) ?? '100dvh',
  } as CSSProperties
}
