import {
  type AudioSample,
  type ConversionAudioOptions,
  type ConversionVideoOptions,
  canEncodeAudio,
  canEncodeVideo,
  EncodedPacketSink,
  type InputAudioTrack,
  type InputVideoTrack,
  Quality,
  type VideoSample,
} from 'mediabunny'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import type { MediaFile } from '#/renderer/lib/media/source/media-file'
import { trimParts, type VisiblePart } from '#/renderer/lib/media/video-file/mp4-boxes'
import { VIDEO, type VideoRules } from '#/shared/limits'
import type { Dimensions } from '#/shared/media-formats'
import { drawerOf } from './draw-sample'
import { type OpenedVideo, ROUNDING, startOf, type VideoInfo, withVideo } from './open-video'
import {
  canCopyPictures,
  canCopySound,
  convertedBitsPerSecond,
  convertedSize,
  FRAME_RATE_TOLERANCE,
} from './video-plan'

/** What a member keeps of a video, in seconds of the video as it is shown. */
export interface VideoEdit {
  from: number
  to: number
  isMuted: boolean
}

/** A hidden start may stay up to this length, from the last key frame, instead of encoding the video again. In seconds. */
export const HIDDEN_MAX = 1

/**
 * Keeps frames and sound of these parts, at the times at which they are shown.
 *
 * @param start where the conversion starts, in the timestamps of mediabunny
 * @param origin what is shown at the start of the result, in seconds of the shown video
 */
function keepVisible<Sample extends VideoSample | AudioSample>(
  parts: readonly VisiblePart[],
  start: number,
  origin: number,
): (sample: Sample) => Sample | null {
  return (sample) => {
    const at = sample.timestamp + start
    const part = parts.find(({ from, to }) => at >= from - ROUNDING / 2 && at < to - ROUNDING / 2)
    if (part === undefined) return null
    sample.setTimestamp(Math.max(0, at + part.shift - origin))
    return sample
  }
}

/** Checks that a video can be used, and describes it. Throws MediaError. */
export function examineVideo(source: MediaFile, rules: VideoRules): Promise<VideoInfo> {
  return withVideo(source, async (opened) => {
    const cut = await measured(opened, await cutOf(opened, undefined, rules))
    if ((await planCopy(opened, cut, rules)) === null) await planEncoding(opened, cut, rules)
    return opened.info
  })
}

/** The part of the tracks that is kept. */
export interface Cut {
  pictures: readonly VisiblePart[]
  heard: readonly VisiblePart[]
  /** Where the result starts, in the timestamps of mediabunny. */
  start: number
  /** What is shown then, and the length of the result; in seconds of the shown video. */
  origin: number
  seconds: number
  /** The member cut something away: nothing of it may stay. */
  isTrimmed: boolean
}

/** With the bytes and the number of its pictures. */
export interface MeasuredCut extends Cut {
  bytes: number
  count: number
}

/**
 * The part of a video that is kept: all of it, at most what the rules allow, or what the member chose. Throws MediaError if none of its
 * pictures is shown then.
 */
export async function cutOf(
  opened: OpenedVideo,
  edit: VideoEdit | undefined,
  { seconds }: Pick<VideoRules, 'seconds'>,
): Promise<Cut> {
  const { video, audio, info } = opened
  const isShortened = edit !== undefined && (edit.from > 0 || edit.to < info.seconds - ROUNDING)
  const isTrimmed = isShortened || info.seconds > seconds + ROUNDING
  const { pictures, heard, origin, end } = isTrimmed
    ? trim(opened, edit, seconds)
    : { ...opened, origin: null, end: opened.to }
  // What is kept ends where its pictures end.
  if (pictures.length === 0) throw new MediaError('video-empty-part')
  const starts = [
    await startOf(video, pictures),
    ...(audio === null || heard.length === 0 ? [] : [await startOf(audio, heard)]),
  ]
  const [start, shown] = starts.reduce((earliest, each) => (each[0] < earliest[0] ? each : earliest))
  const from = origin ?? shown
  return { pictures, heard, start, origin: from, seconds: end - from, isTrimmed }
}

