import { MEDIA_LIMITS, PICTURE } from '#/shared/limits'
import type { Dimensions } from '#/shared/media-formats'
import { decodePicture } from './decode-picture'
import {
  createEncoder,
  type Encoder,
  encodeWithin,
  readPixels,
  type StoredType,
  storedType,
  toDataUrl,
} from './encode'
import type { PreparedPicture } from './prepare-picture'
import { fitWithin, type Pixels, scaleDown } from './scale'

// At quality 1 Chromium's WebP is lossless; below the minimum a smaller picture looks better.
const PICTURE_QUALITY = { min: 0.5, max: 0.9 }
const THUMBNAIL_QUALITY = { min: 0.4, max: 0.8 }

/**
 * Converts a photo for storage: upright, sRGB, small, and without metadata such as location or camera. Takes a second
 * or more, so it runs in a worker. Throws MediaError.
 * @param onProgress receives the fraction done, from 0 to 1
 */
export async function processPicture(
  source: Blob,
  onProgress: (fraction: number) => void,
): Promise<PreparedPicture> {
  onProgress(0.1)
  const bitmap = await decodePicture(source)
  onProgress(0.45)
  const original = readPixels(bitmap, PICTURE.side)
  onProgress(0.55)

  let encodings = 0
  const handleEncoded = () => {
    encodings += 1
    onProgress(1 - 0.4 * 0.7 ** encodings)
  }
  const type = await storedType()
  const picture = await encodePicture(original, type, handleEncoded)
  const thumbnail = await encodeThumbnail(picture.pixels, type)
  onProgress(1)
  return {
    dataUrl: toDataUrl(picture.blob),
    thumbnailUrl: toDataUrl(thumbnail),
    width: picture.pixels.width,
    height: picture.pixels.height,
  }
}

async function encodePicture(
  original: Pixels,
  type: StoredType,
  onEncoded: () => void,
): Promise<{ blob: Blob; pixels: Pixels }> {
  let pixels = original
  const encoderAt = (side: number): Encoder => {
    pixels = scaleDown(original, fitWithin(original, side))
    const encode = createEncoder(pixels, type)
    return async (quality) => {
      const blob = await encode(quality)
      onEncoded()
      return blob
    }
  }
  const target = Math.min(PICTURE.targetBytes, MEDIA_LIMITS.image.bytes)
  const blob = await encodeWithin(encoderAt, sideOf(original, PICTURE.side), target, PICTURE_QUALITY)
  return { blob, pixels }
}

async function encodeThumbnail(picture: Pixels, type: StoredType): Promise<Blob> {
  const encoderAt = (side: number) => createEncoder(scaleDown(picture, fitWithin(picture, side)), type)
  const side = sideOf(picture, PICTURE.thumbnailSide)
  return encodeWithin(encoderAt, side, MEDIA_LIMITS.thumbnail.bytes, THUMBNAIL_QUALITY)
}

function sideOf({ width, height }: Pixels, most: number): number {
  return Math.min(most, Math.max(width, height))
}

/**
 * A square part of an upright picture: `left` and `top` as fractions of its width and height, `side` as a fraction of
 * its shorter side. Fractions, because the page may show the picture at another size than its decoder.
 */
export interface SquareCrop {
  left: number
  top: number
  side: number
}

/** The square in whole pixels, clamped to the picture. */
export function cropPixels(
  { left, top, side }: SquareCrop,
  { width, height }: Dimensions,
): { x: number; y: number; side: number } {
  const shorter = Math.min(width, height)
  const pixels = clamp(Math.round(side * shorter), 1, shorter)
  return {
    x: clamp(Math.round(left * width), 0, width - pixels),
    y: clamp(Math.round(top * height), 0, height - pixels),
    side: pixels,
  }
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value))
}

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
