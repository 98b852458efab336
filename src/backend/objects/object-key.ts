import { STORED_VIDEO_BYTES } from '#/shared/limits'
import type { StoredPictureKind } from '#/shared/picture-content'
import type { VideoKind } from '#/shared/video-formats'

export const BUCKET = 'media'

/** The bucket's file_size_limit. */
export const OBJECT_BYTES_MAX = STORED_VIDEO_BYTES

interface ObjectType {
  mimetype: string
  /** What the content has to be. */
  kind: StoredPictureKind | VideoKind
}

/** The types of objects, by the extension of their key. */
const TYPES: Readonly<Record<string, ObjectType>> = {
  webp: { mimetype: 'image/webp', kind: 'webp' },
  avif: { mimetype: 'image/avif', kind: 'avif' },
  jpg: { mimetype: 'image/jpeg', kind: 'jpeg' },
  png: { mimetype: 'image/png', kind: 'png' },
  mp4: { mimetype: 'video/mp4', kind: 'mp4' },
  webm: { mimetype: 'video/webm', kind: 'webm' },
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const KEY = new RegExp(`^(${UUID})/(${UUID}\\.(webp|avif|jpg|png|mp4|webm))$`)

/** `<member>/<uuid>.<extension>`, as clients choose it. Without percent-encoding: a key has one spelling. */
export interface ObjectKey extends ObjectType {
  name: string
  /** The member whose folder it is in. */
  owner: string
  /** The part after the folder. */
  file: string
}

/** Parses the name of an object; null if it is not a valid key. */
export function parseObjectKey(name: string): ObjectKey | null {
  const [, owner, file, extension] = KEY.exec(name) ?? []
  const type = TYPES[extension ?? '']
  if (owner === undefined || file === undefined || type === undefined) return null
  return { name, owner, file, ...type }
}

export function isObjectKey(name: string): boolean {
  return parseObjectKey(name) !== null
}
