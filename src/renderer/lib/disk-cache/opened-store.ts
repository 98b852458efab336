import { createStore } from 'zustand/vanilla'
import { logFailure } from '#/renderer/lib/core/logger'
import { type DiskCache, openDiskCache, type StoredQuery } from './disk-cache'
import { type CacheOwner, clearServerCache, indexedDbCache } from './store'

/** The cache of the signed-in member. */
export interface OpenedCache {
  cache: DiskCache
  /** The queries of the first screen. */
  first: readonly StoredQuery[]
}

interface Opening {
  owner: CacheOwner
  opened: Promise<OpenedCache>
  /** Null while it is being opened. */
  current: OpenedCache | null
}

const store = createStore<{ opening: Opening | null }>(() => ({ opening: null }))

function isSame(a: CacheOwner, b: CacheOwner): boolean {
  return a.server === b.server && a.member === b.member
}

/**
 * Opens the cache of a member, once.
 * @param form of what is stored: what has another form is dropped
 * @param readFirst reads the queries of the first screen
 */
export function openCache(
  owner: CacheOwner,
  form: number,
  readFirst: (cache: DiskCache) => Promise<readonly StoredQuery[]>,
): Promise<OpenedCache> {
  const { opening } = store.getState()
  if (opening !== null && isSame(opening.owner, owner)) return opening.opened
  opening?.current?.cache.close()
  const open = async (): Promise<OpenedCache> => {
    const cache = openDiskCache(indexedDbCache(owner, form))
    const current = { cache, first: await readFirst(cache) }
    const state = store.getState()
    if (state.opening?.opened === opened) store.setState({ opening: { ...state.opening, current } })
    else cache.close()
    // The first screen does not wait for it: a full cache has thousands of queries.
    void cache.list()
    return current
  }
  const opened = open()
  store.setState({ opening: { owner, opened, current: null } })
  return opened
}

/** The member's cache, if it is open. */
export function openedCache(member: string): OpenedCache | null {
  const { opening } = store.getState()
  return opening?.owner.member === member ? opening.current : null
}

/**
 * Closes the cache and removes everything that members of this server have stored. Call when nobody is signed in. Never
 * rejects.
 */
export async function closeAndClear(server: string): Promise<void> {
  store.getState().opening?.current?.cache.close()
  store.setState({ opening: null })
  await clearServerCache(server).catch((cause: unknown) => logFailure('clear disk cache', cause))
}
