// @ts-check
/** Photos too large to be kept in the repository: made when a test wants them. */
import { withMetadata } from './exif.mjs'

/** As seen upright; the file is stored lying on its side, as phones do. */
export const CAMERA_PHOTO = { width: 4168, height: 6000 }

/**
 * A 25-megapixel JPEG of about 10 MB as a camera writes it: orientation 6, with EXIF, GPS and XMP.
 * @param {Awaited<ReturnType<typeof import('./studio.mjs').openStudio>>} studio
 */
export async function cameraPhoto(studio) {
  const scene = await studio.scene({ ...CAMERA_PHOTO, orientation: 6, detail: 60_000, quality: 0.92 })
  return withMetadata(scene, 6)
}

/**
 * The same picture, with so much behind its end that the file has this many bytes.
 * @param {Buffer} jpeg
 * @param {number} bytes
 */
export function padded(jpeg, bytes) {
  return Buffer.concat([jpeg, Buffer.alloc(Math.max(0, bytes - jpeg.length))])
}
