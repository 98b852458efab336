import type { Dimensions } from './dimensions'
import { checkBytes, inspectPicture } from './inspect'
import { MediaError } from './media-error'
import { readBytes } from './open-picture'

/** A chosen file that can be shown before anything is made of it. */
export interface ViewablePicture extends Dimensions {
  source: Blob
  /** An object URL; whoever has it revokes it. */
  url: string
}

/** Checks a chosen file and readies it for an `<img>`; its size is as it is shown, upright. Throws MediaError. */
export async function viewPicture(source: Blob): Promise<ViewablePicture> {
  checkBytes(source)
  inspectPicture(await readBytes(source))
  const url = URL.createObjectURL(source)
  const image = new Image()
  image.src = url
  try {
    await image.decode()
  } catch (cause) {
    URL.revokeObjectURL(url)
    throw new MediaError('broken', { cause })
  }
  return { source, url, width: image.naturalWidth, height: image.naturalHeight }
}
