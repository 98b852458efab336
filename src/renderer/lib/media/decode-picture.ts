import { SOURCE_LIMITS } from '#/shared/limits'
import {
  type Dimensions,
  isPicture,
  isUnsupportedPicture,
  type PictureKind,
  readDimensions,
  sniffMedia,
} from '#/shared/media-formats'
import { MediaError } from './media-error'

/** Refuses a file that is not a picture, or too large a picture, before it is decoded. Throws MediaError. */
export function inspectPicture(bytes: Uint8Array): Dimensions & { kind: PictureKind } {
  if (bytes.length === 0) throw new MediaError('empty')
  const kind = sniffMedia(bytes)
  if (isUnsupportedPicture(kind)) throw new MediaError('unsupported')
  if (!isPicture(kind)) throw new MediaError('not-a-picture')
  const size = readDimensions(bytes, kind)
  if (size === null) throw new MediaError('broken')
  checkPixels(size)
  return { kind, ...size }
}

/** Throws MediaError 'too-many-pixels' above SOURCE_LIMITS. */
export function checkPixels({ width, height }: Dimensions): void {
  if (width * height > SOURCE_LIMITS.imagePixels) throw new MediaError('too-many-pixels')
}

/** Throws MediaError 'empty' or 'too-large', without reading the file. */
export function checkBytes(source: Blob): void {
  if (source.size === 0) throw new MediaError('empty')
  if (source.size > SOURCE_LIMITS.imageBytes) throw new MediaError('too-large')
}

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
