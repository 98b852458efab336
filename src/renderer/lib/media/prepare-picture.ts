import type { SquareCrop } from './crop'
import { checkBytes } from './inspect'
import { PictureQueue, type PrepareOptions } from './picture-queue'
import type { PreparedPicture } from './protocol'

const queue = new PictureQueue(
  () => new Worker(new URL('./picture.worker.ts', import.meta.url), { type: 'module', name: 'pictures' }),
)

/**
 * Prepares a chosen photo for storage in a worker: upright, sRGB, within PICTURE's size limits, without EXIF. Throws
 * MediaError, or the signal's reason after an abort.
 */
export async function preparePicture(source: Blob, options?: PrepareOptions): Promise<PreparedPicture> {
  checkBytes(source)
  return queue.prepare(source, options)
}

/**
 * Crops a photo to a profile picture in a worker: a data URL of at most 160 × 160 pixels and 10 KB. Throws like
 * `preparePicture`.
 */
export async function prepareAvatar(
  source: Blob,
  crop: SquareCrop,
  options?: Pick<PrepareOptions, 'signal'>,
): Promise<string> {
  checkBytes(source)
  return queue.crop(source, crop, options)
}
