import { type CropArea, WHOLE } from '#/renderer/lib/media'

/** Proportions that the crop area keeps, as width by height; null for any, or those of the picture. */
export const ASPECTS = {
  free: null,
  original: null,
  square: 1,
  portrait: 4 / 5,
  medium: 5 / 4,
  classic: 3 / 2,
  wide: 16 / 9,
  tall: 9 / 16,
} as const
export type Aspect = keyof typeof ASPECTS

/** Which sides of the area a handle moves: -1 is left or top, 1 is right or bottom. */
export interface Handle {
  x: -1 | 0 | 1
  y: -1 | 0 | 1
}

/** Shortest side of a crop area, as a fraction. */
const SMALLEST = 0.05

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), Math.max(min, max))
}

/** Moves an area by fractions of the picture, at most up to its edges. */
export function moveCrop(crop: CropArea, right: number, down: number): CropArea {
  return {
    ...crop,
    left: clamp(crop.left + right, 0, 1 - crop.width),
    top: clamp(crop.top + down, 0, 1 - crop.height),
  }
}

/**
 * Converts an aspect ratio in pixels to the ratio of an area's width and height as fractions of a picture with these
 * proportions; null for any.
 */
export function fractionRatio(aspect: Aspect, pictureRatio: number): number | null {
  if (aspect === 'original') return 1
  const wanted = ASPECTS[aspect]
  return wanted === null ? null : wanted / pictureRatio
}

/**
 * Moves the sides of an area. With a ratio, both dimensions follow the larger change, and the opposite side or the
 * middle stays in place.
 * @param ratio see `fractionRatio`
 */
export function resizeCrop(
  crop: CropArea,
  { x, y }: Handle,
  right: number,
  down: number,
  ratio: number | null,
): CropArea {
  // Available space: up to the edge on the side of the handle; without one, in both directions from the middle.
  const roomX =
    x === 0
      ? 2 * Math.min(crop.left + crop.width / 2, 1 - crop.left - crop.width / 2)
      : x < 0
        ? crop.left + crop.width
        : 1 - crop.left
  const roomY =
    y === 0
      ? 2 * Math.min(crop.top + crop.height / 2, 1 - crop.top - crop.height / 2)
      : y < 0
        ? crop.top + crop.height
        : 1 - crop.top
  let width = clamp(crop.width + x * right, SMALLEST, x === 0 ? crop.width : roomX)
  let height = clamp(crop.height + y * down, SMALLEST, y === 0 ? crop.height : roomY)
  if (ratio !== null) {
    const byWidth =
      x !== 0 && (y === 0 || Math.abs(width - crop.width) >= Math.abs(height - crop.height) * ratio)
    const wanted = byWidth ? width : height * ratio
    width = clamp(wanted, Math.max(SMALLEST, SMALLEST * ratio), Math.min(roomX, roomY * ratio))
    height = width / ratio
  }
  const left =
    x < 0 ? crop.left + crop.width - width : x > 0 ? crop.left : crop.left + (crop.width - width) / 2
  const top =
    y < 0 ? crop.top + crop.height - height : y > 0 ? crop.top : crop.top + (crop.height - height) / 2
  return moveCrop({ left, top, width, height }, 0, 0)
}

/**
 * Sets a dimension of an area, keeping its middle unless there is no space.
 * @param ratio see `fractionRatio`
 */
export function sizeCrop(
  crop: CropArea,
  side: 'width' | 'height',
  to: number,
  ratio: number | null,
): CropArea {
  let width = side === 'width' ? clamp(to, SMALLEST, 1) : crop.width
  let height = side === 'height' ? clamp(to, SMALLEST, 1) : crop.height
  if (ratio !== null) {
    const wanted = side === 'width' ? width : height * ratio
    width = clamp(wanted, Math.max(SMALLEST, SMALLEST * ratio), Math.min(1, ratio))
    height = width / ratio
  }
  const left = crop.left + (crop.width - width) / 2
  const top = crop.top + (crop.height - height) / 2
  return moveCrop({ left, top, width, height }, 0, 0)
}

/** The largest area of these proportions around the middle of another one. @param ratio see `fractionRatio` */
export function fitCrop(crop: CropArea, ratio: number | null): CropArea {
  if (ratio === null) return crop
  const [x, y] = [crop.left + crop.width / 2, crop.top + crop.height / 2]
  // As large as the old area in its longer direction, within the picture.
  const width = Math.min(1, ratio, Math.max(crop.width, crop.height * ratio))
  const height = width / ratio
  return moveCrop({ left: x - width / 2, top: y - height / 2, width, height }, 0, 0)
}

/** Finds the aspect of an area, so that a reopened edit keeps it. */
export function aspectOf(crop: CropArea, pictureRatio: number): Aspect {
  const isWhole = crop.width === WHOLE.width && crop.height === WHOLE.height
  const ratio = (crop.width / crop.height) * pictureRatio
  const names = Object.keys(ASPECTS) as Aspect[]
  if (isWhole) return 'free'
  const found = names.find((name) => Math.abs((ASPECTS[name] ?? Number.NaN) - ratio) < 0.005)
  const isOriginal = Math.abs(ratio / pictureRatio - 1) < 0.005
  return found ?? (isOriginal ? 'original' : 'free')
}
