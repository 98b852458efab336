import { decodeJwt } from 'jose'
import * as z from 'zod'
import { type Caller, waitingOf } from '#/backend/access/caller'
import type { BackendLog } from '#/backend/base/log'
import { peekJson } from '#/backend/base/peek-json'
import type { Exclusive, Waiting } from '#/backend/base/queue'
import { createRateLimiter } from '#/backend/base/rate-limiter'
import type { ComputedHash, ComputeHash } from '#/backend/database/password-hashes'
import { type AuthCall, authError, readAuthCall } from './auth-calls'
import { createAuthLog } from './auth-log'
import type { AuthRecords } from './auth-records'
import { changedMail, createCode, recoveryMail, replacedMail, type SendMail } from './former-email'
import { createHashCalls, type SendHashes } from './hash-calls'
import { createRecoveryLimit } from './recovery-limit'
import { createSignInLimit } from './sign-in-limit'

export interface AuthHandlerOptions {
  /** Sends a request to lite; only inside `exclusive`. `label` names the request in the log. */
  sendToLite: (inner: Request, label: string, hashes: readonly ComputedHash[]) => Promise<Response>
  exclusive: Exclusive
  computeHash: ComputeHash
  records: AuthRecords
  sendMail: SendMail
  log?: BackendLog | undefined
  now?: () => number
}

/**
 * How a call waits: all sign-ins are one caller, and so are renewals, sign-ups and each other kind of call of strangers, so that none
 * waits for other requests of theirs. By account, they would tell which exist.
 */
function waitingFor({ purpose }: AuthCall, caller: Caller): Waiting {
  const isByKind = purpose === 'password' || caller.member === null
  return isByKind ? { caller: `calls: ${purpose}`, isGone: caller.isGone } : waitingOf(caller)
}

/** E-mail changes of an account: each one writes a mail and holds an address for seven days. */
const EMAIL_CHANGES = { limit: 5, windowMs: 60 * 60_000 }

/** Responds like GoTrue with supabase/config.toml; null for a path that is not served. */
export type AuthHandler = (
  request: Request,
  url: URL,
  body: Uint8Array | null,
  caller: Caller,
) => Promise<Response | null>

/** Sends a call to lite. */
type Send = (target: string, method: string, body: string | null) => Promise<Response>

const TOO_MANY_CHANGES = 'The e-mail was changed too often. Please try again later.'
const EMAIL_EXISTS = 'A user with this email address has already been registered'

const uuidClaim = z.uuid()

/** A uuid in an unverified token (lite verifies it), or null. */
function claimOf(token: string | undefined, claim: 'session_id' | 'sub'): string | null {
  try {
    return uuidClaim.parse(decodeJwt(token ?? '')[claim])
  } catch {
    return null
  }
}

/** Session and member of the request's unverified token. */
function accountOf(request: Request) {
  const token = request.headers.get('authorization')?.replace(/^Bearer /, '')
  return { session: claimOf(token, 'session_id'), member: claimOf(token, 'sub') }
}

const grant = z.object({ access_token: z.string(), refresh_token: z.string() })

/** The session that lite's response grants, or null. */
async function grantedSession(response: Response): Promise<{ id: string; refreshToken: string } | null> {
  const { data } = grant.safeParse(await peekJson(response))
  const id = claimOf(data?.access_token, 'session_id')
  return data === undefined || id === null ? null : { id, refreshToken: data.refresh_token }
}

const invalid = z.literal('validation_failed')
/** In the format of today and in the first one; the client says which it wants. */
const refused = z.union([z.object({ code: invalid }), z.object({ error_code: invalid })])

/** Lite calls a text that is none of its refresh tokens an invalid request. The app ends a session only for the codes that say that it has ended. */
async function withEndedSession(response: Response): Promise<Response> {
  if (response.status !== 400 || !refused.safeParse(await peekJson(response)).success) return response
  return authError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found')
}

