import type { Dimensions } from '#/shared/media-formats'
import type { ObjectKey } from './object-key'

/** What storage.objects.metadata says about the content. A hosted project's Storage says nothing. */
export interface CheckedContent extends Partial<Dimensions> {
  /** False if it was stored before contents were checked, and fails. Absent until it has been checked. */
  checked: boolean
}

/** @param picture the size of a picture; null for a video */
export function checkedContent(picture: Dimensions | null): CheckedContent {
  return { ...picture, checked: true }
}

/** The metadata of a new object, in JSON. */
export function objectMetadata(
  { id, size }: { id: string; size: number },
  { mimetype }: ObjectKey,
  picture: Dimensions | null,
): string {
  return JSON.stringify({ size, mimetype, eTag: `"${id}"`, ...checkedContent(picture) })
}
