import type { NewPhoto } from '#/renderer/features/feed'
import { CAMERA_FIELDS, type CameraDetails, type CameraField } from '#/renderer/lib/content/camera'
import { newId } from '#/renderer/lib/core/uuid'
import {
  type MediaErrorCode,
  type PhotoNote,
  type PictureEdit,
  type PicturePreview,
  type PreparedPicture,
  UNEDITED,
} from '#/renderer/lib/media'
import { trimText } from '#/shared/visible-text'

/** A photo of the draft. */
export interface DraftPhoto {
  id: string
  /** The chosen file; edits always start from it. */
  source: Blob
  edit: PictureEdit
  altText: string
  /** All camera details in the file; only those in `shown` are stored. */
  camera: CameraDetails
  /** The details that the member has chosen to show; initially none. */
  shown: readonly CameraField[]
  note: PhotoNote | null
  /** A small version with the edit, or an earlier one; null until the file is decoded. Not stored. */
  preview: PicturePreview | null
  /** The picture as it would be shared, or with an earlier edit while `work` is set; null until it is prepared for the first time. */
  picture: PreparedPicture | null
  /** Set until the picture is prepared with its edit: the fraction done, and why the last attempt failed. */
  work: { progress: number; failure: MediaErrorCode | null } | null
}

/** Work that has not started. */
export const UNPREPARED: NonNullable<DraftPhoto['work']> = { progress: 0, failure: null }

/** A photo that has just been chosen. */
export function newPhoto(
  source: Blob,
  { note, camera = {} }: Pick<DraftPhoto, 'note'> & Partial<Pick<DraftPhoto, 'camera'>>,
): DraftPhoto {
  return {
    id: newId(),
    source,
    edit: UNEDITED,
    altText: '',
    camera,
    shown: [],
    note,
    preview: null,
    picture: null,
    work: UNPREPARED,
  }
}

/** Returns the chosen details of a photo, in display order; null for none. */
export function shownCamera({ camera, shown }: Pick<DraftPhoto, 'camera' | 'shown'>): CameraDetails | null {
  const texts = CAMERA_FIELDS.filter((field) => shown.includes(field))
    .map((field) => [field, trimText(camera[field] ?? '')] as const)
    .filter(([, text]) => text !== '')
  return texts.length === 0 ? null : Object.fromEntries(texts)
}

/** A photo as it is shared; null if it is not prepared. */
export function sharedPhoto(photo: DraftPhoto): NewPhoto | null {
  const { picture, altText } = photo
  return picture && { picture, altText, camera: shownCamera(photo) }
}
