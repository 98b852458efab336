import { MEDIA_LIMITS, MEDIA_SIDES, PICTURE, SOURCE_LIMITS } from '#/shared/limits'
import { isPhoto, isVideo, SNIFF_BYTES, sniffMedia, type VideoKind } from '#/shared/media-formats'
import { checkBytes } from './check-source'
import { readAsDataUrl } from './data-url'
import { createEncoder, encodeWithin, storedType } from './encode'
import { MediaError } from './media-error'
import { type PhotoNote, photoNote } from './photo-note'
import { pictureSizes } from './picture-sizes'
import { type PreparedPicture, type PrepareOptions, preparePicture } from './prepare-picture'
import { thumbHashOf } from './process-picture'
import { fitWithin, type Pixels, scaleDown } from './scale'
import { hasTooManyPixels } from './video-pixels'

/** A photo or video ready for a story. */
/** `note` only while the member composes the story. */
export type PreparedMedia =
  | ({ kind: 'image'; note?: PhotoNote } & PreparedPicture)
  | ({ kind: 'video' } & PreparedVideo)

/**
 * Prepares a chosen file for a story, as a photo or video depending on its bytes. Checks its size before reading it.
 * Throws MediaError, or the signal's reason after an abort.
 */
export async function prepareStoryMedia(source: Blob, options: PrepareOptions = {}): Promise<PreparedMedia> {
  if (source.size === 0) throw new MediaError('empty')
  const kind = sniffMedia(await headOf(source))
  if (isVideo(kind)) return { kind: 'video', ...(await prepareVideo(source, kind, options)) }
  if (!isPhoto(kind) && kind !== 'svg') throw new MediaError('not-media')
  checkBytes(source)
  const note = await photoNote(source)
  return { kind: 'image', ...(note && { note }), ...(await preparePicture(source, options)) }
}

/** Throws MediaError 'failed' if the file was moved or changed after it was chosen, or is a folder. */
async function headOf(source: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await source.slice(0, SNIFF_BYTES).arrayBuffer())
  } catch (cause) {
    throw new MediaError('failed', { cause })
  }
}

/** A video for a story, with a thumbnail: only its visible pictures and its sound. */
export interface PreparedVideo {
  video: Blob
  /** A frame of at most 320 px and 20 KB, for a server without Storage. */
  thumbnailUrl: string
  /** The same frame at the size of pictures in grids, and its ThumbHash. */
  poster: Blob
  thumbhash: string
  /** In pixels. */
  width: number
  height: number
  durationMs: number
}

/** Timeout for the video element, in milliseconds. */
const TIMEOUT_MS = 20_000
/** Time of the thumbnail frame, in seconds: many videos start with a black frame. */
const STILL_AT = 0.5
/** A time after the end of any video: seeking there makes Chromium determine a missing duration. */
const FAR_AWAY = 1e7
/** Allowed excess duration, in seconds: encoders round up to whole frames. */
const TOLERANCE = 0.05

const STILL_QUALITY = { min: 0.4, max: 0.8 }

/** Progress when the duration is known and when the metadata are removed; then the thumbnail is made. */
const CHECKED = 0.1
const CLEANED = 0.9

/** Returns the container of a video. Refuses it by container and size, without decoding: throws MediaError. */
export function checkVideo(kind: VideoKind, size: number): 'mp4' | 'webm' {
  if (size > SOURCE_LIMITS.videoBytes) throw new MediaError('video-too-large')
  if (kind === 'quicktime') throw new MediaError('video-unsupported')
  return kind
}

/** Refuses a video by its decoded duration in seconds. Throws MediaError. */
export function checkLength(seconds: number): void {
  if (!(seconds > 0)) throw new MediaError('video-broken')
  if (seconds > SOURCE_LIMITS.videoSeconds + TOLERANCE) throw new MediaError('video-too-long')
}

/**
 * Checks a chosen video, removes everything but its visible pictures and its sound, and creates its thumbnail. Throws
 * MediaError, or the signal's reason after an abort.
 */
export async function prepareVideo(
  source: Blob,
  kind: VideoKind,
  { signal, onProgress }: PrepareOptions = {},
): Promise<PreparedVideo> {
  const container = checkVideo(kind, source.size)
  const chosen = source.slice(0, source.size, `video/${container}`)
  // Before the metadata are removed, which may take a while for a long video.
  await openVideo(chosen, signal, measure)
  onProgress?.(CHECKED)
  const video = await clean(chosen, container, {
    ...(signal && { signal }),
    onProgress: (fraction) => onProgress?.(CHECKED + fraction * (CLEANED - CHECKED)),
  })
  checkVideo(kind, video.size)
  const prepared = await openVideo(video, signal, async (element, timeout) => {
    const { width, height, duration } = await measure(element, timeout)
    await seek(element, Math.min(STILL_AT, duration / 2), timeout)
    const durationMs = Math.min(Math.round(duration * 1_000), SOURCE_LIMITS.videoSeconds * 1_000)
    return { video, ...(await createStill(element)), width, height, durationMs }
  })
  onProgress?.(1)
  return prepared
}

