import { checkPixels, inspectPicture } from './inspect'
import { MediaError } from './media-error'

/** Decodes a chosen file, upright, once its header says that it is a picture of a size that can be. Throws MediaError. */
export async function openPicture(source: Blob): Promise<ImageBitmap> {
  inspectPicture(await readBytes(source))
  return decode(source)
}

/** Throws MediaError 'failed' when the file was moved or changed since it was chosen, or is a folder. */
async function readBytes(source: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await source.arrayBuffer())
  } catch (cause) {
    throw new MediaError('failed', { cause })
  }
}

async function decode(source: Blob): Promise<ImageBitmap> {
  let bitmap: ImageBitmap
  try {
    bitmap = await createImageBitmap(source, { imageOrientation: 'from-image' })
  } catch (cause) {
    throw new MediaError('broken', { cause })
  }
  try {
    // Once more, should a header have lied.
    checkPixels(bitmap)
    return bitmap
  } catch (error) {
    bitmap.close()
    throw error
  }
}
