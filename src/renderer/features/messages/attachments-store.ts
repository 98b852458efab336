import type { DBSchema } from 'idb'
import { storedObjects } from '#/renderer/lib/indexed-db'
import type { OutgoingPhoto } from './message'

/** The stored photo and reply of a draft. */
export interface StoredAttachments {
  replyToId: string | null
  photo: OutgoingPhoto | null
}

interface PendingStatus extends StoredAttachments {
  key: string
}

const NAME = 'vignette.drafts'
const EXTRAS = 'extras'

interface DraftSchema extends DBSchema {
  [EXTRAS]: { key: string; value: PendingStatus }
}

const { database, write } = storedObjects<DraftSchema, typeof EXTRAS>(NAME, EXTRAS, (created) => {
  created.createObjectStore(EXTRAS, { keyPath: 'key' })
})

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
    await write((store) => (extras === null ? store.delete(key) : store.put({ key, ...extras })))
    others().postMessage(key)
  }
  last = last.then(save, save)
  return last
}

/** Removes the attachments of all drafts with this key prefix. */
export function removeAttachments(prefix: string): Promise<void> {
  const remove = () => write((store) => store.delete(IDBKeyRange.bound(prefix, `${prefix}\uffff`)))
  last = last.then(remove, remove)
  return last
}

/** Calls back with the key of a draft that another window changed. */
export function onAttachmentsChange(listener: (key: string) => void): void {
  others().addEventListener('message', ({ data }: MessageEvent<string>) => listener(data))
}
