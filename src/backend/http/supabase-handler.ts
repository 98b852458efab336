import { DatabaseEndedError } from '#/backend/database/database-ended-error'
import type { LastDatabaseError } from '#/backend/database/database-error'
import { RESPONSES_FULL } from '#/backend/database/limit-errors'
import type { LiteFetch } from '#/backend/database/lite-app'
import type { BackendLog } from '#/backend/log'
import type { Exclusive } from '#/backend/mutex'
import { createRateLimiter } from '#/backend/rate-limiter'
import { MEDIA_LIMITS } from '#/shared/limits'
import { createAuthAnswers, type TakeTurn } from './auth-answers'
import { AUTH_BODY_MAX } from './auth-calls'
import { createAuthRecords, type OwnerQuery } from './auth-records'
import { type Caller, turnKey } from './caller'
import { endedAnswer } from './ended-answer'
import { createFairLane } from './fair-lane'
import { createLargeReads, NoRoomError } from './large-reads'
import { withSingleObject, withSqlState } from './lite-answers'
import { callerOf, isLoopbackAddress } from './network-address'
import { BodyTooLargeError, readBody } from './read-body'
import { type ReadRestCall, type RestBody, readRestCall, restBodyMax } from './rest/read-rest-call'
import { NotServedError } from './rest/scanner'
import { busy, restRefusal } from './rest-refusal'
import { REST_LIMITS } from './served'
import { createShares, type Share } from './shares'

/** The largest body: a video as a data URL, and room for the row around it. */
const BODY_MAX = MEDIA_LIMITS.video.characters + REST_LIMITS.body

/** Bytes of large bodies that are read or wait for their turn, of everybody and of one caller: three videos at once. */
const BODIES = { total: 8 * BODY_MAX, perCaller: 3 * BODY_MAX }

/**
 * Bodies above this size contain a picture or video, which takes the database longer than a text. Smaller ones are always
 * read, so that uploads do not keep others from writing.
 */
const LARGE_BODY_BYTES = 64 * 1024

/** Requests of one caller from elsewhere that are being answered; those of this machine are not counted. */
const REQUESTS = { total: Number.POSITIVE_INFINITY, perCaller: 60 }

/** Requests that wait for the database: a connection has one at a time. Beyond that the response is 503. */
const WAITING = { perCaller: 250, total: 2_000 }

/** Tables and functions; nothing that is written in more than one way, as `%74` for `t` would be. */
const REST = /^\/rest\/v1(\/(rpc\/)?\w*)?$/
const AUTH = /^\/auth\/v1\/[\w./-]+$/

export interface SupabaseHandlerOptions {
  fetch: LiteFetch
  errors: LastDatabaseError
  query: OwnerQuery
  /** One request at a time in the database's only session. */
  exclusive: Exclusive
  /** Resolves when memory for large responses has been freed. */
  freed: () => Promise<void>
  /** Called after each request that may have written. */
  onWrite: () => void
  /** What of the REST interface is served: served.ts, unless a test asks what holds without it, as on a hosted project. */
  readRest?: ReadRestCall
  log?: BackendLog
  now?: () => number
}

/** Refused requests that are logged: a log must not grow as fast as somebody can send them. */
const REFUSALS_LOGGED = { limit: 60, windowMs: 60_000 }

/**
 * Requests of a member that took too long and ended the database, which everybody waits for. Nothing that the app asks
 * takes as long; somebody who has found what does could otherwise ask it again and again.
 */
const STOPPED = { limit: 2, windowMs: 60_000 }

export type SupabaseHandler = (request: Request, caller: Caller) => Promise<Response>

