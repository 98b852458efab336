import type { PrepareOptions } from '#/renderer/lib/media/picture/picture-request'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import { type MediaFile, readPart } from '#/renderer/lib/media/source/media-file'
import type { VideoRules } from '#/shared/limits'
import { isPlayableVideo } from '#/shared/played-video'
import { type OpenedVideo, ROUNDING, withVideo } from './open-video'
import {
  cutOf,
  type MeasuredCut,
  measured,
  type PicturePlan,
  planCopy,
  planEncoding,
  type VideoEdit,
} from './plan-conversion'
import { convertedBitsPerSecond, convertedSize, leastBitsPerSecond, longestSeconds } from './video-plan'
import { type ConvertedVideo, type TooLargeVideo, write } from './write-video'

interface ConvertOptions extends Pick<PrepareOptions, 'onProgress'> {
  /** By default as much as the rules allow from the start, with sound. */
  edit?: VideoEdit | undefined
  rules: VideoRules
}
type Run = (plan: PicturePlan) => Promise<ConvertedVideo | TooLargeVideo | null>

/** The most tries to encode a video within its bytes. */
const MAX_ENCODINGS = 3
/** Encoders take more than they are asked for; the next try asks for so much less than what would fit. */
const NEXT_SHARE = 0.9

/**
 * A copy of a video without anything but its visible pictures and its sound, within the member's edit: no place, device, times and
 * titles, no chapters, attachments and further tracks, and nothing that an edit list hides. Every reader can play it. Packets are
 * copied where they can be; see video-plan.ts. Throws MediaError.
 */
export function convertVideo(
  source: MediaFile,
  { edit, rules, onProgress }: ConvertOptions,
): Promise<ConvertedVideo> {
  return withVideo(source, async (opened, input) => {
    const cut = await measured(opened, await cutOf(opened, edit, rules))
    const options = { isMuted: edit?.isMuted === true, maxBytes: rules.bytes, onProgress }
    const run = (plan: PicturePlan) => write(opened, input, cut, plan, options)
    const copy = await planCopy(opened, cut, rules)
    const copied = copy === null ? null : await run(copy)
    if (copied !== null && copied.video !== null && (await isStorable(copied.video))) return copied
    return storable(await encodeWithin(opened, cut, rules, run))
  })
}

/** Encodes with fewer bits until the result fits. Throws MediaError 'video-too-large-after' rather than to ask for fewer than the rules allow. */
async function encodeWithin(
  opened: OpenedVideo,
  cut: MeasuredCut,
  rules: VideoRules,
  run: Run,
): Promise<ConvertedVideo> {
  const size = convertedSize(opened.info)
  const longest = longestSeconds(size, rules)
  // Its times were rounded when the member chose it.
  if (cut.seconds > longest + ROUNDING)
    throw new MediaError('video-too-large-after', { longestSeconds: longest })
  let { bytes } = rules
  for (let encodings = 1; ; encodings += 1) {
    const encoded = await encode(opened, cut, { ...rules, bytes }, run)
    if (encoded.video !== null) return encoded
    const isLeast =
      convertedBitsPerSecond(size, cut.seconds, { ...rules, bytes }) <= leastBitsPerSecond(size, rules)
    const share = (rules.bytes / encoded.bytes) * NEXT_SHARE
    if (isLeast || encodings === MAX_ENCODINGS) {
      const fitting = Math.max(1, Math.floor(cut.seconds * share))
      throw new MediaError('video-too-large-after', { longestSeconds: fitting })
    }
    bytes *= share
  }
}

/** Whether servers accept a copy: its pictures may have become larger than they were at the start. */
function isStorable(video: Blob): Promise<boolean> {
  return isPlayableVideo('mp4', (from, to) => readPart(video, from, to), video.size)
}

/** An encoded video as servers accept it: a copy of VP9 has what encoders do not write. */
export async function storable(encoded: ConvertedVideo): Promise<ConvertedVideo> {
  if (await isStorable(encoded.video)) return encoded
  return withVideo(encoded.video, async (opened, input) => {
    const rules = { seconds: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }
    const cut = await measured(opened, await cutOf(opened, undefined, rules))
    const plan = await planCopy(opened, cut, rules)
    const options = { isMuted: false, maxBytes: rules.bytes, onProgress: undefined }
    const copy = plan && (await write(opened, input, cut, plan, options))
    return copy === null || copy.video === null ? encoded : { ...encoded, video: copy.video }
  })
}

/** Encodes with what the system prefers, and without hardware if that fails. */
async function encode(
  opened: OpenedVideo,
  cut: MeasuredCut,
  rules: VideoRules,
  run: Run,
): Promise<ConvertedVideo | TooLargeVideo> {
  for (const acceleration of ['no-preference', 'prefer-software'] as const) {
    try {
      const encoded = await run(await planEncoding(opened, cut, rules, acceleration))
      if (encoded !== null) return encoded
    } catch (cause) {
      if (acceleration === 'prefer-software' || !isCoderError(cause)) throw cause
    }
  }
  throw new MediaError('video-failed')
}

function isCoderError(cause: unknown): boolean {
  return cause instanceof DOMException && ['EncodingError', 'OperationError'].includes(cause.name)
}
