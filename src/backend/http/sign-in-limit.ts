import { createRateLimiter } from '#/backend/rate-limiter'

const FAILURES = { limit: 10, windowMs: 15 * 60_000 }

/** Counts failed sign-ins by (e-mail, caller), so that one guesser does not lock the member out elsewhere. */
export interface SignInLimit {
  /**
   * Counts a try as failed, before it is made: of many at once no more are let through than one after another.
   * Gives 0, or how many seconds to wait, and then there is to be no try.
   */
  begin(email: string, caller: string): number
  succeeded(email: string, caller: string): void
  /** Removes the attempt from the count: the password was not checked. */
  undecided(email: string, caller: string): void
}

export function createSignInLimit(now?: () => number): SignInLimit {
  const failures = createRateLimiter(FAILURES, now)
  const keyOf = (email: string, caller: string) => JSON.stringify([email.trim().toLowerCase(), caller])

  return {
    begin: (email, caller) => failures.take(keyOf(email, caller)),
    succeeded: (email, caller) => failures.reset(keyOf(email, caller)),
    undecided: (email, caller) => failures.undo(keyOf(email, caller)),
  }
}
