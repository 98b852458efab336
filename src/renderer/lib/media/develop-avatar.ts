import { MEDIA_LIMITS, PICTURE } from '#/shared/limits'
import { encoderOf, storedType, takePixels, toDataUrl } from './canvas'
import { cropPixels, type SquareCrop } from './crop'
import { encodeWithin } from './encode'
import { openPicture } from './open-picture'
import { fitWithin, scaleDown } from './scale'

const AVATAR_QUALITY = { min: 0.4, max: 0.9 }

/**
 * The square a member chose of a photo, as it is stored: a data URL of at most 160 × 160 pixels and 10 KB, never
 * enlarged. Runs in a worker. Throws MediaError.
 */
export async function developAvatar(source: Blob, crop: SquareCrop): Promise<string> {
  const bitmap = await openPicture(source)
  const { x, y, side } = cropPixels(crop, bitmap)
  const pixels = takePixels(bitmap, PICTURE.avatarSide, { x, y, width: side, height: side })
  const type = await storedType()
  const blob = await encodeWithin(
    (longest) => encoderOf(scaleDown(pixels, fitWithin(pixels, longest)), type),
    Math.min(PICTURE.avatarSide, side),
    MEDIA_LIMITS.avatar.bytes,
    AVATAR_QUALITY,
  )
  return toDataUrl(blob)
}
