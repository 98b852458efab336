import { VIDEO } from '#/shared/limits'
import type { Dimensions } from '#/shared/media-formats'
import type { VideoKind } from '#/shared/video-formats'

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

/**
 * Codecs that every Chromium plays, also without a hardware decoder: 8 bits and 4:2:0. The profiles of H.264 are Baseline, Main,
 * Extended and High (ITU-T H.264, annex A), those of VP9 and AV1 their first.
 */
const PLAYED_EVERYWHERE = [
  /^avc[13]\.(42|4d|58|64)/i,
  /^vp8$/,
  /^vp09\.00\.\d\d\.08/,
  /^av01\.0\.\d\d[MH]\.08/,
]

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
  if (codec === null || isHdr || isInterlaced || !PLAYED_EVERYWHERE.some((pattern) => pattern.test(codec)))
    return false
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

/** Whether sound in this codec can be copied to a container. Not Vorbis: its configuration has the title, the place and the date of the recording. */
export function canCopySound(codec: string | null, container: 'mp4' | 'webm'): boolean {
  if (codec === null) return false
  return codec === 'opus' || (container === 'mp4' && AAC.test(codec))
}

/** The container to copy pictures to: WebM stays WebM. */
export function copiedContainer(kind: VideoKind, codec: string): 'mp4' | 'webm' {
  const isMatroska = kind === 'webm' || kind === 'matroska'
  return isMatroska && /^(vp|av01)/.test(codec) ? 'webm' : 'mp4'
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

/** The bits a second of encoded pictures: about 5 million at 1080p, and fewer if they are small or `bytes` would not hold them. */
export function convertedBitsPerSecond(
  { width, height }: Dimensions,
  seconds: number,
  bytes: number,
): number {
  const share = (width * height) / (VIDEO.longSide * VIDEO.shortSide)
  const wanted = Math.max(MIN_BITS_PER_SECOND, VIDEO.bitsPerSecond * share ** 0.75)
  const available = (bytes * 8 * SPARE) / seconds - VIDEO.soundBitsPerSecond
  return Math.round(Math.max(MIN_BITS_PER_SECOND / 4, Math.min(wanted, available)))
}
