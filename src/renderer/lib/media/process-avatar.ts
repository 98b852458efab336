import { MEDIA_LIMITS, PICTURE } from '#/shared/limits'
import { createEncoder, readPixels, storedType, toDataUrl } from './canvas'
import { cropPixels, type SquareCrop } from './crop'
import { decodePicture } from './decode-picture'
import { encodeWithin } from './encode'
import { fitWithin, scaleDown } from './scale'

const AVATAR_QUALITY = { min: 0.4, max: 0.9 }

/**
 * Crops a photo to the chosen square and encodes it for storage: a data URL of at most 160 × 160 pixels and 10 KB,
 * never enlarged. Runs in a worker. Throws MediaError.
 */
export async function processAvatar(source: Blob, crop: SquareCrop): Promise<string> {
  const bitmap = await decodePicture(source)
  const { x, y, side } = cropPixels(crop, bitmap)
  const pixels = readPixels(bitmap, PICTURE.avatarSide, { x, y, width: side, height: side })
  const type = await storedType()
  const blob = await encodeWithin(
    (longest) => createEncoder(scaleDown(pixels, fitWithin(pixels, longest)), type),
    Math.min(PICTURE.avatarSide, side),
    MEDIA_LIMITS.avatar.bytes,
    AVATAR_QUALITY,
  )
  return toDataUrl(blob)
}
