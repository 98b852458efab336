import type { Dimensions } from './dimensions'
import { checkBytes } from './inspect'
import { openPicture } from './open-picture'

/** A chosen file that can be shown before anything is made of it. */
export interface ViewablePicture extends Dimensions {
  source: Blob
}

/**
 * Checks that a chosen file can be shown in an `<img>`; its size is as one sees it, upright. Decodes it whole, off the
 * main thread: an `<img>` would show the upper half of a damaged picture without a word. Throws MediaError.
 */
export async function viewPicture(source: Blob): Promise<ViewablePicture> {
  checkBytes(source)
  const bitmap = await openPicture(source)
  const { width, height } = bitmap
  bitmap.close()
  return { source, width, height }
}
