import type { SquareCrop } from './crop'
import { checkBytes } from './inspect'
import { PictureQueue, type PrepareOptions } from './picture-queue'
import type { PreparedPicture } from './protocol'

const queue = new PictureQueue(
  () => new Worker(new URL('./picture.worker.ts', import.meta.url), { type: 'module', name: 'pictures' }),
)

/**
 * Makes a chosen photo ready to be stored, in a worker: upright, in sRGB, within PICTURE's side and size, without
 * EXIF. Throws MediaError for what it refuses, and the signal's reason once that is aborted.
 */
export async function preparePicture(source: Blob, options?: PrepareOptions): Promise<PreparedPicture> {
  checkBytes(source)
  return queue.prepare(source, options)
}

/**
 * Makes the chosen square of a photo ready to be stored as a profile picture, in a worker: a data URL of 160 pixels a
 * side (fewer where the photo has fewer) and at most 10 KB. Throws like `preparePicture`.
 */
export async function prepareAvatar(
  source: Blob,
  crop: SquareCrop,
  options?: Pick<PrepareOptions, 'signal'>,
): Promise<string> {
  checkBytes(source)
  return queue.crop(source, crop, options)
}