/** /auth/v1 and /rest/v1 as PostgREST and GoTrue answer them; everything else of lite stays shut. */
export function createSupabaseHandler(options: SupabaseHandlerOptions): SupabaseHandler {
  const { fetch, errors, exclusive, freed, onWrite, readRest = readRestCall, log, now } = options
  const logged = createRateLimiter(REFUSALS_LOGGED, now)
  const bodies = createShares(BODIES)
  const requests = createShares(REQUESTS)
  const turns = createFairLane(WAITING)
  const stopped = createRateLimiter(STOPPED, now)
  const readLarge = createLargeReads(freed)

  /** Lite's answer, mended. Only inside `exclusive`. Rejects with a NoRoomError. */
  const ask = async (inner: Request, what: string): Promise<Response> => {
    errors.take()
    let response = await fetch(inner)
    // An answer to HEAD has no words that say whose failure it is; that to the same GET has.
    if (response.status === 500 && inner.method === 'HEAD') {
      response = await fetch(new Request(inner, { method: 'GET' }))
    }
    const raised = errors.take()
    if (raised?.code === RESPONSES_FULL.code) throw new NoRoomError()
    const mapped = await withSqlState(response, raised)
    // The code only: the words of a database error quote what members wrote.
    if (mapped.status >= 500)
      log?.('error', `${what} answered ${mapped.status} (${raised?.code ?? 'no code'})`)
    return mapped
  }

  /** Callers take turns, so that many requests of one caller, and pictures of many callers, delay the others little. */
  const takeTurn: TakeTurn = (caller, work, { key = turnKey(caller), isHeavy = false } = {}) =>
    turns({ caller: key, isHeavy, isGone: caller.isGone, work: () => exclusive(work) })

  const records = createAuthRecords(options.query)
  const answerAuth = createAuthAnswers({ ask, takeTurn, records, ...(now && { now }) })

  const notServed = (request: Request, url: URL, { status, code, message }: NotServedError): Response => {
    if (logged.take() === 0) log?.('warn', `not served: ${request.method} ${url.pathname}: ${message}`)
    return restRefusal(status, code, message)
  }

  const answerRest = async (
    request: Request,
    url: URL,
    body: RestBody,
    caller: Caller,
  ): Promise<Response> => {
    const inner = readRest(request, url, body)
    const isHeavy = (body?.byteLength ?? 0) > LARGE_BODY_BYTES
    const askUnlessStopped = async () => {
      const seconds = caller.member === null ? 0 : stopped.secondsToWait(caller.member)
      if (seconds > 0) return tooSlow(seconds)
      const mapped = await ask(inner, `${request.method} ${url.pathname}`)
      if (mapped.status === 504 && caller.member !== null) stopped.take(caller.member)
      // Before the next turn begins, which needs to know how much memory is left.
      const bytes = request.method === 'HEAD' ? 0 : Number(mapped.headers.get('content-length'))
      return caller.reserve(bytes) ? mapped : busy()
    }
    const askInTurn = () => takeTurn(caller, askUnlessStopped, { isHeavy })
    const answer = await (request.method === 'GET' ? readLarge(caller, askInTurn) : askInTurn())
    return answer === null ? busy() : withSingleObject(request, answer)
  }

  return async (request, caller) => {
    const { address } = caller
    const url = new URL(request.url)
    const isAuth = AUTH.test(url.pathname)
    if (!isAuth && !REST.test(url.pathname)) return notFound()

    const held: Share[] = []
    const take = (share: Share | null) => {
      if (share === null) throw new BusyError()
      held.push(share)
    }
    let length = 0
    const reserve = (bytes: number) => {
      length += bytes
      if (length <= LARGE_BODY_BYTES) return
      const isFirst = length - bytes <= LARGE_BODY_BYTES
      take(bodies.take(turnKey(caller), isFirst ? length : bytes))
    }
    try {
      if (!isLoopbackAddress(address)) take(requests.take(callerOf(address)))
      // Read before the queue: a slow sender must not hold up everybody else.
      const bodyMax = isAuth ? AUTH_BODY_MAX : restBodyMax(request.method, url.pathname)
      const body = await readBody(request, bodyMax, reserve)
      const answer = await (isAuth
        ? answerAuth(request, url, body, caller)
        : answerRest(request, url, body, caller))
      if (answer === null) return notFound()
      if (answer.ok && request.method !== 'GET' && request.method !== 'HEAD') onWrite()
      return answer
    } catch (error) {
      if (error instanceof BodyTooLargeError) return restRefusal(413, 'PT413', 'The request is too large')
      if (error instanceof BusyError || error instanceof NoRoomError) return busy()
      if (error instanceof NotServedError) return notServed(request, url, error)
      if (error instanceof DatabaseEndedError) return endedAnswer(url.pathname, error)
      throw error
    } finally {
      for (const share of held) share.free()
    }
  }
}

function tooSlow(seconds: number): Response {
  const answer = restRefusal(429, 'PT429', 'Your requests took too long')
  answer.headers.set('retry-after', String(seconds))
  return answer
}

/** There is no room for a body just now. */
class BusyError extends Error {}

function notFound(): Response {
  return Response.json({ message: 'Not found' }, { status: 404 })
}
