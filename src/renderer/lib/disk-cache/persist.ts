import {
  hashKey,
  type Query,
  type QueryClient,
  type QueryFunction,
  type QueryFunctionContext,
  type QueryKey,
} from '@tanstack/react-query'
import { onePerClient } from '#/renderer/lib/query-client'
import { untilConfirmed } from '#/renderer/lib/session-status-store'
import type { DiskCache, StoredQuery } from './disk-cache'

/** Which queries are cached on disk. */
export interface CachedQueries {
  /** First elements of their keys. All others are never stored. */
  names: ReadonlySet<unknown>
  /** Of these infinite queries only the first page is stored: restoring refetches every stored page. */
  firstPageOnly: ReadonlySet<unknown>
  /** Parts of a row, by id like the row itself, which stay on disk no longer than it: `['post', id]`, `['picture', id]`. */
  parts: { of: string; names: ReadonlySet<unknown> }
  /** Whether a query has what the server has deleted: it stays in memory, but not on disk. */
  isDeleted: (client: QueryClient, query: Query) => boolean
}

interface Attached {
  /** Null until the cache is open. */
  disk: { cache: DiskCache; queries: CachedQueries } | null
  /** What was read from disk: storing it again would be useless. */
  restored: Map<string, unknown>
}

const attached = onePerClient((): Attached => ({ disk: null, restored: new Map() }))

function withFirstPage(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || !('pages' in data) || !('pageParams' in data)) return data
  const { pages, pageParams } = data
  if (!Array.isArray(pages) || !Array.isArray(pageParams)) return data
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }
}

function toStored({ queryKey, state }: Query, { firstPageOnly }: CachedQueries): StoredQuery {
  const data = firstPageOnly.has(queryKey[0]) ? withFirstPage(state.data) : state.data
  return { queryKey, data, updatedAt: state.dataUpdatedAt }
}

/** Null is what the server says of a row that is deleted or hidden: nothing of it stays on disk. */
function store(client: QueryClient, cache: DiskCache, query: Query, queries: CachedQueries): void {
  const { queryHash, queryKey, state } = query
  if (state.data == null || queries.isDeleted(client, query)) {
    const { of, names } = queries.parts
    const parts = queryKey[0] === of ? [...names].map((name) => hashKey([name, ...queryKey.slice(1)])) : []
    cache.remove([queryHash, ...parts])
  } else cache.put(queryHash, () => toStored(query, queries))
}

/** Has first reads of a client look here. */
export function readFrom(client: QueryClient, cache: DiskCache, queries: CachedQueries): void {
  attached(client).disk = { cache, queries }
}

/** Stores the queries of a client, until the returned function is called. */
export function storeQueries(client: QueryClient, cache: DiskCache, queries: CachedQueries): () => void {
  readFrom(client, cache, queries)
  const { restored } = attached(client)
  const follow = (query: Query) => {
    if (!queries.names.has(query.queryKey[0]) || query.state.data === undefined) return
    if (restored.has(query.queryHash) && restored.get(query.queryHash) === query.state.data) return
    restored.delete(query.queryHash)
    store(client, cache, query, queries)
  }
  for (const query of client.getQueryCache().getAll()) follow(query)
  const unsubscribe = client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') follow(event.query)
  })
  const flush = () => void cache.flush()
  addEventListener('pagehide', flush)
  return () => {
    unsubscribe()
    removeEventListener('pagehide', flush)
  }
}

/**
 * Restored data counts as this much older, in ms, than it is: changes made just before the page closed may not have reached
 * the disk. So it is stale, unless its query never is.
 */
const RESTORED_AGE_MS = 3_600_000

/** Puts a stored query into the cache, unless it has been fetched meanwhile. */
export function restoreQuery(client: QueryClient, { queryKey, data, updatedAt }: StoredQuery): void {
  if (client.getQueryData(queryKey) !== undefined) return
  attached(client).restored.set(hashKey(queryKey), data)
  client.setQueryData(queryKey, data, { updatedAt: updatedAt - RESTORED_AGE_MS })
}

/**
 * For `QueryClient`: a first read takes what is on disk, and refetches it if it is stale. Every other read waits until the
 * server has confirmed the session: as a visitor it would get empty lists.
 */
export async function readThroughDisk(
  queryFn: QueryFunction,
  context: QueryFunctionContext,
  query: Query,
): Promise<unknown> {
  const { disk, restored } = attached(context.client)
  const { queryHash } = query
  if (query.state.data === undefined && disk?.cache.has(queryHash) === true) {
    const [stored] = await disk.cache.read([queryHash])
    if (stored != null && query.state.data === undefined) {
      restored.set(queryHash, stored.data)
      // The query gets this moment as its time when this function has returned.
      setTimeout(() => refreshRestored(query, stored.updatedAt))
      return stored.data
    }
  }
  await untilConfirmed()
  return queryFn(context)
}

function refreshRestored(query: Query, updatedAt: number): void {
  query.setState({ dataUpdatedAt: updatedAt - RESTORED_AGE_MS })
  // The query cache logs a failure.
  if (query.isActive() && query.isStale()) {
    // Not joining a fetch of the next page, which leaves the others as they were.
    query.fetch(undefined, { cancelRefetch: true }).catch(() => undefined)
  }
}

function startsWith(queryKey: QueryKey, prefix: QueryKey): boolean {
  return prefix.every((part, index) => queryKey[index] === part)
}

/** Removes queries from the disk by the beginning of their keys: all rows that were deleted or changed here. */
export function forgetOnDisk(client: QueryClient, prefixes: readonly QueryKey[]): void {
  const cache = attached(client).disk?.cache
  cache?.remove(
    cache.hashes().filter((hash) => {
      const queryKey: QueryKey = JSON.parse(hash)
      return prefixes.some((prefix) => startsWith(queryKey, prefix))
    }),
  )
}

/**
 * Removes everything from the disk and stores what is in memory. For changes that take access to many rows, after they have
 * been removed from memory: only a few of the stored queries are loaded.
 */
export async function rewriteDiskCache(client: QueryClient): Promise<void> {
  const { disk, restored } = attached(client)
  if (disk === null) return
  const { cache, queries } = disk
  restored.clear()
  await cache.clear()
  for (const query of client.getQueryCache().getAll()) {
    const { queryKey, state } = query
    const isOutdated = state.isInvalidated && !query.isActive()
    const isPart = queries.parts.names.has(queryKey[0])
    const isOrphan = isPart && client.getQueryData([queries.parts.of, ...queryKey.slice(1)]) == null
    if (queries.names.has(queryKey[0]) && state.data != null && !isOutdated && !isOrphan)
      store(client, cache, query, queries)
  }
}
