import { createCounts } from './counts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** As max_frequency in supabase/config.toml. */
const MAILS_PER_MINUTE = 1
/** With ten attempts per code, that is 2,400 guesses a day of a million possible codes. */
const MAILS_PER_HOUR = 10
const WRONG_CODES_MAX = 10

/** Limits how often an account's codes can be guessed, from all addresses together. */
export interface RecoveryLimit {
  /** Counts a mail before it is sent. Returns 0, or the seconds to wait before a mail may be sent. */
  beginMail(email: string): number
  /** Removes a mail from the count because sending it failed. */
  undoMail(email: string): void
  /** Resets the wrong attempts: the account has a new code. */
  newCode(email: string): void
  /** Counts a wrong code for an account that has a code. Returns true when that code must be revoked. */
  wrongCode(email: string): boolean
}

export function createRecoveryLimit(now?: () => number): RecoveryLimit {
  const lately = createCounts(MINUTE_MS, now)
  const inHour = createCounts(HOUR_MS, now)
  /** By account. Needs no bound of its own: addresses without an account have no code and are not counted. */
  const wrong = new Map<string, number>()
  const keyOf = (email: string) => email.trim().toLowerCase()

  return {
    beginMail: (email) => {
      const key = keyOf(email)
      const seconds = Math.max(
        lately.secondsToWait(key, MAILS_PER_MINUTE),
        inHour.secondsToWait(key, MAILS_PER_HOUR),
      )
      if (seconds > 0) return seconds
      lately.add(key)
      inHour.add(key)
      return 0
    },
    undoMail: (email) => {
      lately.undo(keyOf(email))
      inHour.undo(keyOf(email))
    },
    newCode: (email) => {
      wrong.delete(keyOf(email))
    },
    wrongCode: (email) => {
      const tries = (wrong.get(keyOf(email)) ?? 0) + 1
      if (tries < WRONG_CODES_MAX) wrong.set(keyOf(email), tries)
      else wrong.delete(keyOf(email))
      return tries >= WRONG_CODES_MAX
    },
  }
}
