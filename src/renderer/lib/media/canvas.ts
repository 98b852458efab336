import type { Dimensions } from './dimensions'
import type { Encoder } from './encode'
import { MediaError } from './media-error'
import type { Pixels } from './scale'

export type StoredType = 'image/webp' | 'image/jpeg'

/** At this many times the wanted side a picture is first halved, which is as good as filtering it and far quicker. */
const HALVE_FROM = 3

/** A rectangle of a picture, in its pixels. */
interface Part extends Dimensions {
  x: number
  y: number
}

/**
 * The pixels of a decoded picture, or of a part of it, in sRGB, halved until they are less than three times `side`.
 * Closes the bitmap: a large one takes a quarter of a gigabyte. Parts are taken here by drawing, since Chromium's
 * createImageBitmap cuts them from where the camera held a picture, not from where it is upright.
 */
export function takePixels(bitmap: ImageBitmap, side: number, part: Part = whole(bitmap)): Pixels {
  let canvas = draw(bitmap, part, side)
  bitmap.close()
  while (isHalved(canvas, side)) canvas = draw(canvas, whole(canvas), side)
  return context(canvas).getImageData(0, 0, canvas.width, canvas.height)
}

/** A canvas with these pixels; for a type without transparency they are laid on white. */
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

/** Encodes these pixels at one quality after the other. */
export function encoderOf(pixels: Pixels, type: StoredType): Encoder {
  const canvas = canvasOf(pixels, type)
  return (quality) => canvas.convertToBlob({ type, quality })
}

/** In a worker only. */
export function toDataUrl(blob: Blob): string {
  return new FileReaderSync().readAsDataURL(blob)
}

/** WebP where the browser can write it (Safari cannot), else JPEG. */
export async function storedType(): Promise<StoredType> {
  const canvas = new OffscreenCanvas(1, 1)
  context(canvas)
  const { type } = await canvas.convertToBlob({ type: 'image/webp' })
  return type === 'image/webp' ? type : 'image/jpeg'
}

function whole({ width, height }: Dimensions): Part {
  return { x: 0, y: 0, width, height }
}

function isHalved({ width, height }: Dimensions, side: number): boolean {
  return Math.max(width, height) >= side * HALVE_FROM
}

/** Draws a part at its size, or at half of it where it is far larger than wanted. */
function draw(image: ImageBitmap | OffscreenCanvas, part: Part, side: number): OffscreenCanvas {
  const times = isHalved(part, side) ? 2 : 1
  const width = Math.max(1, Math.floor(part.width / times))
  const height = Math.max(1, Math.floor(part.height / times))
  const canvas = new OffscreenCanvas(width, height)
  const drawing = context(canvas)
  drawing.imageSmoothingQuality = 'high'
  // An odd row or column at the end is left out, so that each pixel is the mean of exactly four.
  const fromWidth = Math.min(part.width, width * times)
  const fromHeight = Math.min(part.height, height * times)
  drawing.drawImage(image, part.x, part.y, fromWidth, fromHeight, 0, 0, width, height)
  return canvas
}

function context(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  // In memory rather than on the GPU: its textures end at 8,192 or 16,384 pixels, and the pixels are wanted back.
  const drawing = canvas.getContext('2d', { colorSpace: 'srgb', willReadFrequently: true })
  if (drawing === null) throw new MediaError('failed')
  return drawing
}
