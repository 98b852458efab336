import { type DBSchema, type IDBPDatabase, type IDBPObjectStore, openDB, type StoreNames } from 'idb'
import { waitUntil } from '#/renderer/lib/core/pending-work-store'
import { reportNotKept } from './not-kept-store'

type WritableStore<S extends DBSchema, N extends StoreNames<S>> = IDBPObjectStore<S, [N], N, 'readwrite'>

/** One object store of a database. */
export interface StoredObjects<S extends DBSchema, N extends StoreNames<S>> {
  /** Rejects if the database cannot be opened; the member has been informed then. */
  database(): Promise<IDBPDatabase<S>>
  /** Whether the database can be opened. Never rejects. */
  isOpen(): Promise<boolean>
  /** Resolves once the change is on disk: an app that is killed must not lose it. */
  write(change: (store: WritableStore<S, N>) => Promise<unknown>): Promise<void>
}

/** How long opening a database may take, in milliseconds. Some never answer (electron/electron#39132). */
const OPEN_MS = 3_000

/** Opens the database when it is first used, and again after a failure; `upgrade` creates its store. */
export function storedObjects<S extends DBSchema, N extends StoreNames<S>>(
  name: string,
  storeName: N,
  upgrade: (database: IDBPDatabase<S>) => void,
): StoredObjects<S, N> {
  let opened: Promise<IDBPDatabase<S>> | null = null
  /** Opening takes too long. It may still succeed, so it is not repeated; meanwhile nobody waits for it. */
  let isLate = false
  const forget = () => {
    opened = null
    isLate = false
  }
  const open = async () => {
    const database = await openDB<S>(name, 1, { upgrade, terminated: forget })
    if (!database.objectStoreNames.contains(storeName)) throw new Error(`${name} has no ${storeName}`)
    isLate = false
    return database
  }
  const late = new Error(`${name} does not open`)
  const inTime = async (opening: Promise<IDBPDatabase<S>>) => {
    if (isLate) throw late
    let timer: ReturnType<typeof setTimeout> | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isLate = true
        reject(late)
      }, OPEN_MS)
    })
    return Promise.race([opening, timeout]).finally(() => clearTimeout(timer))
  }
  const database = async () => {
    opened ??= open().catch((cause: unknown) => {
      forget()
      throw cause
    })
    return inTime(opened).catch((cause: unknown) => {
      reportNotKept('open database', cause)
      throw cause
    })
  }
  const isOpen = () =>
    database().then(
      () => true,
      () => false,
    )
  const write = async (change: (store: WritableStore<S, N>) => Promise<unknown>) => {
    const transaction = (await database()).transaction(storeName, 'readwrite', { durability: 'strict' })
    await Promise.all([change(transaction.store), transaction.done])
  }
  return { database, isOpen, write: (change) => waitUntil(write(change)) }
}
