import { STORED_PIXELS } from '#/shared/limits'
import { readDimensions } from './dimensions'
import { MediaError } from './media-error'
import { type PictureKind, sniffMedia } from './sniff'

/** Characters of base64 that hold the header of nearly all pictures; a multiple of four. */
const HEAD = 4_096

/** In the place of a picture that is not to be decoded: an `<img>` says that it is broken. */
export const BROKEN_PICTURE = 'data:,'

/** What a column's pictures may have, in pixels, and what takes the place of one that is larger. */
const COLUMNS: Readonly<Record<string, { pixels: number; instead: string | null }>> = {
  avatar_url: { pixels: STORED_PIXELS.small, instead: null },
  thumbnail_url: { pixels: STORED_PIXELS.small, instead: null },
  image_url: { pixels: STORED_PIXELS.picture, instead: BROKEN_PICTURE },
  media_url: { pixels: STORED_PIXELS.story, instead: BROKEN_PICTURE },
}

/** What the database takes. Chromium decodes by content, whatever the URL claims to be. */
const KINDS: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp'])

function isStoredKind(kind: string): kind is PictureKind {
  return KINDS.has(kind)
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
}

/** The pixels that the header of a base64 data URL promises; infinite when it cannot be told. */
function pixelsOf(url: string): number {
  const data = url.slice(url.indexOf(',') + 1)
  // A JPEG may have a camera's notes and colours before its size.
  for (const length of [HEAD, data.length]) {
    try {
      const bytes = bytesOf(data.slice(0, length))
      const kind = sniffMedia(bytes)
      if (!isStoredKind(kind)) return Number.POSITIVE_INFINITY
      const { width, height } = readDimensions(bytes, kind)
      return width * height
    } catch (cause) {
      // `atob` throws a DOMException for what is no base64.
      if (!(cause instanceof MediaError || cause instanceof DOMException)) throw cause
    }
  }
  return Number.POSITIVE_INFINITY
}

/**
 * Drops, in rows that have just been parsed, every picture that would be larger in memory than its column's may be: the
 * database checks how long a data URL is, not what it unfolds to. Changes the rows themselves; gives them.
 */
export function withSafePictures<T>(rows: T): T {
  if (typeof rows !== 'object' || rows === null) return rows
  for (const [key, value] of Object.entries(rows)) {
    const column = COLUMNS[key]
    if (column === undefined) withSafePictures(value)
    else if (typeof value === 'string' && value.startsWith('data:image/') && pixelsOf(value) > column.pixels)
      Object.assign(rows, { [key]: column.instead })
  }
  return rows
}
