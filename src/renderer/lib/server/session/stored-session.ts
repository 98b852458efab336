import { clockOffset } from '#/renderer/lib/core/clock-store'
import { isUuid } from '#/renderer/lib/core/uuid'
import { isObject } from '#/renderer/lib/server/checks/checked-values'
import { tokenClaims } from './token-claims'

/** A session that supabase-js and the app can use. */
export interface UsableSession {
  access_token: string
  refresh_token: string
  token_type: 'bearer'
  /** In seconds. */
  expires_in: number
  /** By this machine's clock, in seconds since 1970. */
  expires_at: number
  user: {
    id: string
    email?: string
    aud: string
    created_at: string
    app_metadata: Record<string, unknown>
    user_metadata: Record<string, unknown>
  }
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')
const asRecord = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})
const asNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/** The value of JSON text; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a header can contain the token: `fetch` throws for any other. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)
}

/** When a session of unknown age expires: long ago, so that it is refreshed. Not 0, which supabase-js ignores. */
const EXPIRED = 1

/**
 * When a stored session expires by this machine's clock, in seconds. Its own time is of the clock as it was when the
 * session was received; the token's is of the server's clock. A clock that was corrected in between must not make it
 * look valid for longer.
 */
function localExpiry(stored: number | null, accessToken: string): number {
  const offset = clockOffset()
  if (stored !== null && offset === null) return stored
  const exp = asNumber(tokenClaims(accessToken)?.exp)
  const ofToken = exp === null ? null : exp - Math.round((offset ?? 0) / 1_000)
  if (stored === null || ofToken === null) return stored ?? ofToken ?? EXPIRED
  return Math.min(stored, ofToken)
}

/**
 * Reads a session of the store or of a response. Returns null if the app cannot use it: it may be of another version,
 * or damaged. Missing parts that the app does without are filled in.
 */
export function readSession(value: unknown): UsableSession | null {
  if (!isObject(value) || !isObject(value.user)) return null
  const { access_token, refresh_token, user } = value
  if (!isToken(access_token) || !isToken(refresh_token)) return null
  const { sub = user.id } = tokenClaims(access_token) ?? {}
  if (typeof user.id !== 'string' || !isUuid(user.id) || sub !== user.id) return null
  return {
    access_token,
    refresh_token,
    token_type: 'bearer',
    expires_in: asNumber(value.expires_in) ?? 0,
    expires_at: localExpiry(asNumber(value.expires_at), access_token),
    user: {
      id: user.id,
      ...(typeof user.email === 'string' && { email: user.email }),
      aud: asText(user.aud),
      created_at: asText(user.created_at),
      app_metadata: asRecord(user.app_metadata),
      user_metadata: asRecord(user.user_metadata),
    },
  }
}
