import type { StoredPictureKind } from './picture-content'
import type { VideoKind } from './video-formats'

export interface StoredMedia {
  mimetype: string
  /** What the content has to be. */
  kind: StoredPictureKind | VideoKind
}

/** The pictures and videos that a server stores, by the extension of their files. The bucket's migration lists the same types. */
export const STORED_MEDIA: ReadonlyMap<string, StoredMedia> = new Map([
  ['webp', { mimetype: 'image/webp', kind: 'webp' }],
  ['avif', { mimetype: 'image/avif', kind: 'avif' }],
  ['jpg', { mimetype: 'image/jpeg', kind: 'jpeg' }],
  ['png', { mimetype: 'image/png', kind: 'png' }],
  ['mp4', { mimetype: 'video/mp4', kind: 'mp4' }],
  ['webm', { mimetype: 'video/webm', kind: 'webm' }],
])

/** The extension of a stored file, by its media type; undefined for types that are not stored. */
export function storedExtension(type: string): string | undefined {
  return [...STORED_MEDIA].find(([, { mimetype }]) => mimetype === type)?.[0]
}
