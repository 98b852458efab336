import type { DBSchema } from 'idb'
import { ageOf, type DraftTimes, editStamp } from '#/renderer/lib/local/draft-age'
import { storedObjects } from '#/renderer/lib/local/indexed-db'
import { readItem } from '#/renderer/lib/local/local-storage'
import type { OutgoingPhoto } from './message'

/** The stored photo and reply of a draft. */
export interface StoredAttachments {
  replyToId: string | null
  photo: OutgoingPhoto | null
}

interface StoredRow extends StoredAttachments {
  key: string
  editedAt?: number
}

const NAME = 'vignette.drafts'
const EXTRAS = 'extras'

interface DraftSchema extends DBSchema {
  [EXTRAS]: { key: string; value: StoredRow }
}

const { database, write } = storedObjects<DraftSchema, typeof EXTRAS>(NAME, EXTRAS, (created) => {
  created.createObjectStore(EXTRAS, { keyPath: 'key' })
})

const rangeOf = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`)

let channel: BroadcastChannel | null = null

function others(): BroadcastChannel {
  channel ??= new BroadcastChannel(NAME)
  return channel
}

/** Loads the attachments of a draft; null if there are none. Rejects if IndexedDB fails. */
export async function loadAttachments(key: string): Promise<StoredAttachments | null> {
  return (await (await database()).get(EXTRAS, key)) ?? null
}

/** Writes run in order, so that the last change stays. */
let last: Promise<void> = Promise.resolve()

/** Stores the attachments of a draft, or removes them if null, and notifies other windows. */
export function saveAttachments(key: string, extras: StoredAttachments | null): Promise<void> {
  const save = async () => {
    await write((store) =>
      extras === null ? store.delete(key) : store.put({ key, ...extras, ...editStamp() }),
    )
    others().postMessage(key)
  }
  last = last.then(save, save)
  return last
}

/** Removes the attachments of all drafts with this key prefix. */
export function removeAttachments(prefix: string): Promise<void> {
  const remove = () => write((store) => store.delete(rangeOf(prefix)))
  last = last.then(remove, remove)
  return last
}

/** Whether a draft with this key prefix has a photo. */
export async function hasPhotos(prefix: string): Promise<boolean> {
  const rows = await (await database()).getAll(EXTRAS, rangeOf(prefix))
  return rows.some(({ photo }) => photo !== null)
}

/** Removes attachments of all members that nobody has edited for `DRAFT_DAYS`, unless their text was edited since. */
export function removeOldAttachments(times: DraftTimes): Promise<void> {
  return write(async (store) => {
    for (const row of await store.getAll()) {
      const age = ageOf(row.editedAt, times)
      if (age === 'old' && readItem(row.key) === null) await store.delete(row.key)
      if (age === 'unstamped') await store.put({ ...row, editedAt: times.now })
    }
  })
}

/** Calls back with the key of a draft that another window changed. */
export function onAttachmentsChange(listener: (key: string) => void): void {
  others().addEventListener('message', ({ data }: MessageEvent<string>) => listener(data))
}
