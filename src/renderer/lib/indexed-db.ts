import { type DBSchema, type IDBPDatabase, type IDBPObjectStore, openDB, type StoreNames } from 'idb'
import { waitUntil } from './pending-work-store'

type WritableStore<S extends DBSchema, N extends StoreNames<S>> = IDBPObjectStore<S, [N], N, 'readwrite'>

/** One object store of a database. */
export interface StoredObjects<S extends DBSchema, N extends StoreNames<S>> {
  database(): Promise<IDBPDatabase<S>>
  /** Resolves once the change is on disk: an app that is killed must not lose it. */
  write(change: (store: WritableStore<S, N>) => Promise<unknown>): Promise<void>
}

/** Opens the database when it is first used, and again after a failure; `upgrade` creates its store. */
export function storedObjects<S extends DBSchema, N extends StoreNames<S>>(
  name: string,
  storeName: N,
  upgrade: (database: IDBPDatabase<S>) => void,
): StoredObjects<S, N> {
  let opened: Promise<IDBPDatabase<S>> | null = null
  const forget = () => {
    opened = null
  }
  const database = () => {
    opened ??= openDB<S>(name, 1, { upgrade, terminated: forget }).catch((cause: unknown) => {
      forget()
      throw cause
    })
    return opened
  }
  const write = async (change: (store: WritableStore<S, N>) => Promise<unknown>) => {
    const transaction = (await database()).transaction(storeName, 'readwrite', { durability: 'strict' })
    await Promise.all([change(transaction.store), transaction.done])
  }
  return { database, write: (change) => waitUntil(write(change)) }
}
