import {
  hashKey,
  type Query,
  type QueryClient,
  type QueryFunction,
  type QueryFunctionContext,
  type QueryKey,
} from '@tanstack/react-query'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { untilConfirmed } from '#/renderer/lib/server/session/session-status-store'
import type { DiskCache, StoredQuery } from './disk-cache'

/** Which queries are cached on disk. */
export interface CachedQueries {
  /** First elements of their keys. All others are never stored. */
  names: ReadonlySet<unknown>
  /** Of these infinite queries only the first page is stored: restoring refetches every stored page. */
  firstPageOnly: ReadonlySet<unknown>
  /** Properties of their data that are not stored, by the first element of the key: what a screen shows only now. */
  unstored: ReadonlyMap<unknown, string>
  /** Queries of parts of a row, removed from disk together with the row: `[name, id]` for the row `[of, id]`. */
  parts: { of: string; names: ReadonlySet<unknown> }
  /** Whether a query contains content that the server has deleted: it stays in memory, but not on disk. */
  isDeleted: (client: QueryClient, query: Query) => boolean
}

interface Attached {
  /** Null until the cache is open. */
  disk: { cache: DiskCache; queries: CachedQueries } | null
  /** The data read from disk, by query hash: it is not stored again. */
  restored: Map<string, unknown>
}

const attached = onePerClient((): Attached => ({ disk: null, restored: new Map() }))

function withFirstPage(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || !('pages' in data) || !('pageParams' in data)) return data
  const { pages, pageParams } = data
  if (!Array.isArray(pages) || !Array.isArray(pageParams)) return data
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }
}

function without(data: unknown, property: string | undefined): unknown {
  if (property === undefined || typeof data !== 'object' || data === null) return data
  return { ...data, [property]: undefined }
}

function toStored({ queryKey, state }: Query, { firstPageOnly, unstored }: CachedQueries): StoredQuery {
  const data = firstPageOnly.has(queryKey[0]) ? withFirstPage(state.data) : state.data
  return { queryKey, data: without(data, unstored.get(queryKey[0])), updatedAt: state.dataUpdatedAt }
}

/** Stores a query. The server returns null for a row that is deleted or hidden: then its data is removed from disk. */
function store(client: QueryClient, cache: DiskCache, query: Query, queries: CachedQueries): void {
  const { queryHash, queryKey, state } = query
  if (state.data == null || queries.isDeleted(client, query)) {
    const { of, names } = queries.parts
    const parts = queryKey[0] === of ? [...names].map((name) => hashKey([name, ...queryKey.slice(1)])) : []
    cache.remove([queryHash, ...parts])
  } else cache.put(queryHash, () => toStored(query, queries))
}

/** Makes the first read of each query use this cache; see `readThroughDisk`. */
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
 * Restored data counts as this much older than it is, in milliseconds: changes made just before the page closed may not
 * be on disk. This makes it stale, except in queries that never are.
 */
const RESTORED_AGE_MS = 3_600_000

/** This machine's clock may have been set back since the data was stored. */
const restoredAt = (updatedAt: number): number => Math.min(updatedAt, Date.now()) - RESTORED_AGE_MS

/** Puts a stored query into the cache, unless it has been fetched meanwhile. */
export function restoreQuery(client: QueryClient, { queryKey, data, updatedAt }: StoredQuery): void {
  if (client.getQueryData(queryKey) !== undefined) return
  attached(client).restored.set(hashKey(queryKey), data)
  client.setQueryData(queryKey, data, { updatedAt: restoredAt(updatedAt) })
}

/**
 * The persister of a `QueryClient`: the first read of a query returns the stored data and refetches it if it is stale.
 * All other reads wait until the server has confirmed the session: before that, the server would treat them as a
 * visitor's and return empty lists.
 */
export async function readThroughDisk(
  queryFn: QueryFunction,
  context: QueryFunctionContext,
  query: Query,
): Promise<unknown> {
  const { disk, restored } = attached(context.client)
  const { queryHash } = query
  if (query.state.data === undefined && disk?.cache.mayHave(queryHash) === true) {
    const [stored] = await disk.cache.read([queryHash])
    if (stored != null && query.state.data === undefined) {
      restored.set(queryHash, stored.data)
      // When this function has returned, TanStack Query sets the time of the data to now.
      setTimeout(() => refreshRestored(query, stored.updatedAt))
      return stored.data
    }
  }
  await untilConfirmed()
  return queryFn(context)
}

function refreshRestored(query: Query, updatedAt: number): void {
  query.setState({ dataUpdatedAt: restoredAt(updatedAt) })
  // The query cache logs a failure.
  if (query.isActive() && query.isStale()) {
    // Do not join a running fetch of the next page, which does not refetch the other pages.
    query.fetch(undefined, { cancelRefetch: true }).catch(() => undefined)
  }
}

function startsWith(queryKey: QueryKey, prefix: QueryKey): boolean {
  return prefix.every((part, index) => queryKey[index] === part)
}

/** Removes the queries with these key prefixes from disk, even if they are not in memory. */
export function forgetOnDisk(client: QueryClient, prefixes: readonly QueryKey[]): void {
  attached(client).disk?.cache.removeMatching((hash) => {
    const queryKey: QueryKey = JSON.parse(hash)
    return prefixes.some((prefix) => startsWith(queryKey, prefix))
  })
}

/**
 * Replaces the content of the disk with the queries in memory. Call after a change that hides many rows, once they are
 * removed from memory: queries that are only on disk may contain such rows.
 * @param lost a member to whose rows access is lost: queries with their id in the key are not stored
 */
export async function rewriteDiskCache(client: QueryClient, lost?: string): Promise<void> {
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
    const isLost = lost !== undefined && queryKey.includes(lost)
    if (queries.names.has(queryKey[0]) && state.data != null && !isOutdated && !isOrphan && !isLost)
      store(client, cache, query, queries)
  }
}
