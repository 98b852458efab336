import { createRateLimiter } from '#/backend/base/rate-limiter'
import { authError } from './auth-calls'

const FAILURES = { limit: 10, windowMs: 15 * 60_000 }

/** Makes an attempt to sign in, or refuses it with 429 after ten failed ones with this e-mail. */
export type SignInLimit = (email: string, attempt: () => Promise<Response>) => Promise<Response>

export function createSignInLimit(now?: () => number): SignInLimit {
  const failures = createRateLimiter(FAILURES, now)

  return async (email, attempt) => {
    // The same for all spellings that lite treats as equal.
    const key = email.trim().toLowerCase()
    // Counted as failed before it is made, so that parallel attempts cannot exceed the limit.
    const seconds = failures.take(key)
    if (seconds > 0) return tooMany(seconds)
    let status = 500
    try {
      const response = await attempt()
      status = response.status
      return response
    } finally {
      if (status < 400) failures.reset(key)
      // The password was not checked.
      else if (status === 429 || status >= 500) failures.undo(key)
    }
  }
}

function tooMany(seconds: number): Response {
  return authError(
    429,
    'over_request_rate_limit',
    'Too many tries. Please wait a few minutes and try again.',
    { 'retry-after': String(seconds) },
  )
}
