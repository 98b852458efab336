import {
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
  type InputFormat,
  type InputTrack,
  type InputVideoTrack,
  Logging,
  LogLevel,
  MATROSKA,
  MP4,
  MPEG_TS,
  QTFF,
  QuickTimeInputFormat,
  WEBM,
} from 'mediabunny'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import { type MediaFile, readPart } from '#/renderer/lib/media/source/media-file'
import {
  type Edit,
  editLists,
  fragmentedSeconds,
  type VisiblePart,
  visibleParts,
} from '#/renderer/lib/media/video-file/mp4-boxes'
import { type ReadableTransport, readableTransport } from '#/renderer/lib/media/video-file/transport-stream'
import { bytesOf } from '#/renderer/lib/media/video-file/user-data'
import { readStructure } from '#/renderer/lib/media/video-file/video-file'
import { sourceOf } from '#/renderer/lib/media/video-file/video-source'
import { isInterlaced } from '#/shared/h264-parameters'
import { SOURCE_LIMITS } from '#/shared/limits'
import { type Dimensions, isVideo, SNIFF_BYTES, sniffMedia } from '#/shared/media-formats'
import type { VideoKind } from '#/shared/video-formats'
import { canCopySound } from './video-plan'

// What it warns about is handled here, or refused.
Logging.level = LogLevel.Errors

/** A video that can be used. */
export interface VideoInfo extends Dimensions {
  seconds: number
  /** `unreadable`: there is sound, but this computer cannot decode it. */
  sound: 'readable' | 'unreadable' | 'none'
}
/** Encoders and containers round times. In seconds. */
export const ROUNDING = 0.05
/**
 * QuickTime files from before 2001 have no `ftyp`, which mediabunny (1.61.0) asks for before it reads them. This can go when the test
 * of such a file passes with QTFF.
 */
class OldQuickTime extends QuickTimeInputFormat {
  async _canReadInput(): Promise<boolean> {
    return true
  }
}

const FORMATS: Record<VideoKind, InputFormat> = {
  mp4: MP4,
  quicktime: QTFF,
  webm: WEBM,
  matroska: MATROSKA,
  'mpeg-ts': MPEG_TS,
}

/** A chosen video whose tracks were read. */
export interface OpenedVideo {
  kind: VideoKind
  video: InputVideoTrack
  /** As WebCodecs names it. */
  codec: string | null
  pictures: readonly VisiblePart[]
  /** The track whose sound is kept; null if there is none, or none that can be read. */
  audio: InputAudioTrack | null
  heard: readonly VisiblePart[]
  /** What is shown first, and where the video ends, in seconds of the shown video. */
  from: number
  to: number
  info: VideoInfo
  isReadable: boolean
  /** Pictures of two fields, in H.264; other codecs of today have none. */
  isInterlaced: boolean
}

/** Calls `use` with a video. Throws MediaError. */
export async function withVideo<T>(
  source: MediaFile,
  use: (opened: OpenedVideo, input: Input) => Promise<T>,
): Promise<T> {
  let input: Input | null = null
  try {
    const kind = sniffMedia(await readPart(source, 0, SNIFF_BYTES))
    if (!isVideo(kind)) throw new MediaError('not-media')
    const { isComplete, movie, zeros } = await readStructure(source, kind)
    if (!isComplete) throw new MediaError('video-incomplete')
    const hasBrand = String.fromCharCode(...(await readPart(source, 4, 8))) === 'ftyp'
    const format = kind === 'quicktime' && !hasBrand ? new OldQuickTime() : FORMATS[kind]
    const transport = kind === 'mpeg-ts' ? await readableTransport(source) : null
    input = new Input({ source: sourceOf(source, transport?.unreadTypes ?? zeros), formats: [format] })
    return await use(await openTracks(input, { kind, movie, transport }), input)
  } catch (cause) {
    if (cause instanceof MediaError) throw cause
    const isGone = cause instanceof DOMException && ['NotReadableError', 'NotFoundError'].includes(cause.name)
    throw new MediaError(isGone ? 'video-changed' : 'video-broken', { cause })
  } finally {
    input?.dispose()
  }
}

