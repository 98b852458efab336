import { readPrimarySize } from '#/shared/heif-items'
import { SOURCE_LIMITS } from '#/shared/limits'
import { type Dimensions, isPhoto, type PhotoKind, readDimensions, sniffMedia } from '#/shared/media-formats'
import { hasTooManyFrames } from './count-frames'
import { type ItemSizes, readItemSizes } from './item-sizes'
import { MediaError } from './media-error'

/**
 * Refuses a file that is not a photo, or too large a photo, before it is decoded. The size is that of the picture as it is stored; null if
 * a decoder has to find it. Throws MediaError.
 */
export function inspectPicture(bytes: Uint8Array): { kind: PhotoKind; size: Dimensions | null } {
  if (bytes.length === 0) throw new MediaError('empty')
  const kind = sniffMedia(bytes)
  if (kind === 'other-picture') throw new MediaError('unsupported')
  if (!isPhoto(kind)) throw new MediaError('not-a-picture')
  if (kind === 'tiff' || kind === 'raw') return { kind, size: null }
  const size = readDimensions(bytes, kind)
  if (size === null) throw new MediaError('broken')
  // Of AVIF and HEIC, the size of the largest item: a decoder may allocate memory for each.
  checkPixels(size)
  if (kind === 'png') checkInterlaced(bytes, size)
  if (hasTooManyFrames(bytes, kind)) throw new MediaError('slow')
  const shown = shownSize(bytes, kind) ?? size
  if (kind === 'avif' || kind === 'heic') checkItems(bytes, kind, shown)
  return { kind, size: shown }
}

/** Another item of the file, such as a gain map, may be larger than its picture. */
function shownSize({ buffer, byteOffset, byteLength }: Uint8Array, kind: PhotoKind): Dimensions | null {
  if (kind !== 'avif' && kind !== 'heic') return null
  try {
    const size = readPrimarySize(new DataView(buffer, byteOffset, byteLength))
    return size !== null && size.width * size.height > 0 ? size : null
  } catch (error) {
    // The file ends inside its boxes, or has one of them twice.
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Throws MediaError 'too-many-pixels' or 'too-long' above SOURCE_LIMITS. */
export function checkPixels({ width, height }: Dimensions): void {
  if (width * height > SOURCE_LIMITS.imagePixels) throw new MediaError('too-many-pixels')
  if (Math.max(width, height) > SOURCE_LIMITS.imageSide) throw new MediaError('too-long')
}

/** Throws MediaError 'too-much-memory' above SOURCE_LIMITS: these bytes of a picture are decoded at once. */
export function checkPart(bytes: number): void {
  if (!(bytes <= SOURCE_LIMITS.imagePartBytes)) throw new MediaError('too-much-memory')
}

/** Decoded pixels for each of an AVIF that says its size: it has an alpha plane, a gain map, a thumbnail, and tiles that exceed its edges. */
const DECODED_PER_PIXEL = 4

/** Decoders compose an image before they compare its size with what the file says: 1,270 bytes took gigabytes. */
function checkItems(bytes: Uint8Array, kind: 'avif' | 'heic', shown: Dimensions): void {
  const items = itemSizes(bytes)
  if (items === null) throw new MediaError('slow')
  for (const size of items.sizes) checkPixels(size)
  // A HEIC may have many images, of which libheif decodes the first.
  if (kind === 'avif' && items.pixels > DECODED_PER_PIXEL * shown.width * shown.height) checkPart(items.bytes)
}

function itemSizes(bytes: Uint8Array): ItemSizes | null {
  try {
    return readItemSizes(bytes)
  } catch (error) {
    if (error instanceof RangeError) throw new MediaError('broken', { cause: error })
    throw error
  }
}

/** Samples of a pixel by the colour type of PNG. */
const PNG_SAMPLES: Readonly<Record<number, number>> = { 2: 3, 4: 2, 6: 4 }

/** The pixels of an interlaced PNG are complete after its last pass only. */
function checkInterlaced(bytes: Uint8Array, { width, height }: Dimensions): void {
  const [depth = 0, colours = 0, , , interlacing] = bytes.subarray(24, 29)
  if (interlacing === 1) checkPart(width * height * (PNG_SAMPLES[colours] ?? 1) * Math.ceil(depth / 8))
}

/** Throws MediaError 'empty' or 'too-large', without reading the file. */
export function checkBytes(source: Pick<Blob, 'size'>): void {
  if (source.size === 0) throw new MediaError('empty')
  if (source.size > SOURCE_LIMITS.imageBytes) throw new MediaError('too-large')
}

/** A photo with more pixels is decoded at a reduced size: more than any stored picture has, and less memory than 120 megapixels take. */
export const REDUCED_PIXELS = 51_000_000
