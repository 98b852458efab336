import { MediaError } from './media-error'

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

const SMALLEST_SIDE = 16

/**
 * Encodes in at most `target` bytes: reduces the quality first, then the size, starting with a longest side of `side`
 * pixels. Throws MediaError 'too-large-after'.
 */
export async function encodeWithin(
  encoderAt: (side: number) => Encoder,
  side: number,
  target: number,
  range: QualityRange,
): Promise<Blob> {
  for (let longest = side; ; longest = Math.floor(longest * 0.8)) {
    const blob = await searchQuality(encoderAt(longest), target, range)
    if (blob !== null) return blob
    if (longest <= SMALLEST_SIDE) throw new MediaError('too-large-after')
  }
}

function share(low: number, high: number, target: number): number {
  // Aim slightly below the target, because an encoding above it is wasted.
  return Math.log((target * 0.97) / low) / Math.log(high / low)
}

/** Stays away from both ends, where interpolation alone would converge slowly. */
function between(low: number, high: number, fraction: number): number {
  return low + (high - low) * Math.min(0.85, Math.max(0.15, fraction))
}