function partsOf(edits: Map<number, Edit[]>, track: InputTrack): readonly VisiblePart[] {
  const parts = visibleParts(edits.get(track.id))
  if (parts === null) throw new MediaError('video-unsupported')
  return parts
}

/** The track that players show: the first one in a known codec. */
async function firstVideo(input: Input, hasOthers: boolean): Promise<InputVideoTrack> {
  const tracks = await input.getVideoTracks()
  for (const track of tracks) if ((await track.getCodec()) !== null) return track
  throw new MediaError(tracks.length === 0 && !hasOthers ? 'video-no-pictures' : 'video-undecodable')
}

/** The first sound that can be copied or decoded; cameras add tracks for their own editors. */
async function firstAudio(
  input: Input,
  hasOthers: boolean,
): Promise<Pick<OpenedVideo, 'audio'> & Pick<VideoInfo, 'sound'>> {
  const tracks = await input.getAudioTracks()
  for (const audio of tracks) {
    if ((await audio.getCodec()) === null) continue
    if (canCopySound(await audio.getCodecParameterString()) || (await audio.canDecode()))
      return { audio, sound: 'readable' }
  }
  return { audio: null, sound: tracks.length === 0 && !hasOthers ? 'none' : 'unreadable' }
}

/** Where a track begins, in the timestamps of mediabunny, and what is shown then. */
export async function startOf(
  track: InputTrack,
  [first]: readonly VisiblePart[],
): Promise<[number, shown: number]> {
  const start = Math.max(0, await track.getFirstTimestamp(), first?.from ?? 0)
  return [start, start + (first?.shift ?? 0)]
}

/** What was read of a chosen video before its tracks; null for what its container does not have. */
interface Container {
  kind: VideoKind
  movie: DataView | null
  transport: ReadableTransport | null
}

async function openTracks(input: Input, { kind, movie, transport }: Container): Promise<OpenedVideo> {
  const edits = movie === null ? new Map<number, Edit[]>() : editLists(movie)
  const video = await firstVideo(input, transport?.hasOtherPictures ?? false)
  const { audio, sound } = await firstAudio(input, transport?.hasOtherSound ?? false)
  const pictures = partsOf(edits, video)
  const heard = audio === null ? [] : partsOf(edits, audio)
  await checkEnd(video, movie)

  const last = pictures.at(-1)
  const to = Math.min(last?.to ?? 0, await video.computeDuration()) + (last?.shift ?? 0)
  const starts = [await startOf(video, pictures), ...(audio === null ? [] : [await startOf(audio, heard)])]
  const from = Math.min(...starts.map(([, shown]) => shown))
  if (!(to > from)) throw new MediaError('video-broken')
  const info = {
    seconds: to - from,
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
    sound,
  }
  if (info.width * info.height > SOURCE_LIMITS.videoPixels) throw new MediaError('video-too-many-pixels')
  const codec = await video.getCodecParameterString()
  const isReadable = await video.canDecode()
  return {
    kind,
    video,
    codec,
    pictures,
    audio,
    heard,
    from,
    to,
    info,
    isReadable,
    isInterlaced: await hasFields(video),
  }
}

async function hasFields(video: InputVideoTrack): Promise<boolean> {
  if ((await video.getCodec()) !== 'avc') return false
  const packet = await new EncodedPacketSink(video).getFirstPacket()
  const description = (await video.getDecoderConfig())?.description
  const configuration = description === undefined ? null : bytesOf(description)
  return packet !== null && isInterlaced(configuration, packet.data)
}

/** What fragments may have less than their header says: encoders round. In seconds. */
const MISSING_MAX = 1

/** Throws MediaError 'video-incomplete' if the last picture is not in the file. */
async function checkEnd(video: InputVideoTrack, movie: DataView | null): Promise<void> {
  const last = await new EncodedPacketSink(video)
    .getPacket(Number.POSITIVE_INFINITY)
    .catch((cause: unknown) => {
      throw cause instanceof DOMException ? cause : new MediaError('video-incomplete', { cause })
    })
  if (last === null || last.data.length < last.byteLength) throw new MediaError('video-incomplete')
  const expected = movie === null ? null : fragmentedSeconds(movie)
  if (expected !== null && last.timestamp + last.duration < expected - MISSING_MAX)
    throw new MediaError('video-incomplete')
}
