import {
  createEncoder,
  encodeWithin,
  readPixels,
  storedType,
  toDataUrl,
} from '#/renderer/lib/media/picture/encode'
import { pictureSizes } from '#/renderer/lib/media/picture/picture-sizes'
import { thumbHashOf } from '#/renderer/lib/media/picture/process-picture'
import { fitWithin, scaleDown } from '#/renderer/lib/media/picture/scale'
import type { MediaKind } from '#/renderer/lib/media/source/kind-store'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import type { MediaFile } from '#/renderer/lib/media/source/media-file'
import { MEDIA_LIMITS, PICTURE, STORED_VIDEO_BYTES, VIDEO } from '#/shared/limits'
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
  /** A frame of at most 320 px and 20 KB, for a server without Storage. */
  thumbnailUrl: string
  /** The same frame at the size of pictures in grids, and its ThumbHash. */
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

const STILL_QUALITY = { min: 0.4, max: 0.8 }

/** Progress when the video is converted; then the still picture is made. */
const CONVERTED = 0.97

/**
 * Converts a chosen video for a server, and makes its still picture. It takes a second or many, so it runs in a worker. Throws
 * MediaError.
 *
 * @param onProgress receives the fraction done, from 0 to 1
 */
export async function prepareVideo(
  source: MediaFile,
  kind: MediaKind,
  edit: StoryEdit | null,
  onProgress: (fraction: number) => void,
): Promise<PreparedVideo> {
  const converted = await convertVideo(source, {
    edit: edit ?? undefined,
    maxBytes: kind === 'inline' ? MEDIA_LIMITS.video.bytes : STORED_VIDEO_BYTES,
    onProgress: (fraction) => onProgress(fraction * CONVERTED),
  })
  const { video, seconds, width, height, isSoundLost } = converted
  const cover = edit === null ? Math.min(STILL_AT, seconds / 2) : edit.cover - edit.from
  const still = await createStill(converted, cover)
  onProgress(1)
  const durationMs = Math.min(Math.round(seconds * 1_000), VIDEO.seconds * 1_000)
  return { video, ...still, width, height, durationMs, ...(isSoundLost && { isSoundLost }) }
}

/** Encodes a frame of the finished video as thumbnail and poster. */
async function createStill(
  { video, width, height }: ConvertedVideo,
  at: number,
): Promise<Pick<PreparedVideo, 'thumbnailUrl' | 'poster' | 'thumbhash'>> {
  const { grid } = pictureSizes({ width, height })
  const bitmap = await withPictures(video, (pictures) => pictures.read(at, grid.height, false))
  if (bitmap === null) throw new MediaError('video-broken')
  const frame = readPixels(bitmap, Math.max(grid.width, grid.height))
  const type = await storedType()
  const thumbnail = await encodeWithin(
    (side) => createEncoder(scaleDown(frame, fitWithin(frame, side)), type),
    Math.min(PICTURE.thumbnailSide, Math.max(frame.width, frame.height)),
    MEDIA_LIMITS.thumbnail.bytes,
    STILL_QUALITY,
  )
  return {
    thumbnailUrl: toDataUrl(thumbnail),
    poster: await createEncoder(frame, type)(STILL_QUALITY.max),
    thumbhash: thumbHashOf(frame),
  }
}
