import { createEncoder, readPixels, storedType } from '#/renderer/lib/media/picture/encode'
import { pictureSizes } from '#/renderer/lib/media/picture/picture-sizes'
import { thumbHashOf } from '#/renderer/lib/media/picture/process-picture'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import type { MediaFile } from '#/renderer/lib/media/source/media-file'
import { STORY_VIDEO_BYTES, VIDEO } from '#/shared/limits'
import { convertVideo } from './convert-video'
import type { VideoEdit } from './plan-conversion'
import { withPictures } from './read-pictures'
import type { ConvertedVideo } from './write-video'

/** What a member chose of a video; `cover` is the time of its still picture. In seconds of the video as it is shown. */
export interface StoryEdit extends VideoEdit {
  cover: number
}

/** A video for a story, with a still picture: only its visible pictures and its sound. */
export interface PreparedVideo {
  video: Blob
  /** A frame at the size of pictures in grids, and its ThumbHash. */
  poster: Blob
  thumbhash: string
  /** In pixels. */
  width: number
  height: number
  durationMs: number
  /** There was sound, but this computer cannot decode it. */
  isSoundLost?: true
}

/** Time of the still picture, in seconds: many videos start with a black frame. */
const STILL_AT = 0.5

const STILL_QUALITY = 0.8

/** Progress when the video is converted; then the still picture is made. */
const CONVERTED = 0.97

/**
 * Converts a chosen video, and makes its still picture. It takes a second or many, so it runs in a worker. Throws
 * MediaError.
 *
 * @param onProgress receives the fraction done, from 0 to 1
 */
export async function prepareVideo(
  source: MediaFile,
  edit: StoryEdit | null,
  onProgress: (fraction: number) => void,
): Promise<PreparedVideo> {
  const converted = await convertVideo(source, {
    edit: edit ?? undefined,
    maxBytes: STORY_VIDEO_BYTES,
    onProgress: (fraction) => onProgress(fraction * CONVERTED),
  })
  const { video, seconds, width, height, isSoundLost } = converted
  const cover = edit === null ? Math.min(STILL_AT, seconds / 2) : edit.cover - edit.from
  const still = await createStill(converted, cover)
  onProgress(1)
  const durationMs = Math.min(Math.round(seconds * 1_000), VIDEO.seconds * 1_000)
  return { video, ...still, width, height, durationMs, ...(isSoundLost && { isSoundLost }) }
}

/** Encodes a frame of the finished video. */
async function createStill(
  { video, width, height }: ConvertedVideo,
  at: number,
): Promise<Pick<PreparedVideo, 'poster' | 'thumbhash'>> {
  const { grid } = pictureSizes({ width, height })
  const bitmap = await withPictures(video, (pictures) => pictures.read(at, grid.height, false))
  if (bitmap === null) throw new MediaError('video-broken')
  const frame = readPixels(bitmap, Math.max(grid.width, grid.height))
  return {
    poster: await createEncoder(frame, await storedType())(STILL_QUALITY),
    thumbhash: thumbHashOf(frame),
  }
}
