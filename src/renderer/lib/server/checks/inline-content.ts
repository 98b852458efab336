import { blobOfDataUrl, decodeBase64 } from '#/renderer/lib/browser/data-url'
import { SNIFF_BYTES, sniffMedia } from '#/shared/media-formats'
import type { ReadPart } from '#/shared/mp4-tables'
import { inspectPicture, isStoredPicture } from '#/shared/picture-content'
import { isPlayableVideo } from '#/shared/played-video'

/** The bytes of a base64 data URL; null if it is not base64. */
function bytesOf(url: string): Uint8Array | null {
  try {
    return decodeBase64(url.slice(url.indexOf(',') + 1))
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

/** Whether a data URL contains a video that this app plays, and that can be opened without taking gigabytes. Decodes it as the player does. */
export async function isSafeVideo(url: string): Promise<boolean> {
  const video = await blobOfDataUrl(url).catch(() => null)
  if (video === null) return false
  const read: ReadPart = async (from, to) => new Uint8Array(await video.slice(from, to).arrayBuffer())
  const kind = sniffMedia(await read(0, SNIFF_BYTES))
  return isPlayableVideo(kind, read, video.size)
}
