import type { Dimensions } from '#/shared/media-formats'
import type { ObjectKey } from './object-key'

/**
 * The metadata of a new object: the content was checked. A hosted project's Storage does not say so.
 * @param picture the size of a picture; null for a video
 */
export function objectMetadata(
  { id, size }: { id: string; size: number },
  { mimetype }: ObjectKey,
  picture: Dimensions | null,
): object {
  return { size, mimetype, eTag: `"${id}"`, ...picture, checked: true }
}
