import { inspectAvif } from './inspect-avif'
import { inspectJpeg } from './inspect-jpeg'
import { inspectPng } from './inspect-png'
import { inspectWebp } from './inspect-webp'
import { PICTURE_BYTES, PICTURE_USE, type PictureUse, STORED_PIXELS } from './limits'
import { type Dimensions, type MediaKind, readDimensions, sniffMedia, viewOf } from './media-formats'
import type { Inspector, PictureFault } from './picture-fault'

/** Formats of stored pictures. Storage accepts all, the inline columns the first three. */
export type StoredPictureKind = 'jpeg' | 'png' | 'webp' | 'avif'

/** Width and height are as stored: JPEG and AVIF may be rotated by 90° when they are shown. */
export type PictureContent = ({ ok: true } & Dimensions) | { ok: false; fault: PictureFault }

const INSPECTORS: Record<StoredPictureKind, Inspector> = {
  jpeg: inspectJpeg,
  png: inspectPng,
  webp: inspectWebp,
  avif: inspectAvif,
}

export function isStoredPicture(kind: MediaKind): kind is StoredPictureKind {
  return kind in INSPECTORS
}

/**
 * Checks a whole stored picture without decoding it: whether it is one still picture of this kind that decodes in reasonable time and
 * memory. Reads each byte a few times at most and never throws.
 */
export function inspectPicture(bytes: Uint8Array, kind: StoredPictureKind): PictureContent {
  if (bytes.length > PICTURE_BYTES) return { ok: false, fault: 'too-large' }
  const size = sniffMedia(bytes) === kind ? readDimensions(bytes, kind) : null
  if (size === null) return { ok: false, fault: 'damaged' }
  if (size.width * size.height > STORED_PIXELS.picture) return { ok: false, fault: 'too-large' }
  const fault = faultIn(viewOf(bytes), kind, size)
  return fault === null ? { ok: true, ...size } : { ok: false, fault }
}

function faultIn(view: DataView, kind: StoredPictureKind, size: Dimensions): PictureFault | null {
  try {
    return INSPECTORS[kind](view, size)
  } catch (error) {
    // DataView throws a RangeError if a part ends after the file.
    if (error instanceof RangeError) return 'damaged'
    throw error
  }
}

/** Whether a picture of this size may be used there. The database compares the same numbers. */
export function fitsUse({ width, height }: Dimensions, use: PictureUse): boolean {
  const { side, pixels } = PICTURE_USE[use]
  return Math.max(width, height) <= side && width * height <= pixels
}
