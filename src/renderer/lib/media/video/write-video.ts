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
  type VideoSource,
  type VideoTrackMetadata,
  WebMOutputFormat,
} from 'mediabunny'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import { eraseTimes, type VisiblePart } from '#/renderer/lib/media/video-file/mp4-boxes'
import { bytesOf, createStreamCleaner, type MessageCodec } from '#/renderer/lib/media/video-file/user-data'
import { withFrameIndex } from '#/shared/frame-sizes'
import type { Dimensions } from '#/shared/media-formats'
import type { OpenedVideo } from './open-video'
import { type Cut, HIDDEN_MAX, type PicturePlan, planSound } from './plan-conversion'

/** Sound that stays before the visible start, because decoders need some to start. In seconds. */
const WARM_UP = 0.1

/** What is kept of a video: one video and one audio track, and the parts of them that are shown. */
interface Kept {
  codec: MessageCodec | 'vp9' | null
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
    if (source instanceof EncodedVideoPacketSource && codec !== null) {
      if (codec === 'vp9') addFrameIndexes(source)
      else removeUserData(source, codec)
    }
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

/** Servers read the size of each frame, and transparency is frames of its own. */
function addFrameIndexes(source: EncodedVideoPacketSource): void {
  const add = source.add.bind(source)
  source.add = (packet, meta) => {
    const { alpha } = packet.sideData
    const sideData = alpha === undefined ? packet.sideData : { alpha: withFrameIndex(alpha) }
    return add(packet.clone({ data: withFrameIndex(packet.data), sideData }), meta)
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
/** A video that can be stored. */
export interface ConvertedVideo extends Dimensions {
  video: Blob
  seconds: number
  /** There was sound, but this computer cannot decode it. */
  isSoundLost: boolean
}
interface WriteOptions {
  isMuted: boolean
  onProgress: ((fraction: number) => void) | undefined
}

/** Writes the new file; null if the pictures cannot be copied to it although they should. */
export async function write(
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
    codec: codec === 'avc' || codec === 'hevc' || codec === 'av1' || codec === 'vp9' ? codec : null,
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
