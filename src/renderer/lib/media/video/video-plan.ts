import { VIDEO, type VideoRules } from '#/shared/limits'
import type { Dimensions } from '#/shared/media-formats'
import { isPlayedEverywhere } from '#/shared/played-codecs'

/** What decides whether the pictures of a video are copied. */
export interface PictureFacts extends Dimensions {
  /** As WebCodecs names it, e.g. `avc1.64001f`; null if unknown. */
  codec: string | null
  isHdr: boolean
  /** Players do not remove the combs of interlaced pictures. */
  isInterlaced: boolean
  /** Of the part that is kept. */
  framesPerSecond: number
  bitsPerSecond: number
}

/** Variable frame rates, and times in milliseconds, are a little off. */
export const FRAME_RATE_TOLERANCE = 1.05

/** Whether the pictures can be copied: every reader can play them, and they are not larger than what the app would make. */
export function canCopyPictures({
  codec,
  isHdr,
  isInterlaced,
  width,
  height,
  framesPerSecond,
  bitsPerSecond,
}: PictureFacts): boolean {
  if (isHdr || isInterlaced || !isPlayedEverywhere(codec)) return false
  const size = convertedSize({ width, height })
  return (
    size.width >= width &&
    size.height >= height &&
    framesPerSecond <= VIDEO.framesPerSecond * FRAME_RATE_TOLERANCE &&
    bitsPerSecond <= VIDEO.copiedBitsPerSecond
  )
}

/** AAC LC, HE-AAC and HE-AAC v2: other kinds, as xHE-AAC, need the system's decoder. */
const AAC = /^mp4a\.(40\.(2|02|5|05|29)|67)$/

/** Whether sound in this codec can be copied. Not Vorbis: its configuration has the title, the place and the date of the recording. */
export function canCopySound(codec: string | null): boolean {
  return codec !== null && (codec === 'opus' || AAC.test(codec))
}

/** Encoders need even sides. */
const even = (pixels: number) => Math.max(2, 2 * Math.round(pixels / 2))

/** The size of pictures that are encoded: within 1080p, upright or not, of the same proportions. */
export function convertedSize({ width, height }: Dimensions): Dimensions {
  const [long, short] = [Math.max(width, height), Math.min(width, height)]
  const scale = Math.min(1, VIDEO.longSide / long, VIDEO.shortSide / short)
  return { width: even(width * scale), height: even(height * scale) }
}

/** Fewer bits would show blocks, whatever the size of the pictures. */
const MIN_BITS_PER_SECOND = 400_000
/** Encoders, and the container, need a little more than they are asked for. */
const SPARE = 0.93

/** The bits a second that encoded pictures get if there is room: about 5 million at 1080p, and fewer if they are small. */
function wantedBitsPerSecond({ width, height }: Dimensions): number {
  const share = (width * height) / (VIDEO.longSide * VIDEO.shortSide)
  return Math.max(MIN_BITS_PER_SECOND, VIDEO.bitsPerSecond * share ** 0.75)
}

/** The fewest bits a second that encoded pictures get. */
export function leastBitsPerSecond(size: Dimensions, rules: VideoRules): number {
  const least = (wantedBitsPerSecond(size) * rules.leastBitsPerSecond) / VIDEO.bitsPerSecond
  return Math.round(Math.max(MIN_BITS_PER_SECOND / 4, least))
}

/** The bits a second of encoded pictures: fewer than wanted if the bytes would not hold them, but never fewer than the rules allow. */
export function convertedBitsPerSecond(size: Dimensions, seconds: number, rules: VideoRules): number {
  const available = (rules.bytes * 8 * SPARE) / seconds - VIDEO.soundBitsPerSecond
  return Math.max(leastBitsPerSecond(size, rules), Math.round(Math.min(wantedBitsPerSecond(size), available)))
}

/** The longest video of this size that fits, in whole seconds. */
export function longestSeconds(size: Dimensions, rules: VideoRules): number {
  const bits = leastBitsPerSecond(size, rules) + VIDEO.soundBitsPerSecond
  return Math.min(rules.seconds, Math.floor((rules.bytes * 8 * SPARE) / bits))
}

/** The rules for the part that is kept of a video: no handle makes it longer than what fits. */
export function partRules(size: Dimensions, rules: VideoRules): VideoRules {
  return { ...rules, seconds: Math.max(1, longestSeconds(convertedSize(size), rules)) }
}
