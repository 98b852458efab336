import type { CSSProperties } from 'react'

/** The size of a photo in pixels; null if it is unknown. */
export interface PhotoSize {
  width: number | null
  height: number | null
}

/**
 * Height of the tallest photo in a post, as CSS: with the post's author and buttons it fits the window. Cards of the first post have
 * a smaller one, because the stories are above it (app/styles.css).
 */
export const PHOTO_HEIGHT = 'var(--photo-height)'
/** Below a wide first photo, the frame is at least so high for the upright ones of the same post. */
const UPRIGHT_HEIGHT = `min(${PHOTO_HEIGHT}, max(350px, 41svh))`
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

/** The height at which a photo is as wide as the column, which is the nearest size container, within these heights. */
function columnHeight(photo: PhotoSize, most: string): string {
  return smallest(`100cqw / ${photoRatio(photo)}`, most, sideLimit(photo.height))
}

/**
 * The frame of a post's photos in a column: as large as the first one, and higher if others are more upright, so that these are
 * not small; as wide as the widest one at that height. It is the same for all of them: nothing moves when another is shown.
 */
export function frameStyle(photos: readonly PhotoSize[]): CSSProperties {
  const [first, ...others] = photos
  if (first === undefined) return {}
  const heights = [columnHeight(first, PHOTO_HEIGHT)]
  for (const other of others)
    if (photoRatio(other) < photoRatio(first)) heights.push(columnHeight(other, UPRIGHT_HEIGHT))
  const widths = photos.map((photo) =>
    smallest('100cqw', `var(--frame-height) * ${photoRatio(photo)}`, sideLimit(photo.width)),
  )
  return {
    '--frame-height': `max(${[`${FLATTEST}px`, ...new Set(heights)].join(', ')})`,
    height: 'var(--frame-height)',
    width: `max(${[...new Set(widths)].join(', ')})`,
  } as CSSProperties
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

/** The lower start corner of a photo in its frame, as CSS: fitted in its middle, or in the middle of its start edge. */
export function fittedCorner(photo: PhotoSize, isCentred: boolean): { start: string; bottom: string } {
  const { width, height } = fittedStyle(photo)
  return {
    start: isCentred ? `calc((100cqw - ${width}) / 2)` : '0px',
    bottom: `calc((100cqh - ${height}) / 2)`,
  }
}

/** The width of a photo in the feed's column, for the attribute `sizes`, which has no variables. */
export function columnSizes(photo: PhotoSize): string {
  const widths = [`${photoRatio(photo)} * 84svh`, sideLimit(photo.width)]
  return `(width >= 1600px) ${smallest('760px', ...widths)}, ${smallest('100vw', '600px', ...widths)}`
}
