import {
  type AudioSample,
  type AudioSource,
  BufferTarget,
  Conversion,
  type ConversionAudioOptions,
  type ConversionOptions,
  type ConversionVideoOptions,
  canEncodeAudio,
  canEncodeVideo,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
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
  Mp4OutputFormat,
  Output,
  type OutputAudioTrack,
  type OutputVideoTrack,
  QTFF,
  Quality,
  QuickTimeInputFormat,
  type VideoSample,
  VideoSampleSink,
  type VideoSource,
  type VideoTrackMetadata,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny'
import { SOURCE_LIMITS, STORED_VIDEO_BYTES, VIDEO } from '#/shared/limits'
import { type Dimensions, isVideo, SNIFF_BYTES, sniffMedia } from '#/shared/media-formats'
import type { VideoKind } from '#/shared/video-formats'
import { MediaError } from './media-error'
import { type MediaFile, readPart } from './media-file'
import {
  type Edit,
  editLists,
  eraseTimes,
  fragmentedSeconds,
  trimParts,
  type VisiblePart,
  visibleParts,
} from './mp4-boxes'
import type { PrepareOptions } from './prepare-picture'
import { type ReadableTransport, readableTransport } from './transport-stream'
import {
  lengthSizeOf,
  type MessageCodec,
  withoutConfiguredUserData,
  withoutStreamedUserData,
  withoutUserData,
} from './user-data'
import { readStructure } from './video-file'
import {
  canCopyPictures,
  canCopySound,
  convertedBitsPerSecond,
  convertedSize,
  copiedContainer,
  FRAME_RATE_TOLERANCE,
} from './video-plan'
import { sourceOf } from './video-source'

// What it warns about is handled here, or refused.
Logging.level = LogLevel.Errors

/** What a member keeps of a video, in seconds of the video as it is shown. */
export interface VideoEdit {
  from: number
  to: number
  isMuted: boolean
}

/** A video that can be used. */
export interface VideoInfo extends Dimensions {
  seconds: number
  /** `unreadable`: there is sound, but this computer cannot decode it. */
  sound: 'readable' | 'unreadable' | 'none'
}

interface ConvertOptions extends Pick<PrepareOptions, 'onProgress'> {
  /** By default the first 60 seconds, with sound. */
  edit?: VideoEdit | undefined
  /** Most bytes of the result. */
  maxBytes?: number
}

/** A hidden start may stay up to this length, from the last key frame, instead of encoding the video again. In seconds. */
const HIDDEN_MAX = 1
/** Sound that stays before the visible start, because decoders need some to start. In seconds. */
const WARM_UP = 0.1
/** Encoders and containers round times. In seconds. */
const ROUNDING = 0.05

/** What is kept of a video: one video and one audio track, and the parts of them that are shown. */
interface Kept {
  codec: MessageCodec | null
  /** Where the result starts, in the timestamps of mediabunny. In seconds. */
  start: number
  sound: readonly VisiblePart[]
}

/** An output with nothing but the pictures and the sound: without names, languages and hidden sound. */
class CleanOutput extends Output<Mp4OutputFormat | WebMOutputFormat, BufferTarget> {
  readonly #kept: Kept
  isVideoCopied = false

  constructor(format: Mp4OutputFormat | WebMOutputFormat, kept: Kept) {
    super({ format, target: new BufferTarget() })
    this.#kept = kept
  }

  override addVideoTrack(source: VideoSource, metadata: VideoTrackMetadata = {}): OutputVideoTrack {
    const { codec } = this.#kept
    this.isVideoCopied = source instanceof EncodedVideoPacketSource
    if (source instanceof EncodedVideoPacketSource && codec !== null) removeUserData(source, codec)
    const { name, languageCode, disposition, ...technical } = metadata
    return super.addVideoTrack(source, technical)
  }

  override addAudioTrack(source: AudioSource): OutputAudioTrack {
    if (source instanceof EncodedAudioPacketSource) dropHiddenSound(source, this.#kept)
    return super.addAudioTrack(source)
  }
}

function removeUserData(source: EncodedVideoPacketSource, codec: MessageCodec): void {
  const add = source.add.bind(source)
  let lengthSize: number | null = null
  source.add = (packet, meta) => {
    let config = meta?.decoderConfig
    if (config?.description !== undefined) {
      const { description } = config
      const bytes = ArrayBuffer.isView(description)
        ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
        : new Uint8Array(description)
      lengthSize = lengthSizeOf(bytes, codec)
      config = { ...config, description: withoutConfiguredUserData(bytes, codec) }
    }
    const data =
      lengthSize === null
        ? withoutStreamedUserData(packet.data, codec)
        : withoutUserData(packet.data, codec, lengthSize)
    if (data.length === 0) return Promise.resolve()
    return add(packet.clone({ data }), config && { ...meta, decoderConfig: config })
  }
}

function dropHiddenSound(source: EncodedAudioPacketSource, { start, sound: [part] }: Kept): void {
  if (part === undefined) return
  const add = source.add.bind(source)
  // Sound before the start of the video is not heard, sound before a later start would be.
  const keptFrom = part.from > start ? part.from : part.from - WARM_UP
  source.add = (packet, meta) => {
    const from = packet.timestamp + start
    const isHidden = from >= part.to || from + packet.duration <= keptFrom
    return isHidden ? Promise.resolve() : add(packet, meta)
  }
}

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
interface OpenedVideo {
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
}

/** Calls `use` with a video. Throws MediaError. */
async function withVideo<T>(
  source: MediaFile,
  use: (opened: OpenedVideo, input: Input) => Promise<T>,
): Promise<T> {
  let input: Input | null = null
  try {
    const kind = sniffMedia(await readPart(source, 0, SNIFF_BYTES))
    if (!isVideo(kind)) throw new MediaError('not-media')
    const { isComplete, movie } = await readStructure(source, kind)
    if (!isComplete) throw new MediaError('video-incomplete')
    const hasBrand = String.fromCharCode(...(await readPart(source, 4, 8))) === 'ftyp'
    const format = kind === 'quicktime' && !hasBrand ? new OldQuickTime() : FORMATS[kind]
    const transport = kind === 'mpeg-ts' ? await readableTransport(source) : null
    input = new Input({ source: sourceOf(source, transport?.unreadTypes ?? []), formats: [format] })
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
    const codec = await audio.getCodecParameterString()
    if (canCopySound(codec, 'mp4') || canCopySound(codec, 'webm') || (await audio.canDecode()))
      return { audio, sound: 'readable' }
  }
  return { audio: null, sound: tracks.length === 0 && !hasOthers ? 'none' : 'unreadable' }
}

/** Where a track begins, in the timestamps of mediabunny, and what is shown then. */
async function startOf(track: InputTrack, [first]: readonly VisiblePart[]): Promise<[number, shown: number]> {
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
  return { kind, video, codec, pictures, audio, heard, from, to, info, isReadable }
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

/** Draws pictures of a video. */
export interface PictureReader {
  /**
   * The picture at a time, in seconds of the shown video; of the key frame before if `isRough`, which is much faster. Null if there is
   * none.
   */
  read(at: number, height: number, isRough: boolean): Promise<ImageBitmap | null>
}

/** Calls `use` with the pictures of a video. Throws MediaError. */
export function withPictures<T>(source: MediaFile, use: (pictures: PictureReader) => Promise<T>): Promise<T> {
  return withVideo(source, async ({ video, pictures, from, info }) => {
    const packets = new EncodedPacketSink(video)
    const samples = new VideoSampleSink(video)
    const timeOf = (at: number) => {
      const shown = from + Math.min(Math.max(0, at), info.seconds - ROUNDING)
      const part = pictures.find((each) => shown < each.to + each.shift) ?? pictures.at(-1)
      return Math.max(part?.from ?? 0, shown - (part?.shift ?? 0))
    }
    return use({
      read: async (at, height, isRough) => {
        const time = timeOf(at)
        const key = isRough ? await packets.getKeyPacket(time, { metadataOnly: true }) : null
        using sample =
          (await samples.getSample(key?.timestamp ?? time)) ??
          (await samples.getSample(await video.getFirstTimestamp()))
        if (sample === null) return null
        const size = { width: Math.max(1, Math.round((info.width / info.height) * height)), height }
        const canvas = new OffscreenCanvas(size.width, size.height)
        const drawing = canvas.getContext('2d', { colorSpace: 'srgb', alpha: false })
        if (drawing === null) throw new MediaError('video-failed')
        drawing.imageSmoothingQuality = 'high'
        sample.draw(drawing, 0, 0, size.width, size.height)
        return canvas.transferToImageBitmap()
      },
    })
  })
}

/** Checks that a video can be used, and describes it. Throws MediaError. */
export function examineVideo(source: MediaFile): Promise<VideoInfo> {
  return withVideo(source, async (opened) => {
    const cut = await cutOf(opened, undefined)
    if ((await planCopy(opened, cut, STORED_VIDEO_BYTES)) === null)
      await planEncoding(opened, cut, STORED_VIDEO_BYTES)
    return opened.info
  })
}

/** The part of the tracks that is kept. */
interface Cut {
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

async function cutOf(opened: OpenedVideo, edit: VideoEdit | undefined): Promise<Cut> {
  const { video, audio, info } = opened
  const isShortened = edit !== undefined && (edit.from > 0 || edit.to < info.seconds - ROUNDING)
  const isTrimmed = isShortened || info.seconds > VIDEO.seconds + ROUNDING
  const { pictures, heard, origin, end } = isTrimmed
    ? trim(opened, edit)
    : { ...opened, origin: null, end: opened.to }
  const starts = [
    await startOf(video, pictures),
    ...(audio === null || heard.length === 0 ? [] : [await startOf(audio, heard)]),
  ]
  const [start, shown] = starts.reduce((earliest, each) => (each[0] < earliest[0] ? each : earliest))
  const from = origin ?? shown
  return { pictures, heard, start, origin: from, seconds: end - from, isTrimmed }
}

function trim({ pictures, heard, from, info }: OpenedVideo, edit: VideoEdit | undefined) {
  const origin = from + (edit?.from ?? 0)
  const end = Math.min(origin + VIDEO.seconds, from + Math.min(edit?.to ?? info.seconds, info.seconds))
  return { pictures: trimParts(pictures, origin, end), heard: trimParts(heard, origin, end), origin, end }
}

/** How pictures get into the result. */
interface PicturePlan extends Dimensions {
  isCopied: boolean
  container: 'mp4' | 'webm'
  options: ConversionVideoOptions
}

/** Bytes and number of the pictures of a part, without reading them. */
async function measure(
  { video }: OpenedVideo,
  { pictures, start, seconds }: Cut,
): Promise<{ bytes: number; count: number }> {
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
  return total
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
  const { pictures, heard, isTrimmed } = cut
  if (pictures.length > 1 || heard.length > 1 || (await hasEarlyPictures(opened, cut))) return true
  const shownFrom = pictures[0]?.from ?? 0
  const key = await new EncodedPacketSink(opened.video).getKeyPacket(shownFrom, { verifyKeyPackets: true })
  const hidden = key === null ? 0 : shownFrom - key.timestamp
  return hidden > (isTrimmed ? ROUNDING : HIDDEN_MAX)
}

/** How the pictures are copied; null if they must be encoded. */
async function planCopy(opened: OpenedVideo, cut: Cut, maxBytes: number): Promise<PicturePlan | null> {
  const { video, codec, kind, info } = opened
  const { bytes, count } = await measure(opened, cut)
  const { width, height } = info
  const facts = {
    width,
    height,
    codec,
    isHdr: await isHdr(video),
    framesPerSecond: count / cut.seconds,
    bitsPerSecond: (bytes * 8) / cut.seconds,
  }
  const isTooLarge = bytes + (cut.seconds * VIDEO.soundBitsPerSecond) / 8 > maxBytes
  if (codec === null || isTooLarge || !canCopyPictures(facts) || (await hidesPictures(opened, cut)))
    return null
  const container = copiedContainer(kind, codec)
  return {
    isCopied: true,
    container,
    width,
    height,
    options: { alpha: container === 'webm' ? 'keep' : 'discard' },
  }
}

/** What to encode with. H.264 takes the least power to play; builds of Chromium without its encoder have the others. */
const ENCODERS = [
  { codec: 'avc', container: 'mp4' },
  { codec: 'vp9', container: 'webm' },
  { codec: 'vp8', container: 'webm' },
] as const

/** Draws pictures as they look on an SDR screen. */
function drawerOf({ width, height }: Dimensions): (sample: VideoSample) => OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height)
  const drawing = canvas.getContext('2d', { colorSpace: 'srgb', alpha: false })
  if (drawing === null) throw new MediaError('video-failed')
  return (sample) => {
    sample.draw(drawing, 0, 0, width, height)
    return canvas
  }
}

/** How the pictures are encoded. Throws MediaError if this computer can neither decode nor encode them. */
async function planEncoding(
  opened: OpenedVideo,
  cut: Cut,
  maxBytes: number,
  hardwareAcceleration: 'no-preference' | 'prefer-software' = 'no-preference',
): Promise<PicturePlan> {
  const { video, info, isReadable } = opened
  if (!isReadable)
    throw new MediaError((await video.getCodec()) === 'hevc' ? 'video-hevc' : 'video-undecodable')
  const size = convertedSize(info)
  const quality = new Quality({ bitrate: convertedBitsPerSecond(size, cut.seconds, maxBytes) })
  for (const { codec, container } of ENCODERS) {
    if (!(await canEncodeVideo(codec, { ...size, quality, hardwareAcceleration }))) continue
    const { count } = await measure(opened, cut)
    const keep = (await isCutByProcess(opened, cut))
      ? keepVisible<VideoSample>(cut.pictures, cut.start, cut.origin)
      : null
    const draw = (await isHdr(video)) ? drawerOf(size) : null
    const process = (sample: VideoSample) => {
      const kept = keep === null ? sample : keep(sample)
      return kept === null || draw === null ? kept : draw(kept)
    }
    const isTooFast = count / cut.seconds > VIDEO.framesPerSecond * FRAME_RATE_TOLERANCE
    const options: ConversionVideoOptions = {
      ...size,
      fit: 'fill',
      codec,
      quality,
      keyFrameInterval: KEY_FRAME_SECONDS,
      hardwareAcceleration,
      ...(isTooFast && { frameRate: VIDEO.framesPerSecond }),
      ...((keep !== null || draw !== null) && { process }),
    }
    return { isCopied: false, container, ...size, options }
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

/** How the sound gets into the result; null if it does not. */
async function planSound(
  opened: OpenedVideo,
  cut: Cut,
  container: 'mp4' | 'webm',
): Promise<ConversionAudioOptions | null> {
  const { audio } = opened
  if (audio === null || cut.heard.length === 0) return null
  if (!(await isCutByProcess(opened, cut)) && canCopySound(await audio.getCodecParameterString(), container))
    return {}
  if (!(await audio.canDecode())) return null
  const numberOfChannels = Math.min(2, await audio.getNumberOfChannels())
  const quality = new Quality({ bitrate: VIDEO.soundBitsPerSecond })
  const format = { numberOfChannels, sampleRate: SOUND_RATE }
  for (const codec of container === 'mp4' ? (['aac', 'opus'] as const) : (['opus'] as const)) {
    if (!(await canEncodeAudio(codec, { ...format, quality }))) continue
    const process = keepVisible<AudioSample>(cut.heard, cut.start, cut.origin)
    return { ...format, codec, quality, process }
  }
  return null
}

/** A video that can be stored. */
export interface ConvertedVideo extends Dimensions {
  video: Blob
  seconds: number
  /** There was sound, but this computer cannot decode it. */
  isSoundLost: boolean
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
  { edit, maxBytes = STORED_VIDEO_BYTES, onProgress }: ConvertOptions = {},
): Promise<ConvertedVideo> {
  return withVideo(source, async (opened, input) => {
    const cut = await cutOf(opened, edit)
    const run = (plan: PicturePlan) =>
      write(opened, input, cut, plan, { isMuted: edit?.isMuted === true, onProgress })
    const copy = await planCopy(opened, cut, maxBytes)
    const copied = copy === null ? null : await run(copy)
    if (copied !== null && copied.video.size <= maxBytes) return copied
    let bytes = maxBytes
    for (let encodings = 0; encodings < MAX_ENCODINGS; encodings += 1) {
      const encoded = await encode(opened, cut, bytes, run)
      if (encoded.video.size <= maxBytes) return encoded
      bytes *= (maxBytes / encoded.video.size) * NEXT_SHARE
    }
    throw new MediaError('video-too-large-after')
  })
}

/** Encodes with what the system prefers, and without hardware if that fails. */
async function encode(
  opened: OpenedVideo,
  cut: Cut,
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

interface WriteOptions {
  isMuted: boolean
  onProgress: ((fraction: number) => void) | undefined
}

/** Writes the new file; null if the pictures cannot be copied to it although they should. */
async function write(
  opened: OpenedVideo,
  input: Input,
  cut: Cut,
  plan: PicturePlan,
  { isMuted, onProgress }: WriteOptions,
): Promise<ConvertedVideo | null> {
  const { container } = plan
  const sound = isMuted ? null : await planSound(opened, cut, container)
  const codec = await opened.video.getCodec()
  const kept = {
    codec: codec === 'avc' || codec === 'hevc' ? codec : null,
    start: cut.start,
    sound: cut.heard,
  }
  const output = new CleanOutput(container === 'mp4' ? new Mp4OutputFormat() : new WebMOutputFormat(), kept)
  const options: ConversionOptions = {
    input,
    output,
    tags: {},
    showWarnings: false,
    trim: { start: cut.start, end: cut.pictures.at(-1)?.to ?? Number.POSITIVE_INFINITY },
    copy: { boundaryTolerance: HIDDEN_MAX, shiftTolerance: HIDDEN_MAX },
    video: (track) => (track === opened.video ? plan.options : { discard: true }),
    audio: (track) => (sound !== null && track === opened.audio ? sound : { discard: true }),
  }
  const conversion = await Conversion.init(options)
  if (plan.isCopied && !output.isVideoCopied) {
    await conversion.cancel()
    return null
  }
  // Losing the sound or the pictures silently would be worse than refusing the video.
  const lost = conversion.discardedTracks.filter(({ reason }) => reason !== 'discarded_by_user')
  if (lost.length > 0 || !conversion.isValid) throw new MediaError('video-failed')
  if (onProgress) conversion.onProgress = onProgress
  await conversion.execute()
  const { buffer } = output.target
  if (buffer === null) throw new MediaError('video-failed')
  if (container === 'mp4') eraseTimes(new DataView(buffer))
  return {
    video: new Blob([buffer], { type: `video/${container}` }),
    seconds: cut.seconds,
    width: plan.width,
    height: plan.height,
    isSoundLost: !isMuted && sound === null && opened.info.sound !== 'none',
  }
}
