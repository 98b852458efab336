import type { Dimensions } from '#/shared/media-formats'
import { MediaError } from './media-error'
import { editedSize, editTransform, type PictureEdit } from './picture-edit'
import type { Pixels } from './scale'

/** Encodes at a quality from 0 to 1. */
export type Encoder = (quality: number) => Promise<Blob>

export interface QualityRange {
  min: number
  max: number
}

/** Maximum number of encodings before the best one so far is used. */
export const MAX_ENCODINGS = 6

/** A result that fills this fraction of the target is good enough. */
const CLOSE_ENOUGH = 0.92

/**
 * Finds the best quality whose encoding has at most `target` bytes; null if even the lowest quality is larger. Sizes
 * grow roughly exponentially with quality, so each attempt interpolates between the last two on a logarithmic scale.
 */
export async function searchQuality(
  encode: Encoder,
  target: number,
  { min, max }: QualityRange,
): Promise<Blob | null> {
  const finest = await encode(max)
  if (finest.size <= target) return finest
  const coarsest = await encode(min)
  if (coarsest.size > target) return null
  let below = { quality: min, blob: coarsest }
  let above = { quality: max, size: finest.size }
  for (let tries = 2; tries < MAX_ENCODINGS && below.blob.size < target * CLOSE_ENOUGH; tries++) {
    const quality = between(below.quality, above.quality, share(below.blob.size, above.size, target))
    const blob = await encode(quality)
    if (blob.size <= target) below = { quality, blob }
    else above = { quality, size: blob.size }
  }
  return below.blob
}

const SMALLEST_SIDE = 16

/**
 * Encodes in at most `target` bytes: reduces the quality first, then the size, starting with a longest side of `side`
 * pixels. Throws MediaError 'too-large-after'.
 */
export async function encodeWithin(
  encoderAt: (side: number) => Encoder,
  side: number,
  target: number,
  range: QualityRange,
): Promise<Blob> {
  for (let longest = side; ; longest = Math.floor(longest * 0.8)) {
    const blob = await searchQuality(encoderAt(longest), target, range)
    if (blob !== null) return blob
    if (longest <= SMALLEST_SIDE) throw new MediaError('too-large-after')
  }
}

function share(low: number, high: number, target: number): number {
  // Aim slightly below the target, because an encoding above it is wasted.
  return Math.log((target * 0.97) / low) / Math.log(high / low)
}

/** Stays away from both ends, where interpolation alone would converge slowly. */
function between(low: number, high: number, fraction: number): number {
  return low + (high - low) * Math.min(0.85, Math.max(0.15, fraction))
}

export type StoredType = 'image/webp' | 'image/jpeg'

/** A picture this many times larger than the target is halved first, which looks the same and is much faster. */
export const HALVE_FROM = 3

interface ReadOptions {
  /** The part to read; by default the whole picture. */
  part?: Part
  /** A picture this many times larger than `side` is halved, at least 2. */
  halveFrom?: number
}

/** A rectangle of a picture, in pixels. */
interface Part extends Dimensions {
  x: number
  y: number
}

/**
 * Reads the sRGB pixels of a decoded picture or a part of it, halved until its longest side is less than `halveFrom` times
 * `side`. Closes the bitmap, which can take 250 MB. Parts are drawn rather than cut by createImageBitmap, because
 * Chromium's coordinates there ignore the EXIF orientation.
 */
export function readPixels(
  bitmap: ImageBitmap,
  side: number,
  { part = whole(bitmap), halveFrom = HALVE_FROM }: ReadOptions = {},
): Pixels {
  const limit = side * halveFrom
  let canvas = draw(bitmap, part, limit)
  bitmap.close()
  while (isHalved(canvas, limit)) canvas = draw(canvas, whole(canvas), limit)
  return context(canvas).getImageData(0, 0, canvas.width, canvas.height)
}

/**
 * Reads the sRGB pixels of a picture after the geometry of an edit, halved until its longest side is less than `limit`. Closes the
 * bitmap.
 */
export function readEdited(bitmap: ImageBitmap, edit: PictureEdit, limit: number): Pixels {
  const size = editedSize(bitmap, edit)
  const times = isHalved(size, limit) ? 2 : 1
  let canvas = new OffscreenCanvas(
    Math.max(1, Math.floor(size.width / times)),
    Math.max(1, Math.floor(size.height / times)),
  )
  const drawing = context(canvas)
  drawing.imageSmoothingQuality = 'high'
  drawing.setTransform(...editTransform(bitmap, edit, 1 / times))
  drawing.drawImage(bitmap, 0, 0)
  bitmap.close()
  while (isHalved(canvas, limit)) canvas = draw(canvas, whole(canvas), limit)
  return context(canvas).getImageData(0, 0, canvas.width, canvas.height)
}

/** Draws the pixels on a canvas, on white for types without transparency. */
function canvasOf(pixels: Pixels, type: StoredType): OffscreenCanvas {
  const canvas = new OffscreenCanvas(pixels.width, pixels.height)
  const drawing = context(canvas)
  drawing.putImageData(new ImageData(pixels.data, pixels.width, pixels.height), 0, 0)
  if (type === 'image/jpeg') {
    drawing.globalCompositeOperation = 'destination-over'
    drawing.fillStyle = '#fff'
    drawing.fillRect(0, 0, pixels.width, pixels.height)
  }
  return canvas
}

/** Returns a function that encodes these pixels at a given quality. */
export function createEncoder(pixels: Pixels, type: StoredType): Encoder {
  const canvas = canvasOf(pixels, type)
  return (quality) => canvas.convertToBlob({ type, quality })
}

/** Works only in a worker. */
export function toDataUrl(blob: Blob): string {
  return new FileReaderSync().readAsDataURL(blob)
}

/** WebP if the browser can encode it (Safari cannot), else JPEG. */
export async function storedType(): Promise<StoredType> {
  const canvas = new OffscreenCanvas(1, 1)
  context(canvas)
  const { type } = await canvas.convertToBlob({ type: 'image/webp' })
  return type === 'image/webp' ? type : 'image/jpeg'
}

function whole({ width, height }: Dimensions): Part {
  return { x: 0, y: 0, width, height }
}

function isHalved({ width, height }: Dimensions, limit: number): boolean {
  return Math.max(width, height) >= limit
}

/** Draws a part at its size, or at half of it if its longest side has `limit` pixels or more. */
function draw(image: ImageBitmap | OffscreenCanvas, part: Part, limit: number): OffscreenCanvas {
  const times = isHalved(part, limit) ? 2 : 1
  const width = Math.max(1, Math.floor(part.width / times))
  const height = Math.max(1, Math.floor(part.height / times))
  const canvas = new OffscreenCanvas(width, height)
  const drawing = context(canvas)
  drawing.imageSmoothingQuality = 'high'
  // Skip an odd last row or column, so that each pixel is the mean of exactly four.
  const fromWidth = Math.min(part.width, width * times)
  const fromHeight = Math.min(part.height, height * times)
  drawing.drawImage(image, part.x, part.y, fromWidth, fromHeight, 0, 0, width, height)
  return canvas
}

function context(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  // Keep the canvas in memory instead of on the GPU: GPU textures end at 8,192 or 16,384 pixels, and the pixels are
  // read back.
  const drawing = canvas.getContext('2d', { colorSpace: 'srgb', willReadFrequently: true })
  if (drawing === null) throw new MediaError('failed')
  return drawing
}
