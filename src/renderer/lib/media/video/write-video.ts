import {
  type AudioSource,
  BufferTarget,
  Conversion,
  type ConversionOptions,
  EncodedAudioPacketSource,
  EncodedVideoPacketSource,
  type Input,
  Mp4OutputFormat,
  Output,
  type OutputAudioTrack,
  type OutputVideoTrack,
  StreamTarget,
  type VideoSource,
  type VideoTrackMetadata,
} from 'mediabunny'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import { eraseTimes, type VisiblePart } from '#/renderer/lib/media/video-file/mp4-boxes'
import { bytesOf, createStreamCleaner, type MessageCodec } from '#/renderer/lib/media/video-file/user-data'
import { withFrameIndex } from '#/shared/frame-sizes'
import { VIDEO } from '#/shared/limits'
import type { Dimensions } from '#/shared/media-formats'
import type { OpenedVideo } from './open-video'
import { createPieces } from './pieces'
import { HIDDEN_MAX, type MeasuredCut, type PicturePlan, planSound } from './plan-conversion'
import { FRAME_RATE_TOLERANCE } from './video-plan'

/** Sound that stays before the visible start, because decoders need some to start. In seconds. */
const WARM_UP = 0.1

/** What is kept of a video: one video and one audio track, and the parts of them that are shown. */
interface Kept {
  codec: MessageCodec | 'vp9' | null
  /** Where the result starts, in the timestamps of mediabunny. In seconds. */
  start: number
  sound: readonly VisiblePart[]
  /** The most of each. */
  packets: { pictures: number; sound: number }
}

/** An output with nothing but the pictures and the sound: without names, languages and hidden sound. */
class CleanOutput extends Output<Mp4OutputFormat, BufferTarget | StreamTarget> {
  readonly #kept: Kept
  isVideoCopied = false

  constructor(target: BufferTarget | StreamTarget, kept: Kept) {
    const fastStart = target instanceof StreamTarget ? 'reserve' : 'in-memory'
    super({ format: new Mp4OutputFormat({ fastStart }), target })
    this.#kept = kept
  }

  override addVideoTrack(source: VideoSource, metadata: VideoTrackMetadata = {}): OutputVideoTrack {
    const { codec, packets } = this.#kept
    this.isVideoCopied = source instanceof EncodedVideoPacketSource
    if (source instanceof EncodedVideoPacketSource && codec !== null) {
      if (codec === 'vp9') addFrameIndexes(source)
      else removeUserData(source, codec)
    }
    const { name, languageCode, disposition, ...technical } = metadata
    return super.addVideoTrack(source, { ...technical, maximumPacketCount: packets.pictures })
  }

