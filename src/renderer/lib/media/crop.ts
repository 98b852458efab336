import type { Dimensions } from './dimensions'

/**
 * A square part of a picture as one sees it upright: `left` and `top` as shares of its width and height, `side` as a
 * share of its shorter side. Shares, because what shows a picture may give its size in other pixels than its decoder.
 */
export interface SquareCrop {
  left: number
  top: number
  side: number
}

/** The square in whole pixels, always within the picture. */
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

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
