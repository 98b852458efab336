import type { OutgoingMessage } from './types'

/** Where unsent messages are kept between runs. */
export interface OutboxStore {
  /** All of this owner, in the order they were written. */
  load(): Promise<OutgoingMessage[]>
  save(message: OutgoingMessage): Promise<void>
  remove(id: string): Promise<void>
}

const DATABASE = 'vignette.outbox'
const MESSAGES = 'messages'

/** A kept message: whose, and where it came in the line. */
interface Kept {
  id: string
  owner: string
  message: OutgoingMessage
}

function promised<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error))
  })
}

function finished(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(transaction.error))
  })
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore(MESSAGES, { keyPath: 'id' }).createIndex('owner', 'owner')
  })
  return promised(request)
}

/** Oldest first. */
export function inOrder(messages: readonly OutgoingMessage[]): OutgoingMessage[] {
  return [...messages].sort((a, b) =>
    a.created_at < b.created_at ? -1 : Number(a.created_at > b.created_at),
  )
}

/** Keeps unsent messages in the page's IndexedDB, apart for each owner: a member on a server. */
export function indexedDbStore(owner: string): OutboxStore {
  let opened: Promise<IDBDatabase> | null = null
  const database = (): Promise<IDBDatabase> => {
    opened ??= open().catch((cause: unknown) => {
      opened = null
      throw cause
    })
    return opened
  }
  const write = async (change: (messages: IDBObjectStore) => void): Promise<void> => {
    // On disk before it counts as kept: an app that is killed must not take the message with it.
    const transaction = (await database()).transaction(MESSAGES, 'readwrite', { durability: 'strict' })
    change(transaction.objectStore(MESSAGES))
    await finished(transaction)
  }

  return {
    load: async () => {
      const index = (await database()).transaction(MESSAGES).objectStore(MESSAGES).index('owner')
      const kept: Kept[] = await promised(index.getAll(owner))
      return inOrder(kept.map(({ message }) => message))
    },
    save: (message) => write((messages) => messages.put({ id: message.id, owner, message } satisfies Kept)),
    remove: (id) => write((messages) => messages.delete(id)),
  }
}
