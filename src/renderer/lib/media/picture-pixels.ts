import { type PictureKind, readDimensions, sniffMedia } from '#/shared/media-formats'

/** Base64 characters that contain the header of nearly all pictures; a multiple of four. */
const HEAD = 4_096

/** The formats that the database accepts. Chromium decodes by content, whatever type the URL declares. */
const KINDS: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp'])

function isStoredKind(kind: string): kind is PictureKind {
  return KINDS.has(kind)
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
}

/** The number of pixels in the header of a base64 data URL; infinite if it cannot be read. */
export function pixelsOf(url: string): number {
  const data = url.slice(url.indexOf(',') + 1)
  // A JPEG may have metadata and a colour profile before its size.
  for (const length of [HEAD, data.length]) {
    try {
      const bytes = bytesOf(data.slice(0, length))
      const kind = sniffMedia(bytes)
      if (!isStoredKind(kind)) return Number.POSITIVE_INFINITY
      const size = readDimensions(bytes, kind)
      if (size !== null) return size.width * size.height
    } catch (cause) {
      // `atob` throws a DOMException for invalid base64.
      if (!(cause instanceof DOMException)) throw cause
    }
  }
  return Number.POSITIVE_INFINITY
}