function trim({ pictures, heard, from, info }: OpenedVideo, edit: VideoEdit | undefined, seconds: number) {
  const origin = from + (edit?.from ?? 0)
  const end = Math.min(origin + seconds, from + Math.min(edit?.to ?? info.seconds, info.seconds))
  return { pictures: trimParts(pictures, origin, end), heard: trimParts(heard, origin, end), origin, end }
}

/** How pictures get into the result. */
export interface PicturePlan extends Dimensions {
  isCopied: boolean
  /** Of the pictures, as far as it is known. */
  bitsPerSecond: number
  options: ConversionVideoOptions
}

/** Counts the pictures of a part and their bytes without reading them: walks through its packets. */
export async function measured({ video }: OpenedVideo, cut: Cut): Promise<MeasuredCut> {
  const { pictures, start, seconds } = cut
  const end = Math.min(pictures.at(-1)?.to ?? 0, start + seconds)
  const sink = new EncodedPacketSink(video)
  const first = (await sink.getKeyPacket(start, { metadataOnly: true })) ?? undefined
  const total = { bytes: 0, count: 0 }
  for await (const { timestamp, byteLength } of sink.packets(first, undefined, { metadataOnly: true })) {
    // Packets are in the order in which they are decoded.
    if (timestamp >= end + HIDDEN_MAX) break
    if (timestamp < start - ROUNDING || timestamp >= end) continue
    total.bytes += byteLength
    total.count += 1
  }
  return { ...cut, ...total }
}

async function isHdr(video: InputVideoTrack): Promise<boolean> {
  const { primaries, transfer } = await video.getColorSpace()
  return [primaries, transfer].some((value) => ['bt2020', 'pq', 'hlg'].includes(String(value)))
}

/** The pictures of a track that starts later would be shown from its first packet. */
async function hasEarlyPictures({ video }: OpenedVideo, { pictures, start }: Cut): Promise<boolean> {
  const shownFrom = pictures[0]?.from ?? 0
  return shownFrom > start && (await video.getFirstTimestamp()) < shownFrom - ROUNDING
}

/** Whether a copy would have pictures that are not shown. */
async function hidesPictures(opened: OpenedVideo, cut: Cut): Promise<boolean> {
  const { pictures, isTrimmed } = cut
  if (await isCutByProcess(opened, cut)) return true
  const shownFrom = pictures[0]?.from ?? 0
  const key = await new EncodedPacketSink(opened.video).getKeyPacket(shownFrom, { verifyKeyPackets: true })
  const hidden = key === null ? 0 : shownFrom - key.timestamp
  return hidden > (isTrimmed ? ROUNDING : HIDDEN_MAX)
}

/** How the pictures are copied; null if they must be encoded. */
export async function planCopy(
  opened: OpenedVideo,
  cut: MeasuredCut,
  { bytes: maxBytes }: Pick<VideoRules, 'bytes'>,
): Promise<PicturePlan | null> {
  const { video, codec, info } = opened
  const { bytes, count } = cut
  const { width, height } = info
  const facts = {
    width,
    height,
    codec,
    isHdr: await isHdr(video),
    isInterlaced: opened.isInterlaced,
    framesPerSecond: count / cut.seconds,
    bitsPerSecond: (bytes * 8) / cut.seconds,
  }
  const isTooLarge = bytes + (cut.seconds * VIDEO.soundBitsPerSecond) / 8 > maxBytes
  if (isTooLarge || !canCopyPictures(facts) || (await hidesPictures(opened, cut))) return null
  return { isCopied: true, bitsPerSecond: facts.bitsPerSecond, width, height, options: { alpha: 'discard' } }
}

/** What to encode with. H.264 takes the least power to play; builds of Chromium without its encoder have the other. */
const ENCODERS = ['avc', 'vp9'] as const

