import { serverNow } from '#/renderer/lib/core/clock-store'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import type { DraftTimes } from '#/renderer/lib/local/draft-age'
import { isRecord, readItem, storedKeys, storeItem } from '#/renderer/lib/local/local-storage'
import { parseJson } from '#/renderer/lib/server/session/stored-session'
import { RECOVERY_LINK_HOURS } from '#/shared/limits'

/** Storage keys of the address for which this app requested a recovery mail. Earlier versions kept one for all servers. */
const ASKED_KEY = 'vignette.recovery'
/** GoTrue's links are valid for at most a day. */
const ACCEPTED_MS = RECOVERY_LINK_HOURS * 60 * 60_000

/** Each server has its own: a link of one that is used on another would hand its session over. */
function askedKey(): string {
  return `${ASKED_KEY}.${useServerInfo.getState().storageKey}`
}

/**
 * Remembers that this app requested a recovery mail. Links for other accounts are refused: an attacker could send a
 * link that signs the member in to the attacker's account.
 */
export function rememberRecovery(email: string): void {
  storeItem(askedKey(), JSON.stringify({ email: email.toLowerCase(), at: serverNow() }), 'remember recovery')
}

export function forgetRecovery(): void {
  storeItem(askedKey(), null)
}

/** The address for which this app requested a recovery mail of this server within the day before; null if there is none. */
export function requestedEmail(): string | null {
  return requestedUnder(askedKey(), serverNow())
}

function requestedUnder(key: string, now: number): string | null {
  const stored = parseJson(readItem(key) ?? '')
  if (!isRecord(stored)) return null
  const isRecent = typeof stored.at === 'number' && now - stored.at < ACCEPTED_MS
  return isRecent && typeof stored.email === 'string' ? stored.email : null
}

/** Forgets the addresses after that day. */
export function removeOldRecovery({ now }: DraftTimes): void {
  for (const key of storedKeys(ASKED_KEY)) if (requestedUnder(key, now) === null) storeItem(key, null)
}
