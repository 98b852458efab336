import { decodeJwt } from 'jose'
import * as z from 'zod'
import type { ComputedHash } from '#/backend/database/password-hashes'
import { peekJson } from '#/backend/peek-json'
import { type AuthCall, authError, readAuthCall } from './auth-calls'
import { createAuthGuard, HASHING } from './auth-guard'
import type { AuthRecords } from './auth-records'
import type { Caller } from './caller'
import { type ComputeHash, sendWithHashes } from './hash-calls'
import { createRecoveryLimit } from './recovery-limit'

/** Runs work alone with the database, in a turn of the caller or of `key`. Resolves with null if it was not run. */
export type RunInTurn = <T>(
  caller: Caller,
  work: () => Promise<T>,
  options?: { key?: string; isHeavy?: boolean },
) => Promise<T | null>

export interface AuthHandlerOptions {
  /** Sends a request to lite; only inside `runInTurn`. `label` names the request in the log. */
  sendToLite: (inner: Request, label: string, hashes?: readonly ComputedHash[]) => Promise<Response>
  runInTurn: RunInTurn
  computeHash: ComputeHash
  records: AuthRecords
  now?: () => number
}

/** Responds like GoTrue with supabase/config.toml; null for a path that is not served. */
export type AuthHandler = (
  request: Request,
  url: URL,
  body: Uint8Array | null,
  caller: Caller,
) => Promise<Response | null>

const sessionClaim = z.uuid()

/** The session id of an unverified token (lite verifies it), or null. */
function sessionOf(token: string | undefined): string | null {
  try {
    return sessionClaim.parse(decodeJwt(token ?? '').session_id)
  } catch {
    return null
  }
}

const grant = z.object({ access_token: z.string() })

/** The id of the session that lite's response grants, or null. */
async function grantedSession(response: Response): Promise<string | null> {
  return sessionOf(grant.safeParse(await peekJson(response)).data?.access_token)
}

export function createAuthHandler(options: AuthHandlerOptions): AuthHandler {
  const { sendToLite, runInTurn, computeHash, records, now } = options
  const guard = createAuthGuard({
    hasAccount: async (email, caller) => (await runInTurn(caller, () => records.hasAccount(email))) === true,
    now,
  })
  const recovery = createRecoveryLimit(now)
  // A separate limiter, so that random addresses cannot push accounts out of the other one.
  const unknownRecovery = createRecoveryLimit(now)

  /** Updates the account. A new password or e-mail requires a recent sign-in, like deleting the account. */
  const changeAccount = async (
    call: AuthCall,
    session: string | null,
    send: (target: string, method: string, body: string | null) => Promise<Response>,
  ): Promise<Response> => {
    const needsPassword = call.purpose === 'new-password' || call.changesEmail
    if (needsPassword && (session === null || (await records.isStale(session))))
      return authError(400, 'reauthentication_needed', 'Enter your password again.')
    const response = await send(call.target, 'PUT', call.body)
    if (!response.ok) return response
    // Like GoTrue: other sessions may belong to somebody who knew the old password.
    if (call.purpose === 'new-password') await send('/auth/v1/logout?scope=others', 'POST', null)
    if (!call.changesEmail || session === null) return response
    await records.applyEmailChange(session)
    return send('/auth/v1/user', 'GET', null)
  }

  /** Verifies a recovery code. Revokes the account's code after too many wrong attempts. */
  const verifyCode = async (call: AuthCall, send: () => Promise<Response>): Promise<Response> => {
    const hasCode = await records.hasCode(call.email)
    const response = await send()
    if (response.status === 403 && hasCode && recovery.wrongCode(call.email))
      await records.revokeCode(call.email)
    return response
  }

  /** Mails a new code. If the last mail is too recent, refuses and its code stays valid. */
  const mailCode = async (call: AuthCall, send: () => Promise<Response>): Promise<Response> => {
    const limit = (await records.hasAccount(call.email)) ? recovery : unknownRecovery
    const seconds = limit.beginMail(call.email)
    if (seconds > 0) {
      const message = `For security purposes, you can only request this after ${seconds} seconds.`
      return authError(429, 'over_email_send_rate_limit', message, { 'retry-after': String(seconds) })
    }
    const response = await send()
    if (response.ok) limit.newCode(call.email)
    else limit.undoMail(call.email)
    return response
  }

  return async (request, url, body, caller) => {
    const call = readAuthCall(request.method, url, body)
    if (call === null || call instanceof Response) return call
    const headers = new Headers(request.headers)
    headers.delete('content-length')
    const label = `${request.method} ${url.pathname}`
    const respond = async (hashes?: readonly ComputedHash[]): Promise<Response> => {
      const send = (target: string, method: string, text: string | null) => {
        const inner = new Request(new URL(target, url), {
          method,
          headers,
          ...(text !== null && { body: text }),
        })
        return sendToLite(inner, label, hashes)
      }
      const sendCall = () => send(call.target, request.method, call.body)
      if (request.method === 'PUT') {
        const token = request.headers.get('authorization')?.replace(/^Bearer /, '')
        return changeAccount(call, sessionOf(token), send)
      }
      if (call.purpose === 'mail') return mailCode(call, sendCall)
      const response = await (call.purpose === 'code' ? verifyCode(call, sendCall) : sendCall())
      if (response.ok && ['password', 'sign-up', 'code'].includes(call.purpose)) {
        const session = await grantedSession(response)
        const userAgent = request.headers.get('user-agent')
        if (session !== null && userAgent !== null) await records.saveUserAgent(session, userAgent)
      }
      return response
    }
    return guard(call, caller, async (key) => {
      const inTurn = (hashes?: readonly ComputedHash[]) => runInTurn(caller, () => respond(hashes), { key })
      const response = await (HASHING.includes(call.purpose)
        ? sendWithHashes(inTurn, { compute: computeHash, isSignIn: call.purpose === 'password' })
        : inTurn())
      return response ?? busy()
    })
  }
}

/** After this status, supabase-js keeps the session and retries. */
function busy(): Response {
  return authError(503, 'unexpected_failure', 'The server is busy', { 'retry-after': '5' })
}
