import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

/** The metadata of a stored query. */
export interface CacheEntry {
  /** The hash of its query key. */
  hash: string
  /** When it was stored, in milliseconds since 1970. */
  savedAt: number
  /** Bytes of its text. */
  size: number
}

/** A query as it is stored: `text` is the JSON of `StoredQuery`. */
export interface CacheRow extends CacheEntry {
  text: string
}

/** The stored queries of one member on one server. */
export interface CacheStore {
  /** Removes the queries of other members of this server and of other forms, and returns the rest. */
  open(): Promise<CacheEntry[]>
  /** The rows of these hashes; null for one that is missing or has another form. */
  read(hashes: readonly string[]): Promise<(CacheRow | null)[]>
  change(put: readonly CacheRow[], removed: readonly string[]): Promise<void>
  clear(): Promise<void>
}

export interface CacheOwner {
  server: string
  member: string
}

type Key = [server: string, member: string, hash: string]

interface StoredEntry extends CacheEntry {
  server: string
  member: string
  /** The form in which it was stored. */
  form: number
}

const DATABASE = 'vignette.cache'
const ENTRIES = 'entries'
const TEXTS = 'texts'

interface CacheSchema extends DBSchema {
  [ENTRIES]: { key: Key; value: StoredEntry }
  [TEXTS]: { key: Key; value: string }
}

function openDatabase(): Promise<IDBPDatabase<CacheSchema>> {
  return openDB<CacheSchema>(DATABASE, 1, {
    upgrade: (created) => {
      created.createObjectStore(ENTRIES, { keyPath: ['server', 'member', 'hash'] })
      created.createObjectStore(TEXTS)
    },
  })
}

/** The range of keys that start with these parts: an array sorts after every string. */
function rangeOf(...parts: string[]): IDBKeyRange {
  return IDBKeyRange.bound(parts, [...parts, []])
}

export function indexedDbCache({ server, member }: CacheOwner, form: number): CacheStore {
  let database: Promise<IDBPDatabase<CacheSchema>> | undefined
  const write = async () => {
    database ??= openDatabase()
    // Faster: after a crash a cache may lack its last second.
    const transaction = (await database).transaction([ENTRIES, TEXTS], 'readwrite', { durability: 'relaxed' })
    return {
      entries: transaction.objectStore(ENTRIES),
      texts: transaction.objectStore(TEXTS),
      done: transaction.done,
    }
  }
  const keyOf = (hash: string): Key => [server, member, hash]

  return {
    open: async () => {
      const { entries, texts, done } = await write()
      const stored = await entries.getAll(rangeOf(server))
      const isOwn = (entry: StoredEntry) => entry.member === member && entry.form === form
      const outdated = stored
        .filter((entry) => !isOwn(entry))
        .map((entry): Key => [server, entry.member, entry.hash])
      await Promise.all([...outdated.flatMap((key) => [entries.delete(key), texts.delete(key)]), done])
      return stored.filter(isOwn)
    },
    read: async (hashes) => {
      database ??= openDatabase()
      const transaction = (await database).transaction([ENTRIES, TEXTS])
      const [entries, texts] = [transaction.objectStore(ENTRIES), transaction.objectStore(TEXTS)]
      const readOne = async (hash: string) => {
        const [entry, text] = await Promise.all([entries.get(keyOf(hash)), texts.get(keyOf(hash))])
        return entry?.form === form && text !== undefined ? { ...entry, text } : null
      }
      return Promise.all(hashes.map(readOne))
    },
    change: async (put, removed) => {
      const { entries, texts, done } = await write()
      const requests = [
        ...put.flatMap(({ text, ...entry }): Promise<unknown>[] => [
          entries.put({ ...entry, server, member, form }),
          texts.put(text, keyOf(entry.hash)),
        ]),
        ...removed.flatMap((hash) => [entries.delete(keyOf(hash)), texts.delete(keyOf(hash))]),
      ]
      await Promise.all([...requests, done])
    },
    clear: async () => {
      const { entries, texts, done } = await write()
      const range = rangeOf(server, member)
      await Promise.all([entries.delete(range), texts.delete(range), done])
    },
  }
}

/** Removes the queries of all members of a server. */
export async function clearServerCache(server: string): Promise<void> {
  const database = await openDatabase()
  const transaction = database.transaction([ENTRIES, TEXTS], 'readwrite')
  const range = rangeOf(server)
  await Promise.all([
    transaction.objectStore(ENTRIES).delete(range),
    transaction.objectStore(TEXTS).delete(range),
    transaction.done,
  ])
  database.close()
}
