import type { CacheRow, CacheStore } from '#/renderer/lib/disk-cache/store'

/** A cache store in memory; `rows` is the content of the disk. */
export function memoryCache(rows = new Map<string, CacheRow>()) {
  const store: CacheStore = {
    open: async () => [...rows.values()].map(({ text: _text, ...entry }) => entry),
    read: async (hashes) => hashes.map((hash) => rows.get(hash) ?? null),
    change: async (put, removed) => {
      for (const row of put) rows.set(row.hash, row)
      for (const hash of removed) rows.delete(hash)
    },
    clear: async () => rows.clear(),
  }
  return { rows, store }
}
