import { createRateLimiter } from '#/backend/rate-limiter'

const FAILURES = { limit: 10, windowMs: 15 * 60_000 }

/** Counts failed sign-ins by e-mail. */
export interface SignInLimit {
  /**
   * Counts an attempt as failed before it is made, so that parallel attempts cannot exceed the limit. Returns 0, or the
   * seconds to wait, in which case the attempt must not be made.
   */
  begin(email: string): number
  succeeded(email: string): void
  /** Removes the attempt from the count, because the password was not checked. */
  undecided(email: string): void
}

/** The same for all spellings of an e-mail that lite treats as equal. */
export function signInKey(email: string): string {
  return email.trim().toLowerCase()
}

export function createSignInLimit(now?: () => number): SignInLimit {
  const failures = createRateLimiter(FAILURES, now)

  return {
    begin: (email) => failures.take(signInKey(email)),
    succeeded: (email) => failures.reset(signInKey(email)),
    undecided: (email) => failures.undo(signInKey(email)),
  }
}
