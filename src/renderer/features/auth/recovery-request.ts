import { serverNow } from '#/renderer/lib/core/clock-store'
import type { DraftTimes } from '#/renderer/lib/local/draft-age'
import { isRecord, readItem, storeItem } from '#/renderer/lib/local/local-storage'
import { parseJson } from '#/renderer/lib/server/session/stored-session'
import { RECOVERY_LINK_HOURS } from '#/shared/limits'

/** Storage key of the address for which this app requested a recovery mail. */
const ASKED_KEY = 'vignette.recovery'
/** GoTrue's links are valid for at most a day. */
const ACCEPTED_MS = RECOVERY_LINK_HOURS * 60 * 60_000

/**
 * Remembers that this app requested a recovery mail. Links for other accounts are refused: an attacker could send a
 * link that signs the member in to the attacker's account.
 */
export function rememberRecovery(email: string): void {
  storeItem(ASKED_KEY, JSON.stringify({ email: email.toLowerCase(), at: serverNow() }), 'remember recovery')
}

export function forgetRecovery(): void {
  storeItem(ASKED_KEY, null)
}

/** The address for which this app requested a recovery mail within the day before `now`; null if there is none. */
export function requestedEmail(now = serverNow()): string | null {
  const stored = parseJson(readItem(ASKED_KEY) ?? '')
  if (!isRecord(stored)) return null
  const isRecent = typeof stored.at === 'number' && now - stored.at < ACCEPTED_MS
  return isRecent && typeof stored.email === 'string' ? stored.email : null
}

/** Forgets the address after that day. */
export function removeOldRecovery({ now }: DraftTimes): void {
  if (requestedEmail(now) === null) forgetRecovery()
}
