import { createEncoder, readPixels, storedType } from '#/renderer/lib/media/picture/encode'
import type { StoredPicture } from '#/renderer/lib/media/picture/picture-request'
import { pictureSizes } from '#/renderer/lib/media/picture/picture-sizes'
import { storePicture, thumbHashOf } from '#/renderer/lib/media/picture/process-picture'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import type { MediaFile } from '#/renderer/lib/media/source/media-file'
import type { VideoRules } from '#/shared/limits'
import { convertVideo } from './convert-video'
import type { VideoEdit } from './plan-conversion'
import { withPictures } from './read-pictures'
import type { ConvertedVideo } from './write-video'

/** What a member chose of a video; `cover` is the time of its still picture. In seconds of the video as it is shown. */
export interface ClipEdit extends VideoEdit {
  cover: number
}

/** A video ready to be shared: only its visible pictures and its sound. */
interface ReadyVideo {
  video: Blob
  durationMs: number
  /** There was sound, but this computer cannot decode it. */
  isSoundLost?: true
}

/** A video for a story, with a still picture. */
export interface PreparedVideo extends ReadyVideo {
  /** A frame at the size of pictures in grids, and its ThumbHash. */
  poster: Blob
  thumbhash: string
  /** In pixels. */
  width: number
  height: number
}

/** A video for a post, with a frame in the sizes of a photo. */
export interface PreparedPostVideo extends ReadyVideo {
  cover: StoredPicture
  hasSound: boolean
}

/** Time of the still picture, in seconds: many videos start with a black frame. */
const STILL_AT = 0.5

const STILL_QUALITY = 0.8

/** Progress when the video is converted; then the still picture is made. */
const CONVERTED = 0.97

interface VideoOptions {
  edit: ClipEdit | null
  rules: VideoRules
  /** Receives the fraction done, from 0 to 1. */
  onProgress: (fraction: number) => void
}

/**
 * Converts a chosen video for a story, and makes its still picture. It takes a second or many, so it runs in a worker. Throws MediaError.
 */
export async function prepareVideo(source: MediaFile, options: VideoOptions): Promise<PreparedVideo> {
  const { converted, ready, coverAt } = await convert(source, options)
  const { width, height } = converted
  const still = await createStill(converted, coverAt)
  options.onProgress(1)
  return { ...ready, ...still, width, height }
}

/** The same for a post. */
export async function preparePostVideo(source: MediaFile, options: VideoOptions): Promise<PreparedPostVideo> {
  const { converted, ready, coverAt } = await convert(source, options)
  const { hasSound, height } = converted
  const cover = await storePicture(await frameOf(converted, coverAt, height))
  options.onProgress(1)
  return { ...ready, cover, hasSound }
}

async function convert(source: MediaFile, { edit, rules, onProgress }: VideoOptions) {
  const converted = await convertVideo(source, {
    edit: edit ?? undefined,
    rules,
    onProgress: (fraction) => onProgress(fraction * CONVERTED),
  })
  const { video, seconds, isSoundLost } = converted
  const durationMs = Math.max(1, Math.min(Math.round(seconds * 1_000), rules.seconds * 1_000))
  const ready: ReadyVideo = { video, durationMs, ...(isSoundLost && { isSoundLost }) }
  return {
    converted,
    ready,
    coverAt: edit === null ? Math.min(STILL_AT, seconds / 2) : edit.cover - edit.from,
  }
}

/** A frame of the finished video. */
async function frameOf({ video }: ConvertedVideo, at: number, height: number): Promise<ImageBitmap> {
  const bitmap = await withPictures(video, (pictures) => pictures.read(at, height, false))
  if (bitmap === null) throw new MediaError('video-broken')
  return bitmap
}

/** Encodes a frame of the finished video. */
async function createStill(
  converted: ConvertedVideo,
  at: number,
): Promise<Pick<PreparedVideo, 'poster' | 'thumbhash'>> {
  const { grid } = pictureSizes(converted)
  const bitmap = await frameOf(converted, at, grid.height)
  const frame = readPixels(bitmap, Math.max(grid.width, grid.height))
  return {
    poster: await createEncoder(frame, await storedType())(STILL_QUALITY),
    thumbhash: thumbHashOf(frame),
  }
}
