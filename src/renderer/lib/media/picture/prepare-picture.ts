import { blobOfDataUrl } from '#/renderer/lib/browser/data-url'
import { checkBytes } from '#/renderer/lib/media/source/check-source'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import type { Dimensions } from '#/shared/media-formats'
import { editedSize, type SquareCrop, UNEDITED } from './picture-edit'
import { prepared, shown } from './picture-queue-store'
import type {
  EditOptions,
  PreparedPicture,
  PrepareOptions,
  StoredPicture,
  ViewablePicture,
} from './picture-request'
import { fullSize } from './picture-sizes'

/** A small version of an edited photo, and about the size of the picture that will be stored. */
export interface PicturePreview extends Dimensions {
  file: Blob
  colorSpace: PredefinedColorSpace
  /** Of the whole photo. */
  original: Dimensions
}

/**
 * Prepares a chosen photo in a worker: upright, sRGB, within its size limits, without EXIF. Throws
 * MediaError, or the signal's reason after an abort.
 */
export async function preparePicture(source: Blob, options?: EditOptions): Promise<StoredPicture> {
  checkBytes(source)
  return prepared.prepare(source, options)
}

/** Longest side of the version that is shown before a photo is prepared, and of the one that is cropped to a profile photo, in pixels. */
const [PREVIEW_SIDE, VIEW_SIDE] = [1_200, 1_400]

/**
 * The picture that a camera stored in the file, or another small version that takes little time; null if the format has none. Throws like
 * `preparePicture`.
 */
export async function previewPicture(
  source: Blob,
  options?: Pick<PrepareOptions, 'signal'>,
): Promise<Blob | null> {
  checkBytes(source)
  return (await shown.preview(source, { side: PREVIEW_SIDE, isQuick: true }, options))?.preview ?? null
}

/**
 * A version of an edited photo to show before it is prepared, made from the smallest one that its file or format offers. Throws like
 * `preparePicture`.
 */
export async function previewEdited(
  source: Blob,
  { edit = UNEDITED, signal }: Pick<EditOptions, 'edit' | 'signal'> = {},
): Promise<PicturePreview> {
  checkBytes(source)
  const options = { edit, ...(signal && { signal }) }
  // Photos that take long do not keep the others waiting.
  const picture =
    (await shown.preview(source, { side: PREVIEW_SIDE, isQuick: true }, options)) ??
    (await shown.preview(source, { side: PREVIEW_SIDE, isQuick: false }, options))
  if (picture === null) throw new MediaError('failed')
  const { preview: file, colorSpace, width, height } = picture
  const original = { width, height }
  return { file, colorSpace, original, ...fullSize(editedSize(original, edit)) }
}

/** Decodes a whole chosen photo, and returns a version of it to crop. Throws like `preparePicture`. */
export async function viewPicture(
  source: Blob,
  options?: Pick<PrepareOptions, 'signal'>,
): Promise<ViewablePicture> {
  checkBytes(source)
  const picture = await shown.preview(source, { side: VIEW_SIDE, isQuick: false }, options)
  if (picture === null) throw new MediaError('failed')
  return picture
}

/** Crops a photo to a profile picture in a worker: see `processAvatar`. Throws like `preparePicture`. */
export async function prepareAvatar(
  source: Blob,
  crop: SquareCrop,
  options?: Pick<PrepareOptions, 'signal'>,
): Promise<Blob> {
  checkBytes(source)
  return shown.crop(source, crop, options)
}

/** A picture for Storage; one that an earlier build prepared as data URLs is prepared again from those. */
export async function toStoredPicture(picture: PreparedPicture): Promise<StoredPicture> {
  if ('full' in picture) return picture
  return prepared.prepare(await blobOfDataUrl(picture.dataUrl))
}
