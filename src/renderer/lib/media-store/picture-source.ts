import type { PreparedPicture } from '#/renderer/lib/media/picture/picture-request'
import { pictureSizes } from '#/renderer/lib/media/picture/picture-sizes'
import type { Tables } from '#/shared/database.types'
import type { PictureUse } from '#/shared/limits'

/** A size of a picture in Storage. */
export interface PictureSize {
  path: string
  /** In pixels. */
  width: number
  /** Limits how large it may really be. */
  use: PictureUse
}

/** A picture in Storage: its sizes, smallest first. */
export interface StoredSource {
  kind: 'stored'
  sizes: readonly PictureSize[]
  thumbhash: string | null
  /** Of a story: when it expires. */
  until?: string
}

/** Where a picture is loaded from: objects in Storage, or data URLs in a row. */
export type PictureSource = StoredSource | InlineSource

/** A picture whose data is in memory. */
interface InlineSource {
  kind: 'inline'
  url: string | null
  preview: string | null
  /** Only of a picture that was prepared for Storage. */
  thumbhash?: string
}

/** A picture in memory. @param url null while there is none */
export function localSource(url: string | null): PictureSource {
  return { kind: 'inline', url, preview: null }
}

/** A picture that is not sent yet. */
export function preparedSource(picture: PreparedPicture, url: string | null): PictureSource {
  return {
    ...localSource(url),
    ...('thumbhash' in picture && { thumbhash: picture.thumbhash }),
  }
}

interface PicturePaths {
  grid: string
  feed?: string
  middle?: string | null
  full?: string
}

type PictureUses = Readonly<Record<keyof PicturePaths, PictureUse>>

const POST_USES: PictureUses = { grid: 'grid', feed: 'feed', middle: 'middle', full: 'full' }

/**
 * A picture in Storage, by the size of its full picture in pixels; square if that is unknown.
 * @param uses of pictures that do not belong to a post
 */
export function storedSource(
  { grid, feed, middle, full }: PicturePaths,
  { width, height }: { width: number | null; height: number | null },
  thumbhash: string | null,
  uses: Partial<PictureUses> = {},
): StoredSource {
  const sizes = pictureSizes({ width: width ?? 1, height: height ?? 1 })
  const use = { ...POST_USES, ...uses }
  return {
    kind: 'stored',
    thumbhash,
    sizes: [
      { path: grid, width: sizes.grid.width, use: use.grid },
      ...(feed === undefined ? [] : [{ path: feed, width: sizes.feed.width, use: use.feed }]),
      ...(middle == null ? [] : [{ path: middle, width: sizes.middle.width, use: use.middle }]),
      ...(full === undefined ? [] : [{ path: full, width: sizes.full.width, use: use.full }]),
    ],
  }
}

/** What the app reads of each photo or video of a post. */
export const POST_MEDIA =
  'media:post_media(kind,full_path,middle_path,feed_path,grid_path,media_path,width,height,thumbhash,alt_text,camera,duration_ms,has_sound,has_captions)'

type StillColumns = Pick<
  Tables<'post_media'>,
  'full_path' | 'middle_path' | 'feed_path' | 'grid_path' | 'width' | 'height' | 'thumbhash' | 'alt_text'
>
type VideoColumns = Pick<
  Tables<'post_media'>,
  'kind' | 'media_path' | 'duration_ms' | 'has_sound' | 'has_captions'
>

/** A video of a post. Its captions are read when it is played: no list may ask for them. */
export interface StoredVideo {
  path: string
  /** As its author says. */
  durationMs: number
  hasSound: boolean
  hasCaptions: boolean
}

/** A photo or video as screens show it, as a still picture: the photo, or the video's cover. Sizes in pixels; null if unknown. */
export interface StoredMedia {
  source: PictureSource
  width: number | null
  height: number | null
  altText: string | null
  /** Null for a photo. */
  video: StoredVideo | null
}

function videoOf({
  kind,
  media_path,
  duration_ms,
  has_sound,
  has_captions,
}: VideoColumns): StoredVideo | null {
  if (kind !== 'video' || media_path === null) return null
  return {
    path: media_path,
    durationMs: duration_ms ?? 0,
    hasSound: has_sound === true,
    hasCaptions: has_captions,
  }
}

export function postMedia(row: StillColumns & VideoColumns): StoredMedia {
  const {
    full_path: full,
    middle_path: middle,
    feed_path: feed,
    grid_path: grid,
    width,
    height,
    thumbhash,
  } = row
  const source = storedSource({ full, middle, feed, grid }, { width, height }, thumbhash)
  return { source, width, height, altText: row.alt_text, video: videoOf(row) }
}

/** The paths of a photo or of a video's cover, the smallest first. */
export function postMediaPaths({ full_path, middle_path, feed_path, grid_path }: StillColumns): string[] {
  return [grid_path, feed_path, middle_path, full_path].filter((path) => path !== null)
}

/** The paths of all objects of a photo or video: also the video itself. */
export function postObjectPaths(row: StillColumns & Pick<VideoColumns, 'media_path'>): string[] {
  return [...postMediaPaths(row), row.media_path].filter((path) => path != null)
}

/** The attribute `srcset` of an `<img>`. */
export function srcSetOf(sizes: readonly { url: string; width: number }[]): string {
  return sizes.map(({ url, width }) => `${url} ${width}w`).join(', ')
}

/**
 * A small picture: an object in Storage or a data URL; null if there is neither.
 * @param until of a story: when it expires
 */
export function thumbnailSource(
  path: string | null | undefined,
  thumbhash: string | null | undefined,
  url: string | null,
  use: PictureUse = 'grid',
  until?: string,
): PictureSource | null {
  if (path != null)
    return {
      kind: 'stored',
      sizes: [{ path, width: 1, use }],
      thumbhash: thumbhash ?? null,
      ...(until !== undefined && { until }),
    }
  return url === null ? null : { kind: 'inline', url, preview: null }
}
