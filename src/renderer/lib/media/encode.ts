import { MediaError } from './media-error'

/** Encodes at a quality from 0 to 1. */
export type Encoder = (quality: number) => Promise<Blob>

export interface QualityRange {
  min: number
  max: number
}

/** How often a picture is encoded at most before the best try is taken. */
export const ENCODE_TRIES = 6

/** A try that fills this share of the target is good enough. */
const CLOSE_ENOUGH = 0.92

/**
 * The best quality whose encoding takes at most `target` bytes; null where even the lowest takes more. Sizes grow
 * about exponentially with quality, so each try is interpolated between the last two on a logarithmic scale.
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
  for (let tries = 2; tries < ENCODE_TRIES && below.blob.size < target * CLOSE_ENOUGH; tries++) {
    const quality = between(below.quality, above.quality, share(below.blob.size, above.size, target))
    const blob = await encode(quality)
    if (blob.size <= target) below = { quality, blob }
    else above = { quality, size: blob.size }
  }
  return below.blob
}

const SMALLEST_SIDE = 16

/**
 * At most `target` bytes, whatever is in the picture: by quality first, and where quality would fall below its range
 * by size, beginning with a longest side of `side` pixels. Throws MediaError 'too-large-after'.
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
  // Aims a little below the target: what is above it is a try for nothing.
  return Math.log((target * 0.97) / low) / Math.log(high / low)
}

/** Keeps away from both ends, where interpolating alone would creep. */
function between(low: number, high: number, fraction: number): number {
  return low + (high - low) * Math.min(0.85, Math.max(0.15, fraction))
}
