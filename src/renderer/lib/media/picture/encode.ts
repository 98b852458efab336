import { contextOf, type Drawing, drawingOf, PLAIN } from '#/renderer/lib/media/decode/drawing'
import type { Dimensions } from '#/shared/media-formats'
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

/** Below this longest side a picture is not made smaller, in pixels. */
export const SMALLEST_SIDE = 16

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
const HALVE_FROM = 3

interface ReadOptions {
  /** By default that of the picture. */
  drawing?: Drawing
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
 * Reads the pixels of a decoded picture or a part of it, opaque, halved until its longest side is less than `halveFrom` times
 * `side`. Closes the bitmap, which can take 250 MB. Parts are drawn rather than cut by createImageBitmap, because
 * Chromium's coordinates there ignore the EXIF orientation.
 */
export function readPixels(
  bitmap: ImageBitmap,
  side: number,
  { part = whole(bitmap), halveFrom = HALVE_FROM, drawing = drawingOf(bitmap) }: ReadOptions = {},
): Pixels {
  const limit = side * halveFrom
  const canvas = draw(bitmap, part, limit, drawing)
  bitmap.close()
  return readHalved(canvas, limit, drawing)
}

/**
 * Reads the pixels of a picture after the geometry of an edit, opaque, halved until its longest side is less than `limit`. Closes
 * the bitmap.
 */
export function readEdited(bitmap: ImageBitmap, edit: PictureEdit, limit: number): Pixels {
  const size = editedSize(bitmap, edit)
  const times = isHalved(size, limit) ? 2 : 1
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.floor(size.width / times)),
    Math.max(1, Math.floor(size.height / times)),
  )
  const drawing = drawingOf(bitmap)
  const context = onGround(canvas, drawing)
  context.setTransform(...editTransform(bitmap, edit, 1 / times))
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
  return readHalved(canvas, limit, drawing)
}

function readHalved(drawn: OffscreenCanvas, limit: number, drawing: Drawing): Pixels {
  const { colorSpace } = drawing
  let canvas = drawn
  while (isHalved(canvas, limit)) canvas = draw(canvas, whole(canvas), limit, drawing)
  const { width, height } = canvas
  const { data } = contextOf(canvas, colorSpace).getImageData(0, 0, width, height, { colorSpace })
  return { data, width, height, colorSpace }
}

/** A canvas with these pixels. */
function canvasOf({ data, width, height, colorSpace }: Pixels): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height)
  contextOf(canvas, colorSpace).putImageData(new ImageData(data, width, height, { colorSpace }), 0, 0)
  return canvas
}

/**
 * Returns a function that encodes these pixels at a given quality. A picture in Display P3 gets its ICC profile, one in sRGB none.
 */
export function createEncoder(pixels: Pixels, type: StoredType): Encoder {
  const canvas = canvasOf(pixels)
  return (quality) => canvas.convertToBlob({ type, quality })
}

/** A picture of which this fraction of pixels equals its left neighbour is a drawing or a screenshot, not a photo. */
const EQUAL_NEIGHBOURS = 0.35

/** Whether a picture has the large even areas of drawings and screenshots. */
function isGraphic({ data, width, height }: Pixels): boolean {
  const colours = new Uint32Array(data.buffer, data.byteOffset, width * height)
  let equal = 0
  for (let i = 1; i < colours.length; i++) if (colours[i] === colours[i - 1]) equal += 1
  return equal >= EQUAL_NEIGHBOURS * colours.length
}

/**
 * A drawing or screenshot without loss, in at most `limit` bytes, by the encoder of these pixels: thin saturated lines lose their colour in lossy WebP, which stores colours at
 * half the size. Null for a photo, for more bytes, and for JPEG.
 */
export async function encodeGraphic(
  pixels: Pixels,
  type: StoredType,
  encode: Encoder,
  limit: number,
): Promise<Blob | null> {
  if (type !== 'image/webp' || !isGraphic(pixels)) return null
  // At quality 1 Chromium's WebP is lossless.
  const blob = await encode(1)
  return blob.size <= limit ? blob : null
}

/** The same pixels in sRGB. */
export function toSrgb(pixels: Pixels): Pixels {
  if (pixels.colorSpace === 'srgb') return pixels
  const { width, height } = pixels
  const { data } = contextOf(canvasOf(pixels), pixels.colorSpace).getImageData(0, 0, width, height, {
    colorSpace: 'srgb',
  })
  return { data, width, height, colorSpace: 'srgb' }
}

/** WebP if the browser can encode it (Safari cannot), else JPEG. */
export async function storedType(): Promise<StoredType> {
  const canvas = new OffscreenCanvas(1, 1)
  contextOf(canvas, PLAIN.colorSpace)
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
function draw(
  image: ImageBitmap | OffscreenCanvas,
  part: Part,
  limit: number,
  drawing: Drawing,
): OffscreenCanvas {
  const times = isHalved(part, limit) ? 2 : 1
  const width = Math.max(1, Math.floor(part.width / times))
  const height = Math.max(1, Math.floor(part.height / times))
  const canvas = new OffscreenCanvas(width, height)
  const context = onGround(canvas, drawing)
  // Skip an odd last row or column, so that each pixel is the mean of exactly four.
  const fromWidth = Math.min(part.width, width * times)
  const fromHeight = Math.min(part.height, height * times)
  context.drawImage(image, part.x, part.y, fromWidth, fromHeight, 0, 0, width, height)
  return canvas
}

/** The context of a canvas that is filled with the ground. */
export function onGround(
  canvas: OffscreenCanvas,
  { colorSpace, ground }: Drawing,
): OffscreenCanvasRenderingContext2D {
  const context = contextOf(canvas, colorSpace)
  context.imageSmoothingQuality = 'high'
  context.fillStyle = ground
  context.fillRect(0, 0, canvas.width, canvas.height)
  return context
}
