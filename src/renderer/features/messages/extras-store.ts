import { keptStore } from '#/renderer/lib/indexed-db'
import type { OutgoingPhoto } from './outbox'
import { livingWindows } from './windows'

/** What goes with the text of a begun message, as it is kept. */
export interface KeptExtras {
  replyToId: string | null
  photo: OutgoingPhoto | null
  /** The window that is sending it; null while it is in the field. */
  sentBy: string | null
}

interface Kept extends KeptExtras {
  key: string
}

const NAME = 'vignette.drafts'
const EXTRAS = 'extras'

const { read, write } = keptStore(NAME, EXTRAS, (database) => {
  database.createObjectStore(EXTRAS, { keyPath: 'key' })
})

let channel: BroadcastChannel | null = null

function others(): BroadcastChannel {
  channel ??= new BroadcastChannel(NAME)
  return channel
}

/** What is kept for a draft; null for nothing, or while a window that is there sends it. */
export async function loadExtras(key: string): Promise<KeptExtras | null> {
  const kept: Kept | undefined = await read((extras) => extras.get(key))
  if (kept === undefined) return null
  if (kept.sentBy !== null && (await livingWindows()).has(kept.sentBy)) return null
  return kept
}

/** One after the other: what was changed last is what stays. */
let last: Promise<void> = Promise.resolve()

/** Keeps what goes with a draft; null when nothing does any more. Other windows are told. */
export function saveExtras(key: string, extras: KeptExtras | null): Promise<void> {
  const save = async () => {
    await write((store) =>
      extras === null ? store.delete(key) : store.put({ key, ...extras } satisfies Kept),
    )
    others().postMessage(key)
  }
  last = last.then(save, save)
  return last
}

/** Removes all whose key begins like this. */
export function removeExtras(prefix: string): Promise<void> {
  const remove = () => write((store) => store.delete(IDBKeyRange.bound(prefix, `${prefix}\uffff`)))
  last = last.then(remove, remove)
  return last
}

/** Calls back with the key of what another window changed. */
export function onExtrasChange(listener: (key: string) => void): void {
  others().addEventListener('message', ({ data }: MessageEvent<string>) => listener(data))
}
