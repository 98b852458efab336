import { decodePicture } from './decode-picture'
import type { Dimensions } from './dimensions'
import { checkBytes } from './inspect'

/** A chosen file that can be shown before it is processed. */
export interface ViewablePicture extends Dimensions {
  source: Blob
}

/**
 * Checks that an `<img>` can show a chosen file, and returns its upright size. Decodes the whole file off the main
 * thread, because an `<img>` would show half of a damaged picture without an error. Throws MediaError.
 */
export async function viewPicture(source: Blob): Promise<ViewablePicture> {
  checkBytes(source)
  const bitmap = await decodePicture(source)
  const { width, height } = bitmap
  bitmap.close()
  return { source, width, height }
}
