import { pictureSizes } from '#/renderer/lib/media/picture-sizes'
import type { PreparedPicture } from '#/renderer/lib/media/prepare-picture'

/** A size of a picture in Storage. */
export interface PictureSize {
  path: string
  /** In pixels. */
  width: number
}

/** A picture in Storage: its sizes, smallest first. */
export interface StoredSource {
  kind: 'stored'
  sizes: readonly PictureSize[]
  thumbhash: string | null
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

/** A picture that is not sent yet. */
export function preparedSource(picture: PreparedPicture, url: string | null): PictureSource {
  return {
    kind: 'inline',
    url,
    preview: null,
    ...('thumbhash' in picture && { thumbhash: picture.thumbhash }),
  }
}

interface PicturePaths {
  grid: string
  feed?: string
  full?: string
}

/** A picture in Storage, by the size of its full picture in pixels; square if that is unknown. */
export function storedSource(
  { grid, feed, full }: PicturePaths,
  { width, height }: { width: number | null; height: number | null },
  thumbhash: string | null,
): StoredSource {
  const sizes = pictureSizes({ width: width ?? 1, height: height ?? 1 })
  return {
    kind: 'stored',
    thumbhash,
    sizes: [
      { path: grid, width: sizes.grid.width },
      ...(feed === undefined ? [] : [{ path: feed, width: sizes.feed.width }]),
      ...(full === undefined ? [] : [{ path: full, width: sizes.full.width }]),
    ],
  }
}

/** The attribute `srcset` of an `<img>`. */
export function srcSetOf(sizes: readonly { url: string; width: number }[]): string {
  return sizes.map(({ url, width }) => `${url} ${width}w`).join(', ')
}

/** A small picture: an object in Storage or a data URL; null if there is neither. */
export function thumbnailSource(
  path: string | null | undefined,
  thumbhash: string | null | undefined,
  url: string | null,
): PictureSource | null {
  if (path != null) return { kind: 'stored', sizes: [{ path, width: 1 }], thumbhash: thumbhash ?? null }
  return url === null ? null : { kind: 'inline', url, preview: null }
}
