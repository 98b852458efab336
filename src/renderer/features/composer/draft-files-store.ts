import type { DBSchema } from 'idb'
import { logFailure } from '#/renderer/lib/core/logger'
import { storedObjects } from '#/renderer/lib/local/indexed-db'
import { storageKeyPrefix } from '#/renderer/lib/local/local-storage'
import type { PreparedPicture, PreparedPostVideo } from '#/renderer/lib/media'
import type { Cue } from './captions'

const NAME = 'vignette.composer'
const FILES = 'files'

/**
 * The original and the prepared picture or video of each photo and video of a draft, or of a post in the outbox, and the captions, in
 * separate rows: an edit does not rewrite the original.
 */
interface ComposerSchema extends DBSchema {
  [FILES]: { key: string; value: Blob | PreparedPicture | PreparedPostVideo | readonly Cue[] }
}

const { database, write } = storedObjects<ComposerSchema, typeof FILES>(NAME, FILES, (created) => {
  created.createObjectStore(FILES)
})

/** The prefix of the keys of a member's files on the current server. */
export function filesPlace(me: string): string {
  return storageKeyPrefix('composer', me)
}

const PARTS = ['source', 'picture', 'captions'] as const
const keyOf = (place: string, id: string, part: (typeof PARTS)[number]) => `${place}${id}.${part}`
const keysOf = (place: string, id: string) => PARTS.map((part) => keyOf(place, id, part))
const allKeys = (place: string) => IDBKeyRange.bound(place, `${place}\uffff`)

/** Writes run in order, so that the last change stays. */
let last: Promise<void> = Promise.resolve()

function inTurn(work: () => Promise<void>): Promise<void> {
  last = last.then(work).catch((cause: unknown) => logFailure('keep draft photos', cause))
  return last
}

/** What is stored of a photo or video. */
export interface Files {
  id: string
  /** Null if it is too large to be stored. */
  source: Blob | null
  /** As it would be shared. */
  picture: PreparedPicture | PreparedPostVideo | null
  /** Of a video. */
  captions: readonly Cue[] | null
}

/**
 * Stores the difference between two states of a draft's photos and videos. Never rejects: what does not fit on the disk stays in memory.
 */
export function saveFiles(place: string, media: readonly Files[], before: readonly Files[]): void {
  for (const files of media) {
    const { id } = files
    const old = before.find((medium) => medium.id === id)
    const changed = PARTS.filter((part) => (old?.[part] ?? null) !== files[part])
    if (changed.length === 0) continue
    void inTurn(() =>
      write(async (store) => {
        for (const part of changed) {
          const content = files[part]
          const key = keyOf(place, id, part)
          if (content !== null) await store.put(content, key)
          // The stored picture or video stays until the app has prepared the next.
          else if (part !== 'picture') await store.delete(key)
        }
      }),
    )
  }
  const ids = new Set(media.map(({ id }) => id))
  void removeFiles(
    place,
    before.map(({ id }) => id).filter((id) => !ids.has(id)),
  )
}

/** Removes the files of photos and videos. Never rejects. */
export async function removeFiles(place: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await inTurn(() =>
    write(async (store) => {
      const keys = ids.flatMap((id) => keysOf(place, id))
      await Promise.all(keys.map((key) => store.delete(key)))
    }),
  )
}

/** The files of a photo or video, as far as they are stored; null if none is. */
export async function loadFiles(place: string, id: string): Promise<Omit<Files, 'id'> | null> {
  const files = await database()
  const read = (part: (typeof PARTS)[number]) => files.get(FILES, keyOf(place, id, part))
  const [source, picture, captions] = [await read('source'), await read('picture'), await read('captions')]
  const isPrepared = picture !== undefined && !(picture instanceof Blob) && !Array.isArray(picture)
  if (source === undefined && picture === undefined) return null
  return {
    source: source instanceof Blob ? source : null,
    picture: isPrepared ? (picture as PreparedPicture | PreparedPostVideo) : null,
    captions: Array.isArray(captions) ? captions : null,
  }
}

/** Removes the files of all photos and videos but these. Never rejects. */
export function keepOnly(place: string, ids: readonly string[]): Promise<void> {
  const kept = new Set(ids.flatMap((id) => keysOf(place, id)))
  return inTurn(() =>
    write(async (store) => {
      const keys = await store.getAllKeys(allKeys(place))
      await Promise.all(keys.filter((key) => !kept.has(key)).map((key) => store.delete(key)))
    }),
  )
}

/** Removes the files of all members who have no draft of a post. Never rejects. */
export function removeLeftFiles(hasDraft: (place: string) => boolean): Promise<void> {
  return inTurn(() =>
    write(async (store) => {
      const keys = await store.getAllKeys()
      const left = keys.filter((key) => !hasDraft(key.replace(/[^.]+\.(source|picture|captions)$/, '')))
      await Promise.all(left.map((key) => store.delete(key)))
    }),
  )
}