/** How the pictures are encoded. Throws MediaError if this computer can neither decode nor encode them. */
export async function planEncoding(
  opened: OpenedVideo,
  cut: MeasuredCut,
  rules: VideoRules,
  hardwareAcceleration: 'no-preference' | 'prefer-software' = 'no-preference',
): Promise<PicturePlan> {
  const { video, info, isReadable, isInterlaced } = opened
  if (!isReadable)
    throw new MediaError((await video.getCodec()) === 'hevc' ? 'video-hevc' : 'video-undecodable')
  const size = convertedSize(info)
  const bitsPerSecond = convertedBitsPerSecond(size, cut.seconds, rules)
  const quality = new Quality({ bitrate: bitsPerSecond })
  for (const codec of ENCODERS) {
    if (!(await canEncodeVideo(codec, { ...size, quality, hardwareAcceleration }))) continue
    const keep = (await isCutByProcess(opened, cut))
      ? keepVisible<VideoSample>(cut.pictures, cut.start, cut.origin)
      : null
    const draw = isInterlaced || (await isHdr(video)) ? drawerOf(size, isInterlaced) : null
    const process = (sample: VideoSample) => {
      const kept = keep === null ? sample : keep(sample)
      return kept === null || draw === null ? kept : draw(kept)
    }
    const isTooFast = cut.count / cut.seconds > VIDEO.framesPerSecond * FRAME_RATE_TOLERANCE
    const options: ConversionVideoOptions = {
      // Pictures that were made smaller have no fields any more.
      ...(isInterlaced
        ? { processedWidth: size.width, processedHeight: size.height }
        : ({ ...size, fit: 'fill' } as const)),
      codec,
      quality,
      keyFrameInterval: KEY_FRAME_SECONDS,
      hardwareAcceleration,
      ...(isTooFast && { frameRate: VIDEO.framesPerSecond }),
      ...((keep !== null || draw !== null) && { process }),
    }
    return { isCopied: false, bitsPerSecond, ...size, options }
  }
  throw new MediaError('video-no-encoder')
}

/** Readers jump by a fifth of 15 seconds. */
const KEY_FRAME_SECONDS = 2

/** Whether a start and an end do not describe what is kept. */
async function isCutByProcess(opened: OpenedVideo, cut: Cut): Promise<boolean> {
  return cut.pictures.length > 1 || cut.heard.length > 1 || (await hasEarlyPictures(opened, cut))
}

const SOUND_RATE = 48_000

/** Whether sound has so many packets that a long video would have too large tables: Opus may have 400 a second. */
async function hasShortPackets(audio: InputAudioTrack, { start, seconds }: Cut): Promise<boolean> {
  const most = VIDEO.soundPacketsPerSecond * (seconds + 1)
  const sink = new EncodedPacketSink(audio)
  const first = (await sink.getPacket(start, { metadataOnly: true })) ?? undefined
  let count = 0
  for await (const { timestamp } of sink.packets(first, undefined, { metadataOnly: true })) {
    if (timestamp >= start + seconds) break
    count += 1
    if (count > most) return true
  }
  return false
}

/** How the sound gets into the result; null if it does not. */
export async function planSound(opened: OpenedVideo, cut: Cut): Promise<ConversionAudioOptions | null> {
  const { audio } = opened
  if (audio === null || cut.heard.length === 0) return null
  const isCopied =
    !(await isCutByProcess(opened, cut)) &&
    canCopySound(await audio.getCodecParameterString()) &&
    !(await hasShortPackets(audio, cut))
  if (isCopied) return {}
  if (!(await audio.canDecode())) return null
  const numberOfChannels = Math.min(2, await audio.getNumberOfChannels())
  const quality = new Quality({ bitrate: VIDEO.soundBitsPerSecond })
  const format = { numberOfChannels, sampleRate: SOUND_RATE }
  for (const codec of ['aac', 'opus'] as const) {
    if (!(await canEncodeAudio(codec, { ...format, quality }))) continue
    const process = keepVisible<AudioSample>(cut.heard, cut.start, cut.origin)
    return { ...format, codec, quality, process }
  }
  return null
}
