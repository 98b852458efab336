import type { Query, QueryClient } from '@tanstack/react-query'
import { createUrl, releaseUrl } from '#/renderer/lib/browser/object-url-store'
import { serverNow } from '#/renderer/lib/core/clock-store'
import { AppError, isOffline } from '#/renderer/lib/core/errors'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { isTransient } from '#/renderer/lib/queries/query-client'
import { CHECKED_OBJECTS } from '#/shared/limits'
import { type ObjectUse, readChecked } from './check-object'
import { type KeptObject, OBJECT_KEY } from './kept-objects'
import { linksOf } from './links'

interface ObjectRequest {
  path: string
  use: ObjectUse
  until: string | undefined
  signal: AbortSignal
}

/** Reads and checks a picture or video; null if it must not be shown. Throws an `AppError`, or the signal's reason. */
export async function readObject(
  client: QueryClient,
  { path, use, until, signal }: ObjectRequest,
): Promise<KeptObject | null> {
  limiterOf(client, client)
  const file = await withLink(client, path, signal, (url) => readChecked(url, path, use, signal))
  if (file === null) return null
  signal.throwIfAborted()
  const expiresAt = until === undefined ? null : Date.parse(until)
  return { url: createUrl(file), bytes: file.size, until: expiresAt }
}

/**
 * Reads from an object's link. If that fails, reads once more from a new link, as for an `<img>`; after that only the connection
 * is a reason to try again.
 */
export async function withLink<T>(
  client: QueryClient,
  path: string,
  signal: AbortSignal,
  read: (url: string) => Promise<T>,
): Promise<T> {
  const links = linksOf(client)
  const attempt = async () => {
    const link = await links.sign(path)
    if (link === null) throw new AppError('not-found', '', 'object')
    return read(link.url)
  }
  try {
    return await attempt()
  } catch (cause) {
    signal.throwIfAborted()
    if (isOffline(cause)) throw cause
    links.forget(path)
    return attempt().catch((again: unknown) => {
      if (isTransient(again) && !isOffline(again))
        throw new AppError('refused', '', 'object', { cause: again })
      throw again
    })
  }
}

function objectIn({ state }: Query): KeptObject | null {
  return (state.data as KeptObject | null | undefined) ?? null
}

const DAY_MS = 24 * 3_600_000

/** Keeps the objects of a client within `CHECKED_OBJECTS`, drops those of expired stories, and releases what leaves its cache. */
const limiterOf = onePerClient((client: QueryClient) => {
  const cache = client.getQueryCache()
  /** Least recently used first. */
  const kept = new Set<Query>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const trim = () => {
    const now = serverNow()
    let bytes = [...kept].reduce((sum, query) => sum + (objectIn(query)?.bytes ?? 0), 0)
    let nextExpiry = Number.POSITIVE_INFINITY
    for (const query of kept) {
      if (query.isActive() || query.state.fetchStatus !== 'idle') continue
      const object = objectIn(query)
      const until = object?.until ?? Number.POSITIVE_INFINITY
      if (until <= now || kept.size > CHECKED_OBJECTS.count || bytes > CHECKED_OBJECTS.bytes) {
        bytes -= object?.bytes ?? 0
        cache.remove(query)
      } else nextExpiry = Math.min(nextExpiry, until)
    }
    clearTimeout(timer)
    // A timer of more than 24.8 days would fire at once.
    if (Number.isFinite(nextExpiry)) timer = setTimeout(trim, Math.min(nextExpiry - now, DAY_MS))
  }

  cache.subscribe(({ type, query }) => {
    if (query.queryKey[0] !== OBJECT_KEY) return
    if (cache.get(query.queryHash) !== query) {
      // Removed, also while it was being read.
      kept.delete(query)
      const object = objectIn(query)
      if (object !== null) releaseUrl(object.url)
      return
    }
    if (type === 'added' || type === 'observerAdded') kept.delete(query)
    kept.add(query)
    if (type === 'updated' || type === 'observerRemoved') trim()
  })
  return {}
})
