import type { Dimensions } from '#/shared/media-formats'
import { FILTERS, isUnchanged, type Look, UNCHANGED } from './picture-look'

/**
 * A square part of an upright picture: `left` and `top` as fractions of its width and height, `side` as a fraction of
 * its shorter side. Fractions, because the page may show the picture at another size than its decoder.
 */
export interface SquareCrop {
  left: number
  top: number
  side: number
}

/** A part of a picture, as fractions of its width and height. */
export interface CropArea {
  left: number
  top: number
  width: number
  height: number
}

/** A member's edit of a photo. Always applied to the original: first the geometry in this order, then the look. */
export interface PictureEdit extends Look {
  /** Clockwise quarter turns. */
  turns: 0 | 1 | 2 | 3
  /** Clockwise, in degrees, at most MAX_ANGLE either way. */
  angle: number
  /** The part that stays of the turned and straightened picture. */
  crop: CropArea
}

export const MAX_ANGLE = 20
const MAX_EXPOSURE = 2

export const WHOLE: CropArea = { left: 0, top: 0, width: 1, height: 1 }

export const UNEDITED: PictureEdit = { turns: 0, angle: 0, crop: WHOLE, ...UNCHANGED }

export function isUnedited(edit: PictureEdit): boolean {
  const { turns, angle, crop } = edit
  const isWhole = crop.left === 0 && crop.top === 0 && crop.width === 1 && crop.height === 1
  return turns === 0 && angle === 0 && isWhole && isUnchanged(edit)
}

/** The look of an edit, without its geometry. */
export function lookOf({ turns: _turns, angle: _angle, crop: _crop, ...look }: PictureEdit): Look {
  return look
}

function isWithin(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && value >= min && value <= max
}

/** Rounding errors of fractions. */
const TOLERANCE = 1e-6

function isCrop(value: unknown): value is CropArea {
  if (typeof value !== 'object' || value === null) return false
  const { left, top, width, height } = value as Partial<Record<keyof CropArea, unknown>>
  return (
    isWithin(width, TOLERANCE, 1) &&
    isWithin(height, TOLERANCE, 1) &&
    isWithin(left, 0, 1 - width + TOLERANCE) &&
    isWithin(top, 0, 1 - height + TOLERANCE)
  )
}

/** The numbers of a look, and how far each goes. */
export const LOOK_LIMITS: Readonly<
  Record<Exclude<keyof Look, 'filter'>, readonly [min: number, max: number]>
> = {
  exposure: [-MAX_EXPOSURE, MAX_EXPOSURE],
  shadows: [-1, 1],
  highlights: [-1, 1],
  contrast: [-1, 1],
  warmth: [-1, 1],
  strength: [0, 1],
  vignette: [0, 1],
  grain: [0, 1],
}

/** Parses a stored edit; null if this version of the app cannot apply it. Edits of earlier versions have fewer numbers. */
export function parseEdit(value: unknown): PictureEdit | null {
  if (typeof value !== 'object' || value === null) return null
  const stored: Partial<Record<keyof PictureEdit, unknown>> = { ...UNCHANGED, ...value }
  const { turns, angle, crop, filter } = stored
  const isValid =
    isWithin(turns, 0, 3) &&
    Number.isInteger(turns) &&
    isWithin(angle, -MAX_ANGLE, MAX_ANGLE) &&
    isCrop(crop) &&
    FILTERS.some((name) => name === filter) &&
    (Object.keys(LOOK_LIMITS) as (keyof typeof LOOK_LIMITS)[]).every((name) =>
      isWithin(stored[name], ...LOOK_LIMITS[name]),
    )
  return isValid ? (stored as PictureEdit) : null
}

/** The size of a picture after quarter turns. */
function turnedSize({ width, height }: Dimensions, { turns }: PictureEdit): Dimensions {
  return turns % 2 === 0 ? { width, height } : { width: height, height: width }
}

/** Pixels that straightening leaves out at each side: those at the border are half transparent. */
const INSET = 1

/**
 * The size of the turned and straightened picture, in pixels of the original: the largest rectangle with the proportions of the turned
 * picture that has no empty corners. So a crop area is valid for every angle.
 */
export function straightenedSize(original: Dimensions, edit: PictureEdit): Dimensions {
  const { width, height } = turnedSize(original, edit)
  if (edit.angle === 0) return { width, height }
  const radians = (Math.abs(edit.angle) * Math.PI) / 180
  const scale = 1 / (Math.cos(radians) + Math.sin(radians) * Math.max(width / height, height / width))
  const inset = Math.max(0, 1 - (2 * INSET) / Math.min(width, height))
  return { width: width * scale * inset, height: height * scale * inset }
}

/** The size of the edited picture, in whole pixels of the original. */
export function editedSize(original: Dimensions, edit: PictureEdit): Dimensions {
  const { width, height } = straightenedSize(original, edit)
  return {
    width: Math.max(1, Math.round(width * edit.crop.width)),
    height: Math.max(1, Math.round(height * edit.crop.height)),
  }
}

/**
 * The matrix of a canvas (a, b, c, d, e, f) on which the upright original, drawn at 0, 0, shows the edited picture from 0, 0.
 * @param factor pixels of the canvas per pixel of the original
 */
export function editTransform(
  original: Dimensions,
  edit: PictureEdit,
  factor: number,
): [number, number, number, number, number, number] {
  const radians = ((edit.turns * 90 + edit.angle) * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  const { width, height } = straightenedSize(original, edit)
  const [x, y] = [original.width / 2, original.height / 2]
  const left = width * (0.5 - edit.crop.left) - (cos * x - sin * y)
  const top = height * (0.5 - edit.crop.top) - (sin * x + cos * y)
  return [cos * factor, sin * factor, -sin * factor, cos * factor, left * factor, top * factor]
}

/** The crop area after one more quarter turn clockwise. */
export function turnedCrop({ left, top, width, height }: CropArea): CropArea {
  return { left: 1 - top - height, top: left, width: height, height: width }
}
