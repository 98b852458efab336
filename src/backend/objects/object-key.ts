import { STORED_VIDEO_BYTES } from '#/shared/limits'
import { STORED_MEDIA, type StoredMedia } from '#/shared/stored-media'

export const BUCKET = 'media'

/** The bucket's file_size_limit. */
export const OBJECT_BYTES_MAX = STORED_VIDEO_BYTES

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const KEY = new RegExp(`^(${UUID})/(${UUID}\\.(${[...STORED_MEDIA.keys()].join('|')}))$`)

/** `<member>/<uuid>.<extension>`, as clients choose it. Without percent-encoding: a key has one spelling. */
export interface ObjectKey extends StoredMedia {
  name: string
  /** The member whose folder it is in. */
  owner: string
  /** The part after the folder. */
  file: string
}

/** Parses the name of an object; null if it is not a valid key. */
export function parseObjectKey(name: string): ObjectKey | null {
  const [, owner, file, extension] = KEY.exec(name) ?? []
  const type = STORED_MEDIA.get(extension ?? '')
  if (owner === undefined || file === undefined || type === undefined) return null
  return { name, owner, file, ...type }
}

export function isObjectKey(name: string): boolean {
  return parseObjectKey(name) !== null
}
