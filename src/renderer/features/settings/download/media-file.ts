import { blobOfDataUrl } from '#/renderer/lib/browser/data-url'
import { storedExtension } from '#/shared/stored-media'

// Not from the folder's index: that would load the whole picture pipeline.

interface MediaFile {
  content: Blob
  extension: string
}

/** Decodes a picture or video that is stored as a data URL; null for anything else. */
export async function mediaFile(dataUrl: string): Promise<MediaFile | null> {
  const [, type = ''] = /^data:([a-z]+\/[a-z0-9]+);base64,/.exec(dataUrl) ?? []
  if (storedExtension(type) === undefined) return null
  try {
    // In slices: decoding a whole video at once would block the page.
    return fileOf(await blobOfDataUrl(dataUrl))
  } catch {
    return null
  }
}

/** A picture or video; null for anything else. */
export function fileOf(content: Blob): MediaFile | null {
  const extension = storedExtension(content.type)
  return extension === undefined ? null : { content, extension }
}

/** Path of a file in the archive: `posts/2026-11-21-1f0c….webp`. It cannot leave its folder. */
export function mediaPath(
  folder: string,
  { created_at, id }: { created_at: string; id: string },
  extension: string,
) {
  const plain = (text: string) => text.replace(/[^A-Za-z0-9-]/g, '')
  return `${folder}/${plain(created_at.slice(0, 10))}-${plain(id)}.${extension}`
}
