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
  /** Whether the account has signed in from there since the server started. */
  isFamiliar(email: string, caller: string): boolean
  /** Removes the attempt from the count: the password was not checked. */
  undecided(email: string, caller: string): void
}

/** The same for all spellings of an e-mail address that lite takes for one. */
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
