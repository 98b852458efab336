import type { RateLimit } from '#/shared/bridge'

export interface RateLimiter {
  /** Returns whether a call is allowed now, and counts it if so. */
  take(): boolean
  /** Milliseconds until the next call is allowed; 0 if it is allowed now. */
  wait(): number
}

/** A token bucket: `calls` tokens, refilled by one every `everyMs` milliseconds. */
export function createRateLimiter({ calls, everyMs }: RateLimit, now: () => number): RateLimiter {
  let tokens = calls
  let refilledAt = now()
  const refill = () => {
    const refilled = Math.floor((now() - refilledAt) / everyMs)
    tokens = Math.min(calls, tokens + refilled)
    refilledAt = tokens === calls ? now() : refilledAt + refilled * everyMs
  }
  return {
    take: () => {
      refill()
      if (tokens === 0) return false
      tokens -= 1
      return true
    },
    wait: () => (tokens > 0 ? 0 : Math.max(0, refilledAt + everyMs - now())),
  }
}
