import { CAMERA_FIELDS } from '#/renderer/lib/content/camera'
import { isRecord } from '#/renderer/lib/local/local-storage'
import { type PictureEdit, parseEdit, UNEDITED } from '#/renderer/lib/media'
import { loadFiles } from './draft-files-store'
import { type DraftPhoto, UNPREPARED } from './draft-photo'
import { filesOfVideo, type KeptVideo, keptVideosOf, loadVideo, toKeptVideo } from './kept-video'
import { type DraftMedium, isVideo } from './model'

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

export type KeptMedium = KeptPhoto | KeptVideo

/** Parses stored photos and videos, without the invalid ones. */
export function keptMediaOf(value: unknown): KeptMedium[] {
  return Array.isArray(value) ? value.flatMap((each) => [...keptPhotoOf(each), ...keptVideosOf(each)]) : []
}

export function toKept(medium: DraftMedium): KeptMedium {
  if (isVideo(medium)) return toKeptVideo(medium)
  const { id, altText, note, camera, shown, edit, work } = medium
  return { id, altText, note, camera, shown, edit, isStale: work !== null }
}

export function keptId(kept: KeptMedium): string {
  return 'video' in kept ? kept.video.id : kept.id
}

/** What is stored of photos and videos. */
export function filesOf(media: readonly DraftMedium[]) {
  return media.map((medium) => {
    if (isVideo(medium)) return filesOfVideo(medium)
    const { id, source, picture } = medium
    return { id, source, picture, captions: null }
  })
}

/** A stored photo or video with its files; null for a photo whose original is not stored. */
export async function loadMedium(place: string, kept: KeptMedium): Promise<DraftMedium | null> {
  if ('video' in kept) return loadVideo(place, kept)
  const { isStale, ...photo } = kept
  const files = await loadFiles(place, photo.id)
  if (files === null || files.source === null) return null
  const { source, picture: stored } = files
  const picture = stored !== null && !('video' in stored) ? stored : null
  const work = isStale || picture === null ? UNPREPARED : null
  return { ...photo, source, picture, preview: null, work }
}
