import {
  type AudioSample,
  type AudioSource,
  BufferSource,
  BufferTarget,
  Conversion,
  type ConversionOptions,
  EncodedAudioPacketSource,
  EncodedVideoPacketSource,
  Input,
  type InputTrack,
  MP4,
  Mp4OutputFormat,
  Output,
  type OutputAudioTrack,
  type OutputVideoTrack,
  type VideoSample,
  type VideoSource,
  type VideoTrackMetadata,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny'
import { MediaError } from './media-error'
import { type Edit, editLists, eraseTimes, type VisiblePart, visibleParts } from './mp4-boxes'
import type { PrepareOptions } from './prepare-picture'
import { lengthSizeOf, type MessageCodec, withoutConfiguredUserData, withoutUserData } from './user-data'

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

  constructor(format: Mp4OutputFormat | WebMOutputFormat, kept: Kept) {
    super({ format, target: new BufferTarget() })
    this.#kept = kept
  }

  override addVideoTrack(source: VideoSource, metadata: VideoTrackMetadata = {}): OutputVideoTrack {
    const { codec } = this.#kept
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
  let lengthSize = 4
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
    const data = withoutUserData(packet.data, codec, lengthSize)
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

/** Keeps frames and sound of these parts, at the times at which they are shown. */
function keepVisible<Sample extends VideoSample | AudioSample>(
  parts: readonly VisiblePart[],
  start: number,
): (sample: Sample) => Sample | null {
  return (sample) => {
    const at = sample.timestamp + start
    const part = parts.find(({ from, to }) => at >= from - ROUNDING / 2 && at < to - ROUNDING / 2)
    if (part === undefined) return null
    sample.setTimestamp(sample.timestamp + part.shift)
    return sample
  }
}

/** The track that players show: the first one in a known codec. */
async function firstKnown<Track extends InputTrack>(tracks: readonly Track[]): Promise<Track | null> {
  for (const track of tracks) if ((await track.getCodec()) !== null) return track
  return null
}

function partsOf(edits: Map<number, Edit[]>, track: InputTrack): readonly VisiblePart[] {
  const parts = visibleParts(edits.get(track.id))
  if (parts === null) throw new MediaError('video-unsupported')
  return parts
}

/**
 * A copy of a video without anything but its visible pictures and its sound: no place, device, times and titles, no
 * chapters, attachments and further tracks, and nothing that an edit list hides. Packets are copied; pictures are
 * encoded again if more than a second of them would stay hidden. Throws MediaError, or the signal's reason after an abort.
 */
export async function cleanVideo(
  source: Blob,
  kind: 'mp4' | 'webm',
  { signal, onProgress }: PrepareOptions = {},
): Promise<Blob> {
  // A copy: the file may be changed or deleted meanwhile.
  const bytes = await source.arrayBuffer()
  signal?.throwIfAborted()
  const input = new Input({ source: new BufferSource(bytes), formats: [kind === 'mp4' ? MP4 : WEBM] })
  try {
    const edits = kind === 'mp4' ? editLists(new DataView(bytes)) : new Map<number, Edit[]>()
    const { output, options } = await planConversion(input, kind, edits)
    const conversion = await Conversion.init({ ...options, input, output })
    // Losing the sound or the pictures silently would be worse than refusing the video.
    const lost = conversion.discardedTracks.filter(({ reason }) => reason !== 'discarded_by_user')
    if (lost.length > 0 || !conversion.isValid) throw new MediaError('video-unsupported')
    signal?.throwIfAborted()
    if (onProgress) conversion.onProgress = onProgress
    const cancel = () => void conversion.cancel()
    signal?.addEventListener('abort', cancel)
    try {
      await conversion.execute()
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
    const { buffer } = output.target
    if (buffer === null) throw new MediaError('video-failed')
    if (kind === 'mp4') eraseTimes(new DataView(buffer))
    return new Blob([buffer], { type: `video/${kind}` })
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    throw cause instanceof MediaError ? cause : new MediaError('video-broken', { cause })
  } finally {
    input.dispose()
  }
}

/** Which tracks and parts are kept, and whether their packets can be copied. */
async function planConversion(
  input: Input,
  kind: 'mp4' | 'webm',
  edits: Map<number, Edit[]>,
): Promise<{ output: CleanOutput; options: Omit<ConversionOptions, 'input' | 'output'> }> {
  const video = await firstKnown(await input.getVideoTracks())
  const audio = await firstKnown(await input.getAudioTracks())
  if (video === null) throw new MediaError('video-broken')
  const pictures = partsOf(edits, video)
  const sound = audio === null ? [] : partsOf(edits, audio)
  const tracks: [InputTrack, readonly VisiblePart[]][] = [[video, pictures]]
  if (audio !== null) tracks.push([audio, sound])

  const starts = await Promise.all(
    tracks.map(async ([track, [first]]) => Math.max(await track.getFirstTimestamp(), first?.from ?? 0)),
  )
  const start = Math.max(0, Math.min(...starts))
  const shownFrom = pictures[0]?.from ?? 0
  const shownTo = pictures.at(-1)?.to ?? Number.POSITIVE_INFINITY
  // The pictures of a track that starts later would be shown from its first packet.
  const hasEarlyPictures = shownFrom > start && (await video.getFirstTimestamp()) < shownFrom - ROUNDING
  const isEncoded = hasEarlyPictures || pictures.length > 1 || sound.length > 1
  const hidesEnd = (await video.computeDuration()) > shownTo + ROUNDING

  const codec = await video.getCodec()
  const kept = { codec: codec === 'avc' || codec === 'hevc' ? codec : null, start, sound }
  const output = new CleanOutput(kind === 'mp4' ? new Mp4OutputFormat() : new WebMOutputFormat(), kept)
  return {
    output,
    options: {
      tags: {},
      showWarnings: false,
      trim: { start, ...(hidesEnd && { end: shownTo }) },
      copy: isEncoded ? false : { boundaryTolerance: HIDDEN_MAX, shiftTolerance: HIDDEN_MAX },
      video: (track) => {
        if (track !== video) return { discard: true }
        if (isEncoded) return { process: keepVisible<VideoSample>(pictures, start) }
        return { alpha: kind === 'webm' ? 'keep' : 'discard' }
      },
      audio: (track) => {
        if (track !== audio) return { discard: true }
        return isEncoded ? { process: keepVisible<AudioSample>(sound, start) } : {}
      },
    },
  }
}
