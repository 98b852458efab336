import type { DBSchema } from 'idb'
import { storedObjects } from '#/renderer/lib/indexed-db'
import type { OutgoingPhoto } from './new-message'

/** What goes with the text of a draft, as it is stored. */
export interface StoredAttachments {
  replyToId: string | null
  photo: OutgoingPhoto | null
}

interface Kept extends StoredAttachments {
  key: string
}

const NAME = 'vignette.drafts'
const EXTRAS = 'extras'

interface DraftSchema extends DBSchema {
  [EXTRAS]: { key: string; value: Kept }
}

const { database, write } = storedObjects<DraftSchema, typeof EXTRAS>(NAME, EXTRAS, (created) => {
  created.createObjectStore(EXTRAS, { keyPath: 'key' })
})

let channel: BroadcastChannel | null = null

function others(): BroadcastChannel {
  channel ??= new BroadcastChannel(NAME)
  return channel
}

/** What is stored for a draft; null for nothing. */
export async function loadAttachments(key: string): Promise<StoredAttachments | null> {
  return (await (await database()).get(EXTRAS, key)) ?? null
}

/** One after the other: what was changed last is what stays. */
let last: Promise<void> = Promise.resolve()

/** Keeps what goes with a draft; null when nothing does any more. Other windows are told. */
export function saveAttachments(key: string, extras: StoredAttachments | null): Promise<void> {
  const save = async () => {
    await write((store) => (extras === null ? store.delete(key) : store.put({ key, ...extras })))
    others().postMessage(key)
  }
  last = last.then(save, save)
  return last
}

/** Removes all whose key begins like this. */
export function removeAttachments(prefix: string): Promise<void> {
  const remove = () => write((store) => store.delete(IDBKeyRange.bound(prefix, `${prefix}\uffff`)))
  last = last.then(remove, remove)
  return last
}

/** Calls back with the key of what another window changed. */
export function onAttachmentsChange(listener: (key: string) => void): void {
  others().addEventListener('message', ({ data }: MessageEvent<string>) => listener(data))
}
