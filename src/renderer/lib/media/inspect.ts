import { SOURCE_LIMITS } from '#/shared/limits'
import { type Dimensions, readDimensions } from './dimensions'
import { MediaError } from './media-error'
import { isPicture, isUnsupportedPicture, type PictureKind, sniffMedia } from './sniff'

/** Refuses a file that is not a picture, or too large a picture, before it is decoded. Throws MediaError. */
export function inspectPicture(bytes: Uint8Array): Dimensions & { kind: PictureKind } {
  if (bytes.length === 0) throw new MediaError('empty')
  const kind = sniffMedia(bytes)
  if (isUnsupportedPicture(kind)) throw new MediaError('unsupported')
  if (!isPicture(kind)) throw new MediaError('not-a-picture')
  const size = readDimensions(bytes, kind)
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
