import { createRateLimiter } from '#/backend/base/rate-limiter'

const MINUTE_MS = 60_000
/** max_frequency in supabase/config.toml. */
const MAILS_PER_MINUTE = { limit: 1, windowMs: MINUTE_MS }
/** With ten attempts per code, that is 2,400 guesses a day of a million possible codes. */
const MAILS_PER_HOUR = { limit: 10, windowMs: 60 * MINUTE_MS }
const WRONG_CODES = { limit: 10, windowMs: Number.POSITIVE_INFINITY }

/** Limits guesses of an account's codes, from all connections together. */
export function createRecoveryLimit(now?: () => number) {
  const perMinute = createRateLimiter(MAILS_PER_MINUTE, now)
  const perHour = createRateLimiter(MAILS_PER_HOUR, now)
  const wrongCodes = createRateLimiter(WRONG_CODES, now)

  return {
    /** Counts a mail before it is sent. Returns 0, or the seconds to wait. */
    beginMail: (email: string): number => {
      const seconds = Math.max(perMinute.secondsToWait(email), perHour.secondsToWait(email))
      if (seconds > 0) return seconds
      perMinute.take(email)
      return perHour.take(email)
    },
    /** Call if sending the mail failed. */
    undoMail: (email: string): void => {
      perMinute.undo(email)
      perHour.undo(email)
    },
    /** Resets the wrong attempts, because the account has a new code. */
    newCode: (email: string): void => wrongCodes.reset(email),
    /** Counts a wrong code. Returns true if the account's code must be revoked. */
    wrongCode: (email: string): boolean => {
      wrongCodes.take(email)
      const isLast = wrongCodes.secondsToWait(email) > 0
      if (isLast) wrongCodes.reset(email)
      return isLast
    },
  }
}
