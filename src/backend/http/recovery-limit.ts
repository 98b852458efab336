import { createRateLimiter } from '#/backend/base/rate-limiter'

const MINUTE_MS = 60_000
/** max_frequency in supabase/config.toml. */
const MAILS_PER_MINUTE = { limit: 1, windowMs: MINUTE_MS }
/** With ten attempts per code, that is 2,400 guesses a day of a million possible codes. */
const MAILS_PER_HOUR = { limit: 10, windowMs: 60 * MINUTE_MS }
const WRONG_CODES = { limit: 10, windowMs: Number.POSITIVE_INFINITY }

/** Limits guesses of an account's codes, from all network addresses together. */
export interface RecoveryLimit {
  /** Counts a mail before it is sent. Returns 0, or the seconds to wait. */
  beginMail(email: string): number
  /** Call if sending the mail failed. */
  undoMail(email: string): void
  /** Resets the wrong attempts, because the account has a new code. */
  newCode(email: string): void
  /** Counts a wrong code. Returns true if the account's code must be revoked. */
  wrongCode(email: string): boolean
}

export function createRecoveryLimit(now?: () => number): RecoveryLimit {
  const perMinute = createRateLimiter(MAILS_PER_MINUTE, now)
  const perHour = createRateLimiter(MAILS_PER_HOUR, now)
  const wrongCodes = createRateLimiter(WRONG_CODES, now)
  const keyOf = (email: string) => email.trim().toLowerCase()

  return {
    beginMail: (email) => {
      const key = keyOf(email)
      const seconds = Math.max(perMinute.secondsToWait(key), perHour.secondsToWait(key))
      if (seconds > 0) return seconds
      perMinute.take(key)
      return perHour.take(key)
    },
    undoMail: (email) => {
      perMinute.undo(keyOf(email))
      perHour.undo(keyOf(email))
    },
    newCode: (email) => {
      wrongCodes.reset(keyOf(email))
    },
    wrongCode: (email) => {
      const key = keyOf(email)
      wrongCodes.take(key)
      const isLast = wrongCodes.secondsToWait(key) > 0
      if (isLast) wrongCodes.reset(key)
      return isLast
    },
  }
}