export function createAuthHandler(options: AuthHandlerOptions): AuthHandler {
  const { sendToLite, exclusive, computeHash, records, sendMail, log, now } = options
  const logCall = createAuthLog(log, now)
  const limitSignIns = createSignInLimit(now)
  const hashCalls = createHashCalls(computeHash)
  const emailChanges = createRateLimiter(EMAIL_CHANGES, now)
  const recovery = createRecoveryLimit(now)
  // A separate limiter, so that random addresses cannot push accounts out of the other one.
  const unknownRecovery = createRecoveryLimit(now)

  /** Updates the account. A new password or e-mail requires a recent sign-in, like deleting the account. */
  const changeAccount = async (
    call: AuthCall,
    { session, member }: { session: string | null; member: string | null },
    send: Send,
  ): Promise<Response> => {
    const needsPassword = call.purpose === 'new-password' || call.changesEmail
    if (needsPassword && (session === null || (await records.isStale(session))))
      return authError(400, 'reauthentication_needed', 'Enter your password again.')
    if (call.changesEmail) {
      const holder = await records.findFormerAccount(call.email)
      if (holder !== null && holder !== member) return authError(422, 'email_exists', EMAIL_EXISTS)
      const seconds = emailChanges.secondsToWait(member ?? '')
      if (seconds > 0) return authError(429, 'over_request_rate_limit', TOO_MANY_CHANGES, seconds)
    }
    const response = await send(call.target, 'PUT', call.body)
    if (!response.ok) return response
    // Like GoTrue: other sessions may belong to somebody who knew the old password.
    if (call.purpose === 'new-password') await send('/auth/v1/logout?scope=others', 'POST', null)
    if (!call.changesEmail || session === null) return response
    const former = await records.applyEmailChange(session)
    if (former !== null) {
      emailChanges.take(member ?? '')
      await sendMail(changedMail(former))
    }
    return send('/auth/v1/user', 'GET', null)
  }

  /**
   * Verifies a recovery code. Revokes the account's code after too many wrong attempts. A code for a former e-mail gives the account
   * that address back.
   */
  const verifyCode = async (call: AuthCall, send: Send): Promise<Response> => {
    const hasCode = await records.hasCode(call.email)
    const isFormer = (await records.findFormerAccount(call.email)) !== null
    const response = await send(call.target, 'POST', call.body)
    if (response.status === 403 && hasCode && recovery.wrongCode(call.email))
      await records.revokeCode(call.email)
    const session = response.ok && isFormer ? await grantedSession(response) : null
    if (session === null) return response
    await sendMail(replacedMail(await records.restoreEmail(call.email, session.id)))
    // Its token contains the e-mail.
    const renewal = JSON.stringify({ refresh_token: session.refreshToken })
    return send('/auth/v1/token?grant_type=refresh_token', 'POST', renewal)
  }

  const refresh = async (call: AuthCall, send: Send): Promise<Response> => {
    const response = await withEndedSession(await send(call.target, 'POST', call.body))
    const session = response.ok ? await grantedSession(response) : null
    if (session !== null) await records.forgetOldTokens(session.id)
    return response
  }

  /** Mails a new code. If the last mail is too recent, refuses and its code stays valid. */
  const mailCode = async (call: AuthCall, send: Send): Promise<Response> => {
    const former = await records.findFormerAccount(call.email)
    const isKnown = former !== null || (await records.findAccount(call.email)) !== null
    const limit = isKnown ? recovery : unknownRecovery
    const seconds = limit.beginMail(call.email)
    if (seconds > 0) {
      const message = `For security purposes, you can only request this after ${seconds} seconds.`
      return authError(429, 'over_email_send_rate_limit', message, seconds)
    }
    const response = await send(call.target, 'POST', call.body)
    if (response.ok) limit.newCode(call.email)
    else limit.undoMail(call.email)
    // Lite knows no account with this address and has mailed nothing.
    if (response.ok && former !== null) {
      const { code, hash } = createCode(call.email)
      await records.setCode(former, hash)
      await sendMail(recoveryMail(call.email, code))
    }
    return response
  }

  return async (request, url, body, caller) => {
    const call = await caller.parseInTurn(() => readAuthCall(request.method, url, body), 'calls of Auth')
    if (call === null || call instanceof Response) return call
    const headers = new Headers(request.headers)
    headers.delete('content-length')
    const label = `${request.method} ${url.pathname}`
    const respond = async (hashes: readonly ComputedHash[]): Promise<Response> => {
      const send: Send = (target, method, text) => {
        const inner = new Request(new URL(target, url), {
          method,
          headers,
          ...(text !== null && { body: text }),
        })
        return sendToLite(inner, label, hashes)
      }
      if (request.method === 'PUT') return changeAccount(call, accountOf(request), send)
      if (call.purpose === 'mail') return mailCode(call, send)
      if (call.purpose === 'sign-up' && (await records.findFormerAccount(call.email)) !== null)
        return authError(422, 'user_already_exists', 'User already registered')
      if (call.purpose === 'refresh') return refresh(call, send)
      const response = await (call.purpose === 'code'
        ? verifyCode(call, send)
        : send(call.target, request.method, call.body))
      if (response.ok && ['password', 'sign-up', 'code'].includes(call.purpose)) {
        const session = await grantedSession(response)
        const userAgent = request.headers.get('user-agent')
        if (session !== null && userAgent !== null) await records.saveUserAgent(session.id, userAgent)
      }
      return response
    }
    const { isGone } = caller
    const waiting = waitingFor(call, caller)
    const inTurn: SendHashes = (hashes) => exclusive(() => respond(hashes), waiting)
    const response = await (call.purpose === 'password'
      ? limitSignIns(call.email, () => hashCalls.signIn(inTurn, call.email, isGone))
      : hashCalls.send(inTurn, waiting))
    await logCall(call, response, (email) =>
      exclusive(async () => (await records.findAccount(email)) ?? records.findFormerAccount(email), waiting),
    )
    return response
  }
}
