/** Entries kept at most; past it the oldest are forgotten, so that made-up keys cannot fill the memory. */
const ENTRIES_MAX = 10_000

interface Entry {
  count: number
  /** When the window ends, in milliseconds of the clock. */
  until: number
}

/** Counts by key, each in a window of time that begins with the first. */
export interface Counts {
  add(key: string): void
  /** Takes one back. */
  undo(key: string): void
  forget(key: string): void
  /** Seconds until `limit` more of this key are allowed again, or 0 while fewer were counted. */
  secondsToWait(key: string, limit: number): number
}

export function createCounts(windowMs: number, now: () => number = Date.now): Counts {
  const entries = new Map<string, Entry>()

  const current = (key: string): Entry | undefined => {
    const entry = entries.get(key)
    if (entry !== undefined && entry.until <= now()) {
      entries.delete(key)
      return undefined
    }
    return entry
  }

  return {
    add: (key) => {
      const entry = current(key) ?? { count: 0, until: now() + windowMs }
      entries.set(key, { ...entry, count: entry.count + 1 })
      const [oldest] = entries.keys()
      if (entries.size > ENTRIES_MAX && oldest !== undefined) entries.delete(oldest)
    },
    undo: (key) => {
      const entry = current(key)
      if (entry !== undefined) entries.set(key, { ...entry, count: Math.max(0, entry.count - 1) })
    },
    forget: (key) => {
      entries.delete(key)
    },
    secondsToWait: (key, limit) => {
      const entry = current(key)
      if (entry === undefined || entry.count < limit) return 0
      return Math.ceil((entry.until - now()) / 1_000)
    },
  }
}
