import type { RateLimit } from '#/shared/bridge'

export interface RateLimiter {
  /** Whether this call may go on; it counts if it may. */
  take(): boolean
  /** Milliseconds until the next one may; 0 when it may now. */
  wait(): number
}

/** Lets through so many calls at once, and one more every so many milliseconds. */
export function createRateLimiter({ calls, everyMs }: RateLimit, now: () => number): RateLimiter {
  let left = calls
  let since = now()
  const refill = () => {
    const regained = Math.floor((now() - since) / everyMs)
    left = Math.min(calls, left + regained)
    since = left === calls ? now() : since + regained * everyMs
  }
  return {
    take: () => {
      refill()
      if (left === 0) return false
      left -= 1
      return true
    },
    wait: () => (left > 0 ? 0 : Math.max(0, since + everyMs - now())),
  }
}
