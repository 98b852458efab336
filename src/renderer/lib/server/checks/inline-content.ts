import { decodeBase64 } from '#/renderer/lib/browser/data-url'
import { SNIFF_BYTES, sniffMedia } from '#/shared/media-formats'
import { inspectPicture, isStoredPicture } from '#/shared/picture-content'

/** Base64 characters that contain the header of a video; a multiple of four. */
const HEAD = Math.ceil(SNIFF_BYTES / 3) * 4

/** The bytes of a base64 data URL, or of its start; null if it is not base64. */
function bytesOf(url: string, length?: number): Uint8Array | null {
  const start = url.indexOf(',') + 1
  try {
    return decodeBase64(url.slice(start, length === undefined ? undefined : start + length))
  } catch {
    return null
  }
}

/** Whether a data URL contains one still picture in a format that the database accepts, with at most this many pixels. */
export function isSafePicture(url: string, pixels: number): boolean {
  const bytes = bytesOf(url)
  if (bytes === null) return false
  // Chromium decodes by content, whatever type the URL declares.
  const kind = sniffMedia(bytes)
  if (!isStoredPicture(kind) || kind === 'avif') return false
  const content = inspectPicture(bytes, kind)
  return content.ok && content.width * content.height <= pixels
}

/** Whether a data URL starts like a video that this app plays. */
export function isSafeVideo(url: string): boolean {
  const head = bytesOf(url, HEAD)
  return head !== null && ['mp4', 'webm'].includes(sniffMedia(head))
}
