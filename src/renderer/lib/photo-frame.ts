import type { CSSProperties } from 'react'

/** The size of a photo in pixels; null if it is unknown. */
export interface PhotoSize {
  width: number | null
  height: number | null
}

/** Height of the tallest frame, as CSS: in a window 860 pixels high, the first post's buttons are in view below it. */
export const FRAME_HEIGHT = 'min(750px, max(320px, 59svh))'
/** Minimum height of a frame, in pixels, so that the buttons on it stay usable. */
const FLATTEST = 120
/** A small photo is shown at up to this multiple of its size. */
export const MOST_ENLARGED = 2

/** The aspect ratio (width divided by height) of a photo; 1 if it is unknown. */
export function photoRatio({ width, height }: PhotoSize): number {
  return width === null || height === null ? 1 : width / height
}

/** The largest width or height at which a photo is shown, as CSS; null if its size is unknown. */
export function sideLimit(side: number | null): string | null {
  return side === null ? null : `${side * MOST_ENLARGED}px`
}

/** The smallest of these CSS lengths, as CSS; null values do not count. */
export function smallest(...sides: (string | null)[]): string {
  return `min(${sides.filter((side) => side !== null).join(', ')})`
}

/** The frame of a photo in a column: as wide as the column, and high enough for the whole photo. */
export function frameStyle(photo: PhotoSize): CSSProperties {
  return {
    aspectRatio: photoRatio(photo),
    minHeight: FLATTEST,
    maxHeight: smallest(FRAME_HEIGHT, sideLimit(photo.height)),
  }
}

/** The size at which a photo fits its frame, which is the nearest size container. */
export function fittedStyle(photo: PhotoSize): CSSProperties {
  const { width, height } = photo
  if (width === null || height === null) return { width: '100%', height: '100%' }
  const ratio = photoRatio(photo)
  return {
    width: smallest('100cqw', `100cqh * ${ratio}`, sideLimit(width)),
    height: smallest('100cqh', `100cqw / ${ratio}`, sideLimit(height)),
  }
}

/** The lower start corner of a fitted photo in its frame, as CSS. */
export function fittedCorner(photo: PhotoSize): { start: string; bottom: string } {
  const { width, height } = fittedStyle(photo)
  return { start: `calc((100cqw - ${width}) / 2)`, bottom: `calc((100cqh - ${height}) / 2)` }
}

/** The width of a photo in the feed's column, for the attribute `sizes`. */
export function columnSizes(photo: PhotoSize): string {
  return smallest('100vw', '600px', `${photoRatio(photo)} * ${FRAME_HEIGHT}`, sideLimit(photo.width))
}
