/** Beyond this, the oldest key is dropped, so that random keys cannot fill the memory. So many failed sign-ins take longer than a window. */
const KEYS_MAX = 20_000

export interface RateLimit {
  /** Calls, or other units that `take` counts, per key and window. */
  limit: number
  /** A window starts with the first call of its key. `Infinity` counts until `reset`. */
  windowMs: number
}

/** Limits how often something happens, per key. The key may be left out if there is only one. */
export interface RateLimiter {
  /** Counts a call, or another amount, and returns 0. Above the limit, counts nothing and returns the seconds to wait. */
  take(key?: string, amount?: number): number
  /** Seconds until a call is allowed; 0 if it is allowed now. */
  secondsToWait(key?: string): number
  /** Removes one call from the count. */
  undo(key?: string): void
  reset(key?: string): void
}

interface Window {
  count: number
  /** Milliseconds since 1970. */
  endsAt: number
}

/** A rate limiter with fixed windows, in memory. */
export function createRateLimiter({ limit, windowMs }: RateLimit, now: () => number = Date.now): RateLimiter {
  const windows = new Map<string, Window>()

  const current = (key: string): Window | undefined => {
    const window = windows.get(key)
    if (window === undefined || window.endsAt > now()) return window
    windows.delete(key)
    return undefined
  }
  const secondsToWait = (key = '') => {
    const window = current(key)
    if (window === undefined || window.count < limit) return 0
    return Math.ceil((window.endsAt - now()) / 1_000)
  }

  return {
    secondsToWait,
    take: (key = '', amount = 1) => {
      const seconds = secondsToWait(key)
      if (seconds > 0) return seconds
      const { count, endsAt } = current(key) ?? { count: 0, endsAt: now() + windowMs }
      windows.set(key, { count: count + amount, endsAt })
      const [oldest] = windows.keys()
      if (windows.size > KEYS_MAX && oldest !== undefined) windows.delete(oldest)
      return 0
    },
    undo: (key = '') => {
      const window = current(key)
      if (window === undefined) return
      // Without calls, the key must not count towards KEYS_MAX either.
      if (window.count <= 1) windows.delete(key)
      else windows.set(key, { ...window, count: window.count - 1 })
    },
    reset: (key = '') => void windows.delete(key),
  }
}
