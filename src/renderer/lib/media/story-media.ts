import { checkBytes } from './inspect'
import { MediaError } from './media-error'
import type { PrepareOptions } from './picture-queue'
import { preparePicture } from './prepare-picture'
import type { PreparedPicture } from './protocol'
import { isPicture, isUnsupportedPicture, isVideo, SNIFF_BYTES, sniffMedia } from './sniff'
import { type PreparedVideo, prepareVideo } from './video'

/** A photo or video made ready for a story. */
export type PreparedMedia = ({ kind: 'image' } & PreparedPicture) | ({ kind: 'video' } & PreparedVideo)

/**
 * Makes a chosen file ready for a story, whichever it is by its bytes; how large it is is asked before it is read.
 * Throws MediaError for what it refuses, and the signal's reason once that is aborted.
 */
export async function prepareStoryMedia(source: Blob, options: PrepareOptions = {}): Promise<PreparedMedia> {
  if (source.size === 0) throw new MediaError('empty')
  const kind = sniffMedia(await headOf(source))
  if (isVideo(kind)) return { kind: 'video', ...(await prepareVideo(source, kind, options)) }
  if (!isPicture(kind) && !isUnsupportedPicture(kind)) throw new MediaError('not-media')
  checkBytes(source)
  return { kind: 'image', ...(await preparePicture(source, options)) }
}

/** Throws MediaError 'failed' when the file was moved or changed since it was chosen, or is a folder. */
async function headOf(source: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await source.slice(0, SNIFF_BYTES).arrayBuffer())
  } catch (cause) {
    throw new MediaError('failed', { cause })
  }
}
