import { createRateLimiter } from '#/backend/base/rate-limiter'
import { authError } from './auth-calls'

const FAILURES = { limit: 10, windowMs: 15 * 60_000 }

const TOO_MANY = 'Too many tries. Please wait a few minutes and try again.'

/** Makes an attempt to sign in, or refuses it with 429 after ten failed ones with this e-mail. */
export type SignInLimit = (email: string, attempt: () => Promise<Response>) => Promise<Response>

export function createSignInLimit(now?: () => number): SignInLimit {
  const failures = createRateLimiter(FAILURES, now)

  return async (email, attempt) => {
    // Counted as failed before it is made, so that parallel attempts cannot exceed the limit.
    const seconds = failures.take(email)
    if (seconds > 0) return authError(429, 'over_request_rate_limit', TOO_MANY, seconds)
    let status = 500
    try {
      const response = await attempt()
      status = response.status
      return response
    } finally {
      if (status < 400) failures.reset(email)
      // The password was not checked.
      else if (status === 429 || status >= 500) failures.undo(email)
    }
  }
}
