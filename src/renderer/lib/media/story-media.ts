import { checkBytes } from './inspect'
import { MediaError } from './media-error'
import type { PrepareOptions } from './picture-queue'
import { preparePicture } from './prepare-picture'
import type { PreparedPicture } from './protocol'
import { isPicture, isUnsupportedPicture, isVideo, SNIFF_BYTES, sniffMedia } from './sniff'
import { type PreparedVideo, prepareVideo } from './video'

/** A photo or video ready for a story. */
export type PreparedMedia = ({ kind: 'image' } & PreparedPicture) | ({ kind: 'video' } & PreparedVideo)

/**
 * Prepares a chosen file for a story, as a photo or video depending on its bytes. Checks its size before reading it.
 * Throws MediaError, or the signal's reason after an abort.
 */
export async function prepareStoryMedia(source: Blob, options: PrepareOptions = {}): Promise<PreparedMedia> {
  if (source.size === 0) throw new MediaError('empty')
  const kind = sniffMedia(await headOf(source))
  if (isVideo(kind)) return { kind: 'video', ...(await prepareVideo(source, kind, options)) }
  if (!isPicture(kind) && !isUnsupportedPicture(kind)) throw new MediaError('not-media')
  checkBytes(source)
  return { kind: 'image', ...(await preparePicture(source, options)) }
}

/** Throws MediaError 'failed' if the file was moved or changed after it was chosen, or is a folder. */
async function headOf(source: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await source.slice(0, SNIFF_BYTES).arrayBuffer())
  } catch (cause) {
    throw new MediaError('failed', { cause })
  }
}
