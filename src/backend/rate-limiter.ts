/**
 * Keys kept at most. Beyond that the oldest are forgotten, so that made-up keys cannot fill the memory. Making so many
 * sign-ins fail takes longer than the window of each.
 */
const KEYS_MAX = 20_000

export interface RateLimit {
  /** How many calls of one key a window allows, or how much of anything else that `take` names the amount of. */
  limit: number
  /** A window begins with the first call of its key; `Infinity` counts until `reset`. */
  windowMs: number
}

/** Limits how often something happens, per key; a limiter for a single subject needs no key. */
export interface RateLimiter {
  /** Counts a call, or another amount, and returns 0, or returns the seconds to wait and counts nothing. */
  take(key?: string, amount?: number): number
  /** The seconds until a call would be allowed, 0 if it would be now. */
  secondsToWait(key?: string): number
  /** Removes one call from the count. */
  undo(key?: string): void
  reset(key?: string): void
}

interface Window {
  count: number
  /** When the window ends, in milliseconds of the clock. */
  until: number
}

/** The one rate limiter of the backend: fixed windows, in memory. */
export function createRateLimiter({ limit, windowMs }: RateLimit, now: () => number = Date.now): RateLimiter {
  const windows = new Map<string, Window>()

  const current = (key: string): Window | undefined => {
    const window = windows.get(key)
    if (window === undefined || window.until > now()) return window
    windows.delete(key)
    return undefined
  }
  const secondsToWait = (key = '') => {
    const window = current(key)
    if (window === undefined || window.count < limit) return 0
    return Math.ceil((window.until - now()) / 1_000)
  }

  return {
    secondsToWait,
    take: (key = '', amount = 1) => {
      const seconds = secondsToWait(key)
      if (seconds > 0) return seconds
      const { count, until } = current(key) ?? { count: 0, until: now() + windowMs }
      windows.set(key, { count: count + amount, until })
      const [oldest] = windows.keys()
      if (windows.size > KEYS_MAX && oldest !== undefined) windows.delete(oldest)
      return 0
    },
    undo: (key = '') => {
      const window = current(key)
      if (window === undefined) return
      // A call that does not count must not push another key out either.
      if (window.count <= 1) windows.delete(key)
      else windows.set(key, { ...window, count: window.count - 1 })
    },
    reset: (key = '') => {
      windows.delete(key)
    },
  }
}