  override addAudioTrack(source: AudioSource): OutputAudioTrack {
    if (source instanceof EncodedAudioPacketSource) dropHiddenSound(source, this.#kept)
    return super.addAudioTrack(source, { maximumPacketCount: this.#kept.packets.sound })
  }
}

function removeUserData(source: EncodedVideoPacketSource, codec: MessageCodec): void {
  const add = source.add.bind(source)
  const { cleanConfiguration, cleanPacket } = createStreamCleaner(codec)
  source.add = (packet, meta) => {
    let config = meta?.decoderConfig
    if (config?.description !== undefined)
      config = { ...config, description: cleanConfiguration(bytesOf(config.description)) }
    const data = cleanPacket(packet.data)
    if (data.length === 0) return Promise.resolve()
    return add(packet.clone({ data }), config && { ...meta, decoderConfig: config })
  }
}

/** Servers read the size of each frame. */
function addFrameIndexes(source: EncodedVideoPacketSource): void {
  const add = source.add.bind(source)
  source.add = (packet, meta) => add(packet.clone({ data: withFrameIndex(packet.data) }), meta)
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
/** A video that can be stored. */
export interface ConvertedVideo extends Dimensions {
  video: Blob
  seconds: number
  hasSound: boolean
  /** There was sound, but this computer cannot decode it. */
  isSoundLost: boolean
}

/** A try that gave no video, because it would have had so many bytes. */
export interface TooLargeVideo {
  video: null
  bytes: number
}

interface WriteOptions {
  isMuted: boolean
  /** Most bytes of the result. */
  maxBytes: number
  onProgress: ((fraction: number) => void) | undefined
}

/** A file of more bytes is written in pieces, and its conversion ends early if it becomes too large. */
const WHOLE_BYTES = 45_000_000

/** Seconds of the result after which its size is known, and how much too large it may seem then: the pictures may become simpler. */
const [KNOWN_FROM, TOO_LARGE_BY] = [30, 1.1]

/** Bytes of a video of which this part is written, if it goes on like that; null while it may still fit. */
export function tooManyBytes(
  written: { bytes: number; seconds: number },
  { seconds, maxBytes }: { seconds: number; maxBytes: number },
): number | null {
  if (written.seconds < KNOWN_FROM) return null
  const bytes = Math.round((written.bytes / written.seconds) * seconds)
  return bytes > maxBytes * TOO_LARGE_BY ? bytes : null
}

/** Room for pictures that a copy keeps before its start, and that encoders add at its end. */
const MORE_PACKETS = 300

/** The most packets of the two tracks, for which room is kept. */
function mostPackets({ count, seconds }: MeasuredCut): { pictures: number; sound: number } {
  const sound = Math.ceil(VIDEO.soundPacketsPerSecond * (seconds + 1))
  const pictures = Math.max(count, Math.ceil(VIDEO.framesPerSecond * FRAME_RATE_TOLERANCE * seconds))
  return { pictures: pictures + MORE_PACKETS, sound: sound + MORE_PACKETS }
}

/** Writes the new file; null if the pictures cannot be copied to it although they should. */
export async function write(
  opened: OpenedVideo,
  input: Input,
  cut: MeasuredCut,
  plan: PicturePlan,
  { isMuted, maxBytes, onProgress }: WriteOptions,
): Promise<ConvertedVideo | TooLargeVideo | null> {
  const sound = isMuted ? null : await planSound(opened, cut)
  const codec = await opened.video.getCodec()
  const kept = {
    codec: codec === 'avc' || codec === 'hevc' || codec === 'av1' || codec === 'vp9' ? codec : null,
    start: cut.start,
    sound: cut.heard,
    packets: mostPackets(cut),
  }
  const expectedBytes = ((plan.bitsPerSecond + VIDEO.soundBitsPerSecond) * cut.seconds) / 8
  const pieces = expectedBytes > WHOLE_BYTES ? createPieces() : null
  const whole = new BufferTarget()
  const output = new CleanOutput(pieces?.target ?? whole, kept)
  const options: ConversionOptions = {
    input,
    output,
    tags: {},
    showWarnings: false,
    trim: { start: cut.start, end: cut.pictures.at(-1)?.to ?? cut.start },
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

  let tooMany = null as number | null
  conversion.onProgress = (fraction) => {
    onProgress?.(fraction)
    if (pieces === null || plan.isCopied || tooMany !== null) return
    const written = { bytes: pieces.size(), seconds: fraction * cut.seconds }
    tooMany = tooManyBytes(written, { seconds: cut.seconds, maxBytes })
    if (tooMany !== null) void conversion.cancel()
  }
  try {
    await conversion.execute()
  } catch (cause) {
    if (tooMany === null) throw cause
    return { video: null, bytes: tooMany }
  }
  const video = pieces?.file() ?? fileOf(whole)
  if (video.size > maxBytes) return { video: null, bytes: video.size }
  const { width, height } = plan
  const hasSound = sound !== null
  const isSoundLost = !isMuted && !hasSound && opened.info.sound !== 'none'
  return { video, seconds: cut.seconds, width, height, hasSound, isSoundLost }
}

/** The written file, without the times at which it was made. */
function fileOf({ buffer }: BufferTarget): Blob {
  if (buffer === null) throw new MediaError('video-failed')
  eraseTimes(new DataView(buffer))
  return new Blob([buffer], { type: 'video/mp4' })
}
