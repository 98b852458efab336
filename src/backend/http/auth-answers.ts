import { decodeJwt } from 'jose'
import * as z from 'zod'
import { jsonCopy } from '#/backend/json-copy'
import { type AuthCall, authRefusal, readAuthCall } from './auth-calls'
import { createAuthGuard } from './auth-guard'
import type { AuthRecords } from './auth-records'
import type { Caller } from './caller'
import { createRecoveryLimit } from './recovery-limit'

export type TakeTurn = <T>(
  caller: Caller,
  work: () => Promise<T>,
  options?: { key?: string; isHeavy?: boolean },
) => Promise<T | null>

export interface AuthAnswersOptions {
  /** Sends a request to lite; only inside `takeTurn`. `what` names the request in the log. */
  ask: (inner: Request, what: string) => Promise<Response>
  /** Runs work alone with the database in a turn of the caller, or of this key; null if the work was not done. */
  takeTurn: TakeTurn
  records: AuthRecords
  now?: () => number
}

/** Answers a call of /auth/v1 as GoTrue does with supabase/config.toml; null for a path that is not served. */
export type AuthAnswers = (
  request: Request,
  url: URL,
  body: Uint8Array | null,
  caller: Caller,
) => Promise<Response | null>

const sessionClaim = z.uuid()

/** The session id in a token, unverified: lite verifies the token. Null if there is none. */
function sessionOf(token: string | undefined): string | null {
  try {
    return sessionClaim.parse(decodeJwt(token ?? '').session_id)
  } catch {
    return null
  }
}

const grant = z.object({ access_token: z.string() })

/** The session that lite's response opened, or null. */
async function openedSession(answer: Response): Promise<string | null> {
  return sessionOf(grant.safeParse(await jsonCopy(answer)).data?.access_token)
}

export function createAuthAnswers({ ask, takeTurn, records, now }: AuthAnswersOptions): AuthAnswers {
  const guard = createAuthGuard({
    hasAccount: async (email, caller) => (await takeTurn(caller, () => records.hasAccount(email))) === true,
    now,
  })
  const recovery = createRecoveryLimit(now)
  // Apart, so that made-up addresses push no account out of the limiter.
  const madeUp = createRecoveryLimit(now)

  /** Updates the account. A new password or e-mail needs a recent sign-in, as deleting the account does. */
  const changeAccount = async (
    call: AuthCall,
    session: string | null,
    send: (target: string, method: string, body: string | null) => Promise<Response>,
  ): Promise<Response> => {
    const needsPassword = call.purpose === 'new-password' || call.changesEmail
    if (needsPassword && (session === null || (await records.isStale(session))))
      return authRefusal(400, 'reauthentication_needed', 'Enter your password again.')
    const answer = await send(call.target, 'PUT', call.body)
    if (!answer.ok) return answer
    // As GoTrue does: other sessions may belong to somebody who knew the old password.
    if (call.purpose === 'new-password') await send('/auth/v1/logout?scope=others', 'POST', null)
    if (!call.changesEmail || session === null) return answer
    await records.applyEmailChange(session)
    return send('/auth/v1/user', 'GET', null)
  }

  /** Verifies a recovery code, and revokes the account's code after too many wrong attempts. */
  const tryCode = async (call: AuthCall, send: () => Promise<Response>): Promise<Response> => {
    const isLive = await records.hasCode(call.email)
    const answer = await send()
    if (answer.status === 403 && isLive && recovery.wrongCode(call.email))
      await records.revokeCode(call.email)
    return answer
  }

  /** Mails a new code, unless the last mail is too recent: its code stays valid. */
  const mailCode = async (call: AuthCall, send: () => Promise<Response>): Promise<Response> => {
    const limit = (await records.hasAccount(call.email)) ? recovery : madeUp
    const seconds = limit.beginMail(call.email)
    if (seconds > 0) {
      const message = `For security purposes, you can only request this after ${seconds} seconds.`
      return authRefusal(429, 'over_email_send_rate_limit', message, { 'retry-after': String(seconds) })
    }
    const answer = await send()
    if (answer.ok) limit.newCode(call.email)
    else limit.undoMail(call.email)
    return answer
  }

  return async (request, url, body, caller) => {
    const call = readAuthCall(request.method, url, body)
    if (call === null || call instanceof Response) return call
    const headers = new Headers(request.headers)
    headers.delete('content-length')
    const what = `${request.method} ${url.pathname}`
    const send = (target: string, method: string, text: string | null) =>
      ask(new Request(new URL(target, url), { method, headers, ...(text !== null && { body: text }) }), what)
    const sendCall = () => send(call.target, request.method, call.body)

    const answerNow = async (): Promise<Response> => {
      if (request.method === 'PUT') {
        const token = request.headers.get('authorization')?.replace(/^Bearer /, '')
        return changeAccount(call, sessionOf(token), send)
      }
      if (call.purpose === 'mail') return mailCode(call, sendCall)
      const answer = await (call.purpose === 'code' ? tryCode(call, sendCall) : sendCall())
      if (answer.ok && ['password', 'sign-up', 'code'].includes(call.purpose)) {
        const session = await openedSession(answer)
        const userAgent = request.headers.get('user-agent')
        if (session !== null && userAgent !== null) await records.saveUserAgent(session, userAgent)
      }
      return answer
    }
    return guard(call, caller, async (key) => (await takeTurn(caller, answerNow, { key })) ?? busy())
  }
}

/** supabase-js keeps the session and tries again. */
function busy(): Response {
  return authRefusal(503, 'unexpected_failure', 'The server is busy', { 'retry-after': '5' })
}
