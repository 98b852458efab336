import { keptStore } from '#/renderer/lib/indexed-db'
import type { OutgoingMessage } from './types'

/** Where unsent messages are kept between runs. */
export interface OutboxStore {
  /** All of this owner, in the order they were written. */
  load(): Promise<OutgoingMessage[]>
  save(message: OutgoingMessage): Promise<void>
  remove(id: string): Promise<void>
  /** Removes all of this owner. */
  clear(): Promise<void>
}

const DATABASE = 'vignette.outbox'
const MESSAGES = 'messages'

/** A kept message: whose, and where it came in the line. */
interface Kept {
  id: string
  owner: string
  message: OutgoingMessage
}

/** Oldest first. */
export function inOrder(messages: readonly OutgoingMessage[]): OutgoingMessage[] {
  return [...messages].sort((a, b) =>
    a.created_at < b.created_at ? -1 : Number(a.created_at > b.created_at),
  )
}

/** Keeps unsent messages in the page's IndexedDB, apart for each owner: a member on a server. */
export function indexedDbStore(owner: string): OutboxStore {
  const { read, write } = keptStore(DATABASE, MESSAGES, (database) => {
    database.createObjectStore(MESSAGES, { keyPath: 'id' }).createIndex('owner', 'owner')
  })
  return {
    load: async () => {
      const kept: Kept[] = await read((messages) => messages.index('owner').getAll(owner))
      return inOrder(kept.map(({ message }) => message))
    },
    save: (message) => write((messages) => messages.put({ id: message.id, owner, message } satisfies Kept)),
    remove: (id) => write((messages) => messages.delete(id)),
    clear: () =>
      write((messages) => {
        const request = messages.index('owner').openCursor(owner)
        request.addEventListener('success', () => {
          request.result?.delete()
          request.result?.continue()
        })
      }),
  }
}
