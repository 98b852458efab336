import { logFailure } from '#/renderer/lib/core/logger'
import { waitUntil } from '#/renderer/lib/core/pending-work-store'
import { DISK_CACHE } from '#/shared/limits'
import type { CacheEntry, CacheRow, CacheStore } from './store'

/** A query as it is stored on disk. */
export interface StoredQuery {
  queryKey: readonly unknown[]
  data: unknown
  /** When the server sent it, in milliseconds since 1970. */
  updatedAt: number
}

/** The queries that one member has on disk. Its promises never reject: without a disk the app works as before. */
export interface DiskCache {
  /** Reads which queries are stored; until then only `read` works, and changes wait. Never reads their contents. */
  list(): Promise<void>
  /** Whether a query may be stored: any, until they are listed. */
  mayHave(hash: string): boolean
  /** Resolves with the queries with these hashes, in the same order; null for one that is missing or damaged. */
  read(hashes: readonly string[]): Promise<(StoredQuery | null)[]>
  /** Schedules storing a query; `read` is called when it is stored. */
  put(hash: string, read: () => StoredQuery): void
  /** Schedules removing queries. */
  remove(hashes: readonly string[]): void
  /** Schedules removing all queries that match. */
  removeMatching(matches: (hash: string) => boolean): void
  /** Removes everything. Resolves when it is removed. */
  clear(): Promise<void>
  /** Applies all scheduled changes now. */
  flush(): Promise<void>
  /** Stops storing. */
  close(): void
}

/** Delay before changes are stored, in milliseconds, so that one transaction stores many. */
const FLUSH_MS = 1_000

/** Returns null for texts of damaged rows. */
function parse(text: string): StoredQuery | null {
  try {
    const stored: StoredQuery | null = JSON.parse(text)
    return Array.isArray(stored?.queryKey) ? stored : null
  } catch {
    return null
  }
}

/** The size of a stored string: Chromium takes two bytes per character if one of them is beyond Latin-1. */
function bytesOf(text: string): number {
  return /[\u0100-\uffff]/.test(text) ? text.length * 2 : text.length
}

export type DiskCacheLimits = Readonly<Record<keyof typeof DISK_CACHE, number>>

/** Returns the oldest entries to remove, so that the rest is within the limits with room for new entries. */
export function toEvict(entries: readonly CacheEntry[], limits: DiskCacheLimits): string[] {
  let size = entries.reduce((sum, entry) => sum + entry.size, 0)
  let count = entries.length
  if (size <= limits.bytes && count <= limits.queries) return []
  const evicted: string[] = []
  for (const entry of entries.toSorted((a, b) => a.savedAt - b.savedAt)) {
    if (size <= limits.bytes * limits.keep && count <= limits.queries * limits.keep) break
    size -= entry.size
    count -= 1
    evicted.push(entry.hash)
  }
  return evicted
}

export function openDiskCache(
  store: CacheStore,
  limits: DiskCacheLimits = DISK_CACHE,
  now: () => number = Date.now,
): DiskCache {
  const log = (cause: unknown) => logFailure('disk cache', cause)
  const oldest = now() - limits.days * 24 * 60 * 60_000
  const entries = new Map<string, CacheEntry>()
  const puts = new Map<string, () => StoredQuery>()
  const removed = new Set<string>()
  let isListed = false
  /** Calls of `removeMatching` that apply to stored queries once they are listed. */
  let isRemoved: ((hash: string) => boolean)[] = []
  let isClosed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let startChanges = (): void => undefined
  let last = new Promise<void>((resolve) => {
    startChanges = resolve
  })

  /** Changes run one after another, once the stored queries are listed. */
  const enqueue = (change: () => Promise<void>): Promise<void> => {
    last = waitUntil(last.then(change).catch(log))
    return last
  }
  const toRow = ([hash, read]: [string, () => StoredQuery]): CacheRow[] => {
    try {
      const text = JSON.stringify(read())
      const row = { hash, savedAt: now(), size: bytesOf(text), text }
      return row.size <= limits.queryBytes ? [row] : []
    } catch (cause) {
      // A server may nest a value deeper than it can be written.
      log(cause)
      return []
    }
  }
  const write = async () => {
    clearTimeout(timer)
    timer = undefined
    if (isClosed) return
    const rows = [...puts].flatMap(toRow)
    // If a query can no longer be stored, its previous version must not stay on disk.
    for (const hash of puts.keys()) removed.add(hash)
    puts.clear()
    for (const hash of removed) entries.delete(hash)
    for (const { text: _text, ...entry } of rows) entries.set(entry.hash, entry)
    const evicted = new Set(toEvict([...entries.values()], limits))
    for (const hash of evicted) entries.delete(hash)
    const kept = rows.filter(({ hash }) => !evicted.has(hash))
    const stored = new Set(kept.map(({ hash }) => hash))
    const gone = [...removed, ...evicted].filter((hash) => !stored.has(hash))
    removed.clear()
    if (kept.length > 0 || gone.length > 0) await store.change(kept, gone)
  }
  const schedule = () => {
    if (!isClosed) timer ??= setTimeout(() => void enqueue(write), FLUSH_MS)
  }

  const remove = (hashes: readonly string[]) => {
    for (const hash of hashes) {
      puts.delete(hash)
      removed.add(hash)
    }
    schedule()
  }
  const mayHave = (hash: string) => {
    if (puts.has(hash) || removed.has(hash)) return false
    return isListed ? entries.has(hash) : !isRemoved.some((matches) => matches(hash))
  }
  const list = async () => {
    const stored = await store.open().catch((cause: unknown) => {
      log(cause)
      return []
    })
    const outdated = ({ hash, savedAt }: CacheEntry) =>
      savedAt < oldest || isRemoved.some((matches) => matches(hash))
    for (const entry of stored) entries.set(entry.hash, entry)
    // Not what has been put again meanwhile.
    const gone = stored.filter((entry) => outdated(entry) && !puts.has(entry.hash))
    if (gone.length > 0) remove(gone.map(({ hash }) => hash))
    isListed = true
    isRemoved = []
    startChanges()
  }
  let listing: Promise<void> | undefined

  return {
    list: () => {
      listing ??= list()
      return listing
    },
    mayHave,
    read: async (hashes) => {
      const rows = await store.read(hashes).catch((cause: unknown) => {
        log(cause)
        return []
      })
      const isCurrent = (row: CacheRow) => row.savedAt >= oldest && mayHave(row.hash)
      return hashes.map((_, index) => {
        const row = rows[index]
        return row != null && isCurrent(row) ? parse(row.text) : null
      })
    },
    put: (hash, read) => {
      removed.delete(hash)
      puts.set(hash, read)
      schedule()
    },
    remove,
    removeMatching: (matches) => {
      remove([...entries.keys(), ...puts.keys()].filter(matches))
      if (!isListed) isRemoved.push(matches)
    },
    clear: () => {
      puts.clear()
      removed.clear()
      entries.clear()
      if (!isListed) isRemoved.push(() => true)
      return enqueue(async () => {
        entries.clear()
        await store.clear()
      })
    },
    flush: () => enqueue(write),
    close: () => {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
