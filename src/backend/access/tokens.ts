import { errors, jwtVerify } from 'jose'
import type { Secrets } from '#/backend/storage/secrets'
import { SESSION_ENDED } from '#/shared/realtime'
import type { LiveSessions } from './live-sessions'

/** The app does not use the service role. */
const ROLES = ['anon', 'authenticated']

const NOT_VALID = 'The token provided is not valid'

/** Characters of a token, which has about a thousand: its header is parsed before its signature is checked. */
export const TOKEN_CHARACTERS_MAX = 4_096

/** The claims of a verified token, as policies see them. */
export interface Claims {
  role: string
  sub?: string
  session_id?: string
  /** Seconds since 1970; missing for a caller with only the publishable key. */
  exp?: number
  [claim: string]: unknown
}

/** A refused token. `message` is the reason that the client receives. */
export class TokenError extends Error {
  override readonly name = 'TokenError'
}

export interface Tokens {
  /** The claims of a caller with only this key; null if it is not the project's publishable key. */
  claimsForKey(key: string | null): Claims | null
  /** The claims of a member's token. Rejects with a TokenError. */
  verify(token: string): Promise<Claims>
}

export function createTokens(
  secrets: Pick<Secrets, 'jwtSecret' | 'publishableKey'>,
  sessions: Pick<LiveSessions, 'isLive'>,
): Tokens {
  const secret = new TextEncoder().encode(secrets.jwtSecret)

  const verify = async (token: string): Promise<Claims> => {
    if (token.length > TOKEN_CHARACTERS_MAX) throw new TokenError(NOT_VALID)
    const { payload } = await jwtVerify(token, secret, { algorithms: ['HS256'] }).catch((cause: unknown) => {
      const isExpired = cause instanceof errors.JWTExpired
      const reason = isExpired ? expiryMessage(cause.payload.exp ?? 0) : NOT_VALID
      throw new TokenError(reason, { cause })
    })
    const { role, exp } = payload
    if (typeof role !== 'string' || typeof exp !== 'number') {
      throw new TokenError('Fields `role` and `exp` are required in JWT')
    }
    if (!ROLES.includes(role)) throw new TokenError('The role of the token may not use Realtime')
    const claims: Claims = { ...payload, role, exp }
    const { session_id } = claims
    if (session_id !== undefined && !(await sessions.isLive(session_id))) throw new TokenError(SESSION_ENDED)
    return claims
  }
  return { claimsForKey: (key) => (key === secrets.publishableKey ? { role: 'anon' } : null), verify }
}

/** The message to a channel whose token has expired. */
export function expiryMessage(exp: number, now: number = Date.now()): string {
  return `Token has expired ${Math.max(0, Math.floor(now / 1000) - exp)} seconds ago`
}
