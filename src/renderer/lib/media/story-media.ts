import type { PreparedPicture, PrepareOptions } from '#/renderer/lib/media/picture/picture-request'
import { STORY_VIDEO, type VideoRules } from '#/shared/limits'
import {
  type MediaKind as FileKind,
  isOtherVideo,
  isPhoto,
  isVideo,
  SNIFF_BYTES,
  sniffMedia,
} from '#/shared/media-formats'
import { type PhotoNote, photoNote } from './metadata/photo-note'
import { type PicturePreview, preparePicture } from './picture/prepare-picture'
import { checkBytes } from './source/check-source'
import { MediaError } from './source/media-error'
import { blobOf, type MediaFile, readPart } from './source/media-file'
import type { VideoInfo } from './video/open-video'
import type { ClipEdit, PreparedPostVideo, PreparedVideo } from './video/prepare-video'
import { convertedSize } from './video/video-plan'
import type { VideoPictures } from './video/video-worker'

/** A photo or video ready for a story; `note` only while the member composes it. */
export type PreparedMedia =
  | ({ kind: 'image'; note?: PhotoNote } & PreparedPicture)
  | ({ kind: 'video' } & PreparedVideo)

export interface StoryOptions extends PrepareOptions {
  /** What is kept of a video; by default its first 60 seconds. */
  edit?: ClipEdit
}

/**
 * Prepares a chosen file for a story, as a photo or video depending on its bytes. Checks its size before reading it.
 * Throws MediaError, or the signal's reason after an abort.
 */
export async function prepareStoryMedia(
  source: MediaFile,
  { edit, ...options }: StoryOptions = {},
): Promise<PreparedMedia> {
  const kind = await kindOfMedia(source, STORY_VIDEO)
  if (isVideo(kind)) return { kind: 'video', ...(await prepareVideo(source, edit ?? null, options)) }
  if (!isPhoto(kind) && kind !== 'other-picture') throw new MediaError('not-media')
  checkBytes(source)
  const photo = await blobOf(source)
  const note = await photoNote(photo)
  return { kind: 'image', ...(note && { note }), ...(await preparePicture(photo, options)) }
}

/** What a chosen file is, by its first bytes. Throws MediaError if it is empty, too large or no kind that is read here. */
async function kindOfMedia(source: MediaFile, rules: VideoRules): Promise<FileKind> {
  if (source.size === 0) throw new MediaError('empty')
  const kind = sniffMedia(await headOf(source))
  if (isOtherVideo(kind)) throw new MediaError('video-container')
  if (isVideo(kind) && source.size > rules.sourceBytes)
    throw new MediaError(
      rules.sourceBytes > STORY_VIDEO.sourceBytes ? 'video-too-large-for-post' : 'video-too-large',
    )
  return kind
}

/** Describes a chosen video; null for a photo. Throws MediaError, or the signal's reason after an abort. */
export async function examineVideo(
  source: MediaFile,
  rules: VideoRules,
  options: PrepareOptions = {},
): Promise<VideoInfo | null> {
  if (!isVideo(await kindOfMedia(source, rules))) return null
  const { examine } = await import('./video/video-worker')
  return examine(source, rules, options)
}

/** Starts to read pictures of a video, for its editor. Rejects if the code cannot be loaded. */
export async function openVideoPictures(source: MediaFile): Promise<VideoPictures> {
  const { openPictures } = await import('./video/video-worker')
  return openPictures(source)
}

/** Height and quality of the frame that is shown before a video is converted. */
const PREVIEW = { height: 1_080, quality: 0.85 } as const

/** A frame of a chosen video, and about the size of the pictures that will be stored. Throws MediaError, or the signal's reason after an abort. */
export async function previewVideo(
  source: MediaFile,
  info: VideoInfo,
  { at, signal }: Pick<PrepareOptions, 'signal'> & { at: number },
): Promise<PicturePreview> {
  const pictures = await openVideoPictures(source)
  signal?.addEventListener('abort', pictures.close)
  try {
    const bitmap = await pictures.read(at, Math.min(PREVIEW.height, info.height), false)
    signal?.throwIfAborted()
    if (bitmap === null) throw new MediaError('video-broken')
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap)
    const file = await canvas.convertToBlob({ type: 'image/jpeg', quality: PREVIEW.quality })
    const { width, height } = info
    return { file, colorSpace: 'srgb', original: { width, height }, ...convertedSize(info) }
  } finally {
    signal?.removeEventListener('abort', pictures.close)
    pictures.close()
  }
}

/** Whether a file is a video by its first bytes; false if it cannot be read. */
export async function isVideoFile(source: MediaFile): Promise<boolean> {
  return headOf(source).then(
    (head) => isVideo(sniffMedia(head)) || isOtherVideo(sniffMedia(head)),
    () => false,
  )
}

/** Throws MediaError if the file was moved or changed after it was chosen, or is a folder. */
async function headOf(source: MediaFile): Promise<Uint8Array> {
  try {
    return await readPart(source, 0, SNIFF_BYTES)
  } catch (cause) {
    throw new MediaError(source instanceof Blob ? 'failed' : 'video-changed', { cause })
  }
}

/**
 * Converts a video in a worker; see video-plan.ts. Without an edit its first 60 seconds are kept. Throws
 * MediaError, or the signal's reason after an abort.
 */
async function prepareVideo(
  source: MediaFile,
  edit: ClipEdit | null,
  options: PrepareOptions = {},
): Promise<PreparedVideo> {
  const { prepare } = await import('./video/video-worker')
  return prepare(source, { edit, rules: STORY_VIDEO }, options)
}

interface PostVideoOptions extends PrepareOptions {
  edit: ClipEdit
  rules: VideoRules
}

/** The same for a post, with a cover in the sizes of a photo. A server may take fewer bytes than POST_VIDEO. */
export async function preparePostVideo(
  source: MediaFile,
  { edit, rules, ...options }: PostVideoOptions,
): Promise<PreparedPostVideo> {
  if (!isVideo(await kindOfMedia(source, rules))) throw new MediaError('not-media')
  const { preparePost } = await import('./video/video-worker')
  return preparePost(source, { edit, rules }, options)
}
