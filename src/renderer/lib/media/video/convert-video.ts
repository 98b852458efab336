import type { PrepareOptions } from '#/renderer/lib/media/picture/picture-request'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import { type MediaFile, readPart } from '#/renderer/lib/media/source/media-file'
import { STORY_VIDEO_BYTES } from '#/shared/limits'
import { isPlayableVideo } from '#/shared/played-video'
import { type OpenedVideo, withVideo } from './open-video'
import {
  cutOf,
  type MeasuredCut,
  measured,
  type PicturePlan,
  planCopy,
  planEncoding,
  type VideoEdit,
} from './plan-conversion'
import { type ConvertedVideo, write } from './write-video'

interface ConvertOptions extends Pick<PrepareOptions, 'onProgress'> {
  /** By default the first 60 seconds, with sound. */
  edit?: VideoEdit | undefined
  /** Most bytes of the result. */
  maxBytes?: number
}
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
  { edit, maxBytes = STORY_VIDEO_BYTES, onProgress }: ConvertOptions = {},
): Promise<ConvertedVideo> {
  return withVideo(source, async (opened, input) => {
    const cut = await measured(opened, await cutOf(opened, edit))
    const run = (plan: PicturePlan) =>
      write(opened, input, cut, plan, { isMuted: edit?.isMuted === true, onProgress })
    const copy = await planCopy(opened, cut, maxBytes)
    const copied = copy === null ? null : await run(copy)
    if (copied !== null && copied.video.size <= maxBytes && (await isStorable(copied.video))) return copied
    let bytes = maxBytes
    for (let encodings = 0; encodings < MAX_ENCODINGS; encodings += 1) {
      const encoded = await encode(opened, cut, bytes, run)
      if (encoded.video.size <= maxBytes) return storable(encoded)
      bytes *= (maxBytes / encoded.video.size) * NEXT_SHARE
    }
    throw new MediaError('video-too-large-after')
  })
}

/** Whether servers accept a copy: its pictures may have become larger than they were at the start. */
async function isStorable(video: Blob): Promise<boolean> {
  const kind = video.type === 'video/mp4' ? 'mp4' : 'webm'
  return isPlayableVideo(kind, (from, to) => readPart(video, from, to), video.size)
}

/** An encoded video as servers accept it: a copy of VP9 has what encoders do not write. */
export async function storable(encoded: ConvertedVideo): Promise<ConvertedVideo> {
  if (await isStorable(encoded.video)) return encoded
  return withVideo(encoded.video, async (opened, input) => {
    const cut = await measured(opened, await cutOf(opened, undefined))
    const plan = await planCopy(opened, cut, STORY_VIDEO_BYTES)
    const copy = plan && (await write(opened, input, cut, plan, { isMuted: false, onProgress: undefined }))
    return copy === null ? encoded : { ...encoded, video: copy.video }
  })
}

/** Encodes with what the system prefers, and without hardware if that fails. */
async function encode(
  opened: OpenedVideo,
  cut: MeasuredCut,
  bytes: number,
  run: (plan: PicturePlan) => Promise<ConvertedVideo | null>,
): Promise<ConvertedVideo> {
  for (const acceleration of ['no-preference', 'prefer-software'] as const) {
    try {
      const encoded = await run(await planEncoding(opened, cut, bytes, acceleration))
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
