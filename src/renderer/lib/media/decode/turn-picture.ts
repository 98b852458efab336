import type { Dimensions } from '#/shared/media-formats'
import { contextOf } from './drawing'

/** Colours of a picture: those of sRGB, or more. */
export type Gamut = 'srgb' | 'display-p3'

/** The smallest gamut of a canvas that has all colours of the picture, or Display P3. Chromium knows the colours of each bitmap. */
export function gamutOf(image: ImageBitmap): Gamut {
  const frame = new VideoFrame(image, { timestamp: 0 })
  const { primaries } = frame.colorSpace
  frame.close()
  return primaries === 'bt709' ? 'srgb' : 'display-p3'
}

/** Whether an orientation (TIFF 6.0) exchanges width and height. */
function swapsSides(orientation: number): boolean {
  return orientation >= 5
}

/** The matrix of a canvas on which the stored pixels, drawn at 0, 0, are upright. */
function uprightTransform(
  orientation: number,
  { width, height }: Dimensions,
): [number, number, number, number, number, number] {
  switch (orientation) {
    case 2:
      return [-1, 0, 0, 1, width, 0]
    case 3:
      return [-1, 0, 0, -1, width, height]
    case 4:
      return [1, 0, 0, -1, 0, height]
    case 5:
      return [0, 1, 1, 0, 0, 0]
    case 6:
      return [0, 1, -1, 0, height, 0]
    case 7:
      return [0, -1, -1, 0, height, width]
    case 8:
      return [0, -1, 1, 0, 0, width]
    default:
      return [1, 0, 0, 1, 0, 0]
  }
}

/** The upright picture, in the same gamut. Closes the one it is made from. */
export function turnUpright(image: ImageBitmap, orientation: number): ImageBitmap {
  if (orientation === 1) return image
  const { width, height } = image
  const canvas = swapsSides(orientation)
    ? new OffscreenCanvas(height, width)
    : new OffscreenCanvas(width, height)
  const drawing = contextOf(canvas, gamutOf(image))
  drawing.setTransform(...uprightTransform(orientation, image))
  drawing.drawImage(image, 0, 0)
  image.close()
  return canvas.transferToImageBitmap()
}
