import { serverNow, setServerTime, stopwatch } from '#/renderer/lib/core/clock-store'
import { endsSession } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { isObject } from '#/renderer/lib/server/checks/checked-values'
import { renewalAnswered } from './session-renewal-store'
import { parseJson, readSession, type UsableSession } from './stored-session'
import { tokenClaims } from './token-claims'

/**
 * Pauses after a refresh that was answered by something else than Auth, in milliseconds. They double from `first` to
 * `longest`; a Retry-After header counts up to `asked`.
 */
const PAUSE_MS = { first: 1_000, longest: 60_000, asked: 3_600_000 }

/** The delay of a Retry-After header, a number of seconds or a date, in milliseconds; 0 without a usable one. */
function retryAfter({ headers }: Response): number {
  const value = headers.get('retry-after')
  if (value === null) return 0
  const asked = /^\s*\d+\s*$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - serverNow()
  return asked > 0 ? Math.min(asked, PAUSE_MS.asked) : 0
}

/** Auth's own refusal, in both of its formats; null for any other response. */
function refusal({ ok, status }: Response, body: unknown): Response | null {
  if (ok || status >= 500 || !isObject(body)) return null
  const code = [body.code, body.error_code].find((each) => typeof each === 'string' && endsSession(each))
  // supabase-js reads `code` only if it can read the header with the version of the format.
  return code === undefined ? null : Response.json({ ...body, error_code: code }, { status })
}

/** The session that a response opens or renews; null if there is none. */
function grantedSession(response: Response, body: unknown): UsableSession | null {
  const session = response.ok ? readSession(body) : null
  return session !== null && session.expires_in > 0 ? session : null
}

/**
 * Returns the session as supabase-js should store it. It compares `expires_at` with this machine's clock, which may be
 * wrong, so the server's value is replaced by the time until then.
 */
function received(session: UsableSession): Response {
  const exp = tokenClaims(session.access_token)?.exp
  if (typeof exp === 'number') setServerTime((exp - session.expires_in) * 1_000)
  return Response.json({ ...session, expires_at: Math.floor(Date.now() / 1_000) + session.expires_in })
}

/** Sends a request of Auth whose response may be a session, and returns what supabase-js should see. */
type Sender = (request: () => Promise<Response>) => Promise<Response>

/** For `authFetch`: `refresh` sends refreshes, and `open` what opens another session. */
export function sessionSenders(): Record<'refresh' | 'open', Sender> {
  let failures = 0
  let remaining = (): number => 0

  function pauseAfter(response: Response): void {
    const pause = Math.max(retryAfter(response), Math.min(PAUSE_MS.first * 2 ** failures, PAUSE_MS.longest))
    const elapsed = stopwatch()
    remaining = () => pause - elapsed()
    failures += 1
  }

  function answered(): void {
    failures = 0
    remaining = () => 0
    renewalAnswered()
  }

  return {
    refresh: async (request) => {
      if (remaining() > 0) throw new TypeError('the next refresh has to wait')
      const response = await request()
      const body = parseJson(await response.text())
      const session = grantedSession(response, body)
      const result = session === null ? refusal(response, body) : received(session)
      if (result === null) {
        if (failures === 0) logFailure('refresh session', `unexpected response ${response.status}`)
        pauseAfter(response)
        throw new TypeError(`a refresh was answered with ${response.status}`)
      }
      answered()
      return result
    },
    open: async (request) => {
      const response = await request()
      const session = grantedSession(response, parseJson(await response.clone().text()))
      if (session === null) return response
      answered()
      return received(session)
    },
  }
}
