// @ts-check
/** Photos that are too large for the repository, so tests generate them. */
import { withMetadata } from './exif.mjs'

/** The size of the upright photo. The file is stored rotated, as phones do. */
export const CAMERA_PHOTO = { width: 4168, height: 6000 }

/**
 * A 25-megapixel JPEG of about 10 MB as a camera writes it: orientation 6, with EXIF, GPS and XMP.
 * @param {Awaited<ReturnType<typeof import('./open-photo-generator.mjs').openPhotoGenerator>>} generator
 */
export async function cameraPhoto(generator) {
  const scene = await generator.scene({ ...CAMERA_PHOTO, orientation: 6, detail: 60_000, quality: 0.92 })
  return withMetadata(scene, 6)
}
