import { createRateLimiter } from '#/backend/rate-limiter'

const FAILURES = { limit: 10, windowMs: 15 * 60_000 }

/** Counts failed sign-ins by e-mail and caller, so that a guesser cannot lock the member out elsewhere. */
export interface SignInLimit {
  /**
   * Counts an attempt as failed before it is made, so that parallel attempts cannot exceed the limit. Returns 0, or the
   * seconds to wait, in which case the attempt must not be made.
   */
  begin(email: string, caller: string): number
  succeeded(email: string, caller: string): void
  /** Whether the caller has signed in to the account since the server started. */
  isFamiliar(email: string, caller: string): boolean
  /** Removes the attempt from the count, because the password was not checked. */
  undecided(email: string, caller: string): void
}

/** The same for all spellings of an e-mail that lite treats as equal. */
export function signInKey(email: string, caller: string): string {
  return JSON.stringify([email.trim().toLowerCase(), caller])
}

export function createSignInLimit(now?: () => number): SignInLimit {
  const failures = createRateLimiter(FAILURES, now)
  const familiar = createRateLimiter({ limit: 1, windowMs: Number.POSITIVE_INFINITY }, now)

  return {
    begin: (email, caller) => failures.take(signInKey(email, caller)),
    succeeded: (email, caller) => {
      failures.reset(signInKey(email, caller))
      familiar.take(signInKey(email, caller))
    },
    isFamiliar: (email, caller) => familiar.secondsToWait(signInKey(email, caller)) > 0,
    undecided: (email, caller) => failures.undo(signInKey(email, caller)),
  }
}
