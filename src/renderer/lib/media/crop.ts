import type { Dimensions } from './dimensions'

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
