import type { Dimensions } from './dimensions'
import type { Encoder } from './encode'
import { MediaError } from './media-error'
import type { Pixels } from './scale'

export type StoredType = 'image/webp' | 'image/jpeg'

/** At this many times the wanted side a picture is first halved, which is as good as filtering it and far quicker. */
const HALVE_FROM = 3

/**
 * The pixels of a decoded picture in sRGB, halved until they are less than three times `side`. Closes the bitmap:
 * a large one takes a quarter of a gigabyte.
 */
export function takePixels(bitmap: ImageBitmap, side: number): Pixels {
  let image: ImageBitmap | OffscreenCanvas = bitmap
  while (Math.max(image.width, image.height) >= side * HALVE_FROM) {
    image = draw(image, { width: image.width >> 1 || 1, height: image.height >> 1 || 1 }, 2)
  }
  const canvas = image === bitmap ? draw(bitmap, bitmap, 1) : (image as OffscreenCanvas)
  bitmap.close()
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

function draw(
  image: ImageBitmap | OffscreenCanvas,
  { width, height }: Dimensions,
  times: 1 | 2,
): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height)
  const drawing = context(canvas)
  drawing.imageSmoothingQuality = 'high'
  // An odd row or column at the end is left out, so that each pixel is the mean of exactly four.
  drawing.drawImage(
    image,
    0,
    0,
    Math.min(image.width, width * times),
    Math.min(image.height, height * times),
    0,
    0,
    width,
    height,
  )
  return canvas
}

function context(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  // In memory rather than on the GPU: its textures end at 8,192 or 16,384 pixels, and the pixels are wanted back.
  const drawing = canvas.getContext('2d', { colorSpace: 'srgb', willReadFrequently: true })
  if (drawing === null) throw new MediaError('failed')
  return drawing
}
