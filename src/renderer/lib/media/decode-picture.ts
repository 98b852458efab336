import { checkPixels, inspectPicture } from './inspect'
import { MediaError } from './media-error'

/** Decodes a chosen file upright, after checking its header. Throws MediaError. */
export async function decodePicture(source: Blob): Promise<ImageBitmap> {
  inspectPicture(await readBytes(source))
  return decode(source)
}

/** Throws MediaError 'failed' if the file was moved or changed after it was chosen, or is a folder. */
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
    // The header may have been wrong.
    checkPixels(bitmap)
    return bitmap
  } catch (error) {
    bitmap.close()
    throw error
  }
}
