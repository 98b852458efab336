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
