import { CAMERA_FIELDS } from '#/renderer/lib/content/camera'
import { isRecord } from '#/renderer/lib/local/local-storage'
import { type PictureEdit, parseEdit, UNEDITED } from '#/renderer/lib/media'
import { loadFiles } from './draft-files-store'
import type { DraftPhoto } from './model'

/** A stored photo; its files are in IndexedDB. */
export interface KeptPhoto extends Pick<DraftPhoto, 'id' | 'altText' | 'note' | 'camera' | 'shown'> {
  edit: PictureEdit
  /** The stored picture is not of this edit, or there is none. */
  isStale: boolean
}

export const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function keptPhotoOf(value: unknown): KeptPhoto[] {
  if (!isRecord(value) || typeof value.id !== 'string') return []
  const { id, altText, note, isStale, edit, camera, shown } = value
  const fields = CAMERA_FIELDS.filter((field) => isRecord(camera) && typeof camera[field] === 'string')
  return [
    {
      id,
      altText: textOf(altText),
      camera: Object.fromEntries(
        fields.map((field) => [field, isRecord(camera) ? textOf(camera[field]) : '']),
      ),
      shown: Array.isArray(shown) ? fields.filter((field) => shown.includes(field)) : [],
      note: note === 'animated' || note === 'raw' ? note : null,
      isStale: isStale === true,
      edit: parseEdit(edit) ?? UNEDITED,
    },
  ]
}

/** Parses stored photos, without the invalid ones. */
export function keptPhotosOf(value: unknown): KeptPhoto[] {
  return Array.isArray(value) ? value.flatMap(keptPhotoOf) : []
}

export function toKept({ id, altText, note, camera, shown, edit, work }: DraftPhoto): KeptPhoto {
  return { id, altText, note, camera, shown, edit, isStale: work !== null }
}

/** A stored photo with its files; null if its original is not stored. */
export async function loadPhoto(place: string, { isStale, ...photo }: KeptPhoto): Promise<DraftPhoto | null> {
  const files = await loadFiles(place, photo.id)
  if (files === null) return null
  const work = isStale || files.picture === null ? { progress: 0, failure: null } : null
  return { ...photo, ...files, preview: null, work }
}