/** Loads the code that reads and writes videos: few members choose one. */
async function clean(source: Blob, container: 'mp4' | 'webm', options: PrepareOptions): Promise<Blob> {
  try {
    const { cleanVideo } = await import('./clean-video')
    return await cleanVideo(source, container, options)
  } catch (cause) {
    if (options.signal?.aborted) throw options.signal.reason
    throw cause instanceof MediaError ? cause : new MediaError('video-failed', { cause })
  }
}

/** Calls `read` with a video element that shows the first frame. Throws MediaError, or the signal's reason after an abort. */
async function openVideo<T>(
  source: Blob,
  signal: AbortSignal | undefined,
  read: (video: HTMLVideoElement, timeout: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const url = URL.createObjectURL(source)
  const video = document.createElement('video')
  const timeout = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])])
  try {
    video.muted = true
    video.preload = 'auto'
    video.src = url
    await waitForEvent(video, 'loadeddata', timeout)
    const result = await read(video, timeout)
    signal?.throwIfAborted()
    return result
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    throw cause instanceof MediaError ? cause : new MediaError('video-failed', { cause })
  } finally {
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(url)
  }
}

/** Reads the size in pixels and the duration in seconds. Throws MediaError if a story cannot show them. */
async function measure(
  video: HTMLVideoElement,
  timeout: AbortSignal,
): Promise<{ width: number; height: number; duration: number }> {
  const duration = await readDuration(video, timeout)
  checkLength(duration)
  const { videoWidth: width, videoHeight: height } = video
  if (width === 0 || Math.max(width, height) > MEDIA_SIDES.story) throw new MediaError('video-broken')
  if (hasTooManyPixels(video)) throw new MediaError('video-too-many-pixels')
  return { width, height, duration }
}

/** A recording that was streamed to disk has no duration: Chromium determines it by seeking to the end. */
async function readDuration(video: HTMLVideoElement, signal: AbortSignal): Promise<number> {
  if (!Number.isFinite(video.duration)) await seek(video, FAR_AWAY, signal)
  return Number.isFinite(video.duration) ? video.duration : video.currentTime
}

async function seek(video: HTMLVideoElement, seconds: number, signal: AbortSignal): Promise<void> {
  const arrived = waitForEvent(video, 'seeked', signal)
  video.currentTime = seconds
  await arrived
}

function waitForEvent(
  video: HTMLVideoElement,
  event: 'loadeddata' | 'seeked',
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const done = new AbortController()
    const end = (settle: () => void) => () => {
      done.abort()
      settle()
    }
    const options = { signal: done.signal }
    video.addEventListener(event, end(resolve), options)
    video.addEventListener(
      'error',
      end(() => reject(new MediaError('video-broken', { cause: video.error }))),
      options,
    )
    signal.addEventListener(
      'abort',
      end(() => reject(signal.reason)),
      options,
    )
  })
}

/** Encodes the current frame as thumbnail and poster. */
async function createStill(
  video: HTMLVideoElement,
): Promise<Pick<PreparedVideo, 'thumbnailUrl' | 'poster' | 'thumbhash'>> {
  const { width, height } = pictureSizes({ width: video.videoWidth, height: video.videoHeight }).grid
  const drawing = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (drawing === null) throw new MediaError('video-failed')
  drawing.imageSmoothingQuality = 'high'
  drawing.drawImage(video, 0, 0, width, height)
  const { data } = drawing.getImageData(0, 0, width, height)
  const frame: Pixels = { width, height, data, colorSpace: 'srgb' }
  const type = await storedType()
  const thumbnail = await encodeWithin(
    (side) => createEncoder(scaleDown(frame, fitWithin(frame, side)), type),
    Math.min(PICTURE.thumbnailSide, Math.max(width, height)),
    MEDIA_LIMITS.thumbnail.bytes,
    STILL_QUALITY,
  )
  return {
    thumbnailUrl: await readAsDataUrl(thumbnail),
    poster: await createEncoder(frame, type)(STILL_QUALITY.max),
    thumbhash: thumbHashOf(frame),
  }
}
