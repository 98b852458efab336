import { finishBeforeQuitting } from './under-way'

/** What a request gives. Rejects with its error. */
export function promised<T>(request: IDBRequest<T>): Promise<T> {
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

/** A database of one store. */
export interface KeptStore {
  read<T>(ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T>
  /** Resolves once the change is on disk: an app that is killed must not take it with it. */
  write(change: (store: IDBObjectStore) => void): Promise<void>
}

/** Opens the page's database of this name when it is first used; `upgrade` makes its one store. */
export function keptStore(
  name: string,
  storeName: string,
  upgrade: (database: IDBDatabase) => void,
): KeptStore {
  let opened: Promise<IDBDatabase> | null = null
  const open = (): Promise<IDBDatabase> => {
    const request = indexedDB.open(name, 1)
    request.addEventListener('upgradeneeded', () => upgrade(request.result))
    return promised(request)
  }
  const database = (): Promise<IDBDatabase> => {
    opened ??= open().catch((cause: unknown) => {
      opened = null
      throw cause
    })
    return opened
  }
  const write = async (change: (store: IDBObjectStore) => void): Promise<void> => {
    const transaction = (await database()).transaction(storeName, 'readwrite', { durability: 'strict' })
    change(transaction.objectStore(storeName))
    await finished(transaction)
  }
  return {
    read: async (ask) => promised(ask((await database()).transaction(storeName).objectStore(storeName))),
    write: (change) => finishBeforeQuitting(write(change)),
  }
}
