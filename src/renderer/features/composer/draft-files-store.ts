import type { DBSchema } from 'idb'
import { logFailure } from '#/renderer/lib/core/logger'
import { storedObjects } from '#/renderer/lib/local/indexed-db'
import { storageKeyPrefix } from '#/renderer/lib/local/local-storage'
import type { PreparedPicture } from '#/renderer/lib/media'
import type { DraftPhoto } from './model'

const NAME = 'vignette.composer'
const FILES = 'files'

/**
 * The original and the prepared picture of each photo of a draft, or of a post in the outbox, in separate rows: an edit
 * does not rewrite the original.
 */
interface ComposerSchema extends DBSchema {
  [FILES]: { key: string; value: Blob | PreparedPicture }
}

const { database, write } = storedObjects<ComposerSchema, typeof FILES>(NAME, FILES, (created) => {
  created.createObjectStore(FILES)
})

/** The prefix of the keys of a member's files on the current server. */
export function filesPlace(me: string): string {
  return storageKeyPrefix('composer', me)
}

const sourceKey = (place: string, id: string) => `${place}${id}.source`
const pictureKey = (place: string, id: string) => `${place}${id}.picture`
const allKeys = (place: string) => IDBKeyRange.bound(place, `${place}\uffff`)

/** Writes run in order, so that the last change stays. */
let last: Promise<void> = Promise.resolve()

function inTurn(work: () => Promise<void>): Promise<void> {
  last = last.then(work).catch((cause: unknown) => logFailure('keep draft photos', cause))
  return last
}

type Files = Pick<DraftPhoto, 'id' | 'source' | 'picture'>

/**
 * Stores the difference between two states of a draft's photos. Never rejects: photos that do not fit on the disk stay
 * in memory.
 */
export function saveFiles(place: string, photos: readonly Files[], before: readonly Files[]): void {
  for (const { id, source, picture } of photos) {
    const old = before.find((photo) => photo.id === id)
    if (old?.source === source && old.picture === picture) continue
    void inTurn(() =>
      write(async (store) => {
        if (old?.source !== source) await store.put(source, sourceKey(place, id))
        if (picture !== null && old?.picture !== picture) await store.put(picture, pictureKey(place, id))
      }),
    )
  }
  const ids = new Set(photos.map(({ id }) => id))
  void removeFiles(
    place,
    before.map(({ id }) => id).filter((id) => !ids.has(id)),
  )
}

/** Removes the files of photos. Never rejects. */
export async function removeFiles(place: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await inTurn(() =>
    write(async (store) => {
      const keys = ids.flatMap((id) => [sourceKey(place, id), pictureKey(place, id)])
      await Promise.all(keys.map((key) => store.delete(key)))
    }),
  )
}

/** The files of a photo; null if its original is not stored. */
export async function loadFiles(
  place: string,
  id: string,
): Promise<Pick<DraftPhoto, 'source' | 'picture'> | null> {
  const files = await database()
  const source = await files.get(FILES, sourceKey(place, id))
  const picture = await files.get(FILES, pictureKey(place, id))
  if (!(source instanceof Blob)) return null
  return { source, picture: picture === undefined || picture instanceof Blob ? null : picture }
}

/** Removes the files of all photos but these. Never rejects. */
export function keepOnly(place: string, ids: readonly string[]): Promise<void> {
  const kept = new Set(ids.flatMap((id) => [sourceKey(place, id), pictureKey(place, id)]))
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
      const left = keys.filter((key) => !hasDraft(key.replace(/[^.]+\.(source|picture)$/, '')))
      await Promise.all(left.map((key) => store.delete(key)))
    }),
  )
}
