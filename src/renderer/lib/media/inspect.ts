import { SOURCE_LIMITS } from '#/shared/limits'
import { type Dimensions, readDimensions } from './dimensions'
import { MediaError } from './media-error'
import { isPicture, isUnsupportedPicture, type PictureKind, sniffMedia } from './sniff'

/** Refuses, before anything is decoded, what is no picture or too large a one. Throws MediaError. */
export function inspectPicture(bytes: Uint8Array): Dimensions & { kind: PictureKind } {
  if (bytes.length === 0) throw new MediaError('empty')
  const kind = sniffMedia(bytes)
  if (isUnsupportedPicture(kind)) throw new MediaError('unsupported')
  if (!isPicture(kind)) throw new MediaError('not-a-picture')
  const size = readDimensions(bytes, kind)
  checkPixels(size)
  return { kind, ...size }
}

/** Throws MediaError 'too-many-pixels' above what SOURCE_LIMITS allow. */
export function checkPixels({ width, height }: Dimensions): void {
  if (width * height > SOURCE_LIMITS.imagePixels) throw new MediaError('too-many-pixels')
}

/** Throws MediaError 'empty' or 'too-large' by size alone, nothing read. */
export function checkBytes(source: Blob): void {
  if (source.size === 0) throw new MediaError('empty')
  if (source.size > SOURCE_LIMITS.imageBytes) throw new MediaError('too-large')
}
