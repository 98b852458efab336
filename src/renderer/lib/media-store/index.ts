import { logFailure } from '#/renderer/lib/core/logger'
import { removeObjects } from './requests'

export { forgetObjects, isRefusedVideo } from './kept-objects'
export { objectOptions } from './object-queries'
export {
  localSource,
  type PictureSize,
  type PictureSource,
  POST_MEDIA,
  postMedia,
  postMediaPaths,
  postObjectPaths,
  preparedSource,
  type StoredMedia,
  type StoredSource,
  type StoredVideo,
  srcSetOf,
  storedSource,
  thumbnailSource,
} from './picture-source'
export { placeholderOf } from './placeholder'
export { prefetchMediaUrls, preloadPicture, useMediaUrls, useStoredLinks } from './urls'

/** Removes objects that no row refers to, after the row that referred to them is deleted. Never rejects. */
export async function removeMedia(paths: readonly (string | null | undefined)[]): Promise<void> {
  try {
    const known = paths.filter((path) => typeof path === 'string')
    if (known.length > 0) await removeObjects(known)
  } catch (cause) {
    // The server removes them after a day.
    logFailure('remove media', cause)
  }
}
