import { DatabaseEndedError } from '#/backend/database/database-ended-error'
import type { LastDatabaseError } from '#/backend/database/database-error'
import { RESPONSES_FULL, ROWS_TOO_LARGE } from '#/backend/database/limit-errors'
import type { LiteFetch } from '#/backend/database/lite-app'
import type { BackendLog } from '#/backend/log'
import type { Exclusive } from '#/backend/mutex'
import type { ObjectsHandler } from '#/backend/objects/objects-handler'
import { StorageError } from '#/backend/objects/storage-error'
import { createRateLimiter } from '#/backend/rate-limiter'
import { NOT_SERVED, NotServedError } from '#/backend/rest/not-served-error'
import { type ReadRestCall, type RestBody, readRestCall, restBodyMax } from '#/backend/rest/rest-request'
import { REST_LIMITS } from '#/backend/rest/rest-schema'
import { MEDIA_LIMITS } from '#/shared/limits'
import { AUTH_BODY_MAX } from './auth-calls'
import { type AuthHandlerOptions, createAuthHandler, type RunInTurn } from './auth-handler'
import { createAuthRecords, type OwnerQuery } from './auth-records'
import { type Caller, callerKey } from './caller'
import { databaseEndedResponse } from './database-ended-response'
import { createFairQueue } from './fair-queue'
import type { SendMail } from './former-email'
import type { ComputeHash } from './hash-calls'
import { createLargeReads, ResponsesFullError } from './large-reads'
import { withSingleObject, withSqlState } from './lite-responses'
import { BodyTooLargeError, readBody } from './read-body'
import { RowsTooLargeError, type SendRead } from './read-in-parts'
import { busy, restError } from './rest-error'
import { createShares, type Share } from './shares'

/** The largest body: a row with a video as a data URL. */
const BODY_MAX = MEDIA_LIMITS.video.characters + REST_LIMITS.body

/** Bytes of large bodies in memory: one caller may send three videos at the same time. */
const BODIES = { total: 8 * BODY_MAX, perCaller: 3 * BODY_MAX }

/**
 * Larger bodies contain a picture or video, which takes the database longer than a text. Smaller ones are not limited, so
 * that uploads do not block other writes.
 */
const LARGE_BODY_BYTES = 64 * 1024

/** Requests that may wait for the database; beyond that the response is 503. */
const WAITING = { perCaller: 250, total: 2_000 }

/** Tables and functions. Rejects percent-encoding, with which a path could be written in several ways. */
const REST = /^\/rest\/v1(\/(rpc\/)?\w*)?$/
const AUTH = /^\/auth\/v1\/[\w./-]+$/
const STORAGE = /^\/storage\/v1\//

export interface SupabaseHandlerOptions {
  fetch: LiteFetch
  errors: LastDatabaseError
  query: OwnerQuery
  computeHash: ComputeHash
  sendMail: SendMail
  /** Runs one request at a time, because the database has one session. */
  exclusive: Exclusive
  /** Resolves when memory for large responses has been freed. */
  freed: () => Promise<void>
  /** Called after each request that may have written. */
  onWrite: () => void
  /** Serves /storage/v1; without it, nothing there is served. */
  handleObjects?: ObjectsHandler | null
  /** Checks REST requests before lite parses them. Tests replace it to allow all requests, as a hosted project does. */
  readRest?: ReadRestCall
  log?: BackendLog
  now?: () => number
}

/** Limits logged refusals, so that clients cannot fill the log. */
const LOGGED_REFUSALS = { limit: 60, windowMs: 60_000 }

/**
 * Limits requests of a member that took too long and ended the database, because everybody waits for its restart. The
 * app's requests are much faster.
 */
const TIMEOUTS = { limit: 2, windowMs: 60_000 }

export type SupabaseHandler = (request: Request, caller: Caller) => Promise<Response>

/** Serves /auth/v1, /rest/v1 and /storage/v1 like GoTrue, PostgREST and Storage. Lite's other interfaces stay unreachable. */
export function createSupabaseHandler(options: SupabaseHandlerOptions): SupabaseHandler {
  const {
    fetch,
    errors,
    exclusive,
    freed,
    onWrite,
    handleObjects,
    readRest = readRestCall,
    log,
    now,
  } = options
  const loggedRefusals = createRateLimiter(LOGGED_REFUSALS, now)
  const bodies = createShares(BODIES)
  const queue = createFairQueue(WAITING)
  const timeouts = createRateLimiter(TIMEOUTS, now)
  const readLarge = createLargeReads(freed)

  /** Corrects lite's response. Only inside `exclusive`. Rejects with a ResponsesFullError or a RowsTooLargeError. */
  const sendToLite: AuthHandlerOptions['sendToLite'] = async (inner, label, hashes) => {
    errors.take()
    let response = await fetch(inner, hashes)
    // A response to HEAD has no body with the error, but the same GET has one.
    if (response.status === 500 && inner.method === 'HEAD') {
      response = await fetch(new Request(inner, { method: 'GET' }))
    }
    const raised = errors.take()
    if (raised?.code === RESPONSES_FULL.code) throw new ResponsesFullError()
    if (raised?.message === ROWS_TOO_LARGE.message) throw new RowsTooLargeError()
    const mapped = await withSqlState(response, raised)
    // Only the code, because the message of a database error may quote members' texts.
    if (mapped.status >= 500)
      log?.('error', `${label} answered ${mapped.status} (${raised?.code ?? 'no code'})`)
    return mapped
  }

  /** Callers take turns, so that many requests of one caller, or pictures of many callers, hardly delay others. */
  const runInTurn: RunInTurn = (caller, work, { key = callerKey(caller.member), isHeavy = false } = {}) =>
    queue({ caller: key, isHeavy, isGone: caller.isGone, work: () => exclusive(work) })

  const records = createAuthRecords(options.query)
  const { computeHash, sendMail } = options
  const handleAuth = createAuthHandler({
    sendToLite,
    runInTurn,
    computeHash,
    records,
    sendMail,
    log,
    ...(now && { now }),
  })

  const logRefusal = (request: Request, url: URL, reason: string): void => {
    if (loggedRefusals.take() === 0) log?.('warn', `not served: ${request.method} ${url.pathname}: ${reason}`)
  }

  const handleRest = async (
    request: Request,
    url: URL,
    body: RestBody,
    caller: Caller,
  ): Promise<Response> => {
    const inner = readRest(request, url, body)
    const isHeavy = (body?.byteLength ?? 0) > LARGE_BODY_BYTES
    const sendUnlessSlow = async (part: Request, heldBytes: number) => {
      const seconds = caller.member === null ? 0 : timeouts.secondsToWait(caller.member)
      if (seconds > 0) return tooSlow(seconds)
      const mapped = await sendToLite(part, `${request.method} ${url.pathname}`)
      if (mapped.status === 504 && caller.member !== null) timeouts.take(caller.member)
      // Reserve before the next turn starts, because its limit is the memory that is left.
      const bytes = request.method === 'HEAD' ? 0 : Number(mapped.headers.get('content-length'))
      return caller.reserve(heldBytes + bytes) ? mapped : busy()
    }
    const send: SendRead = (part, heldBytes) =>
      runInTurn(caller, () => sendUnlessSlow(part, heldBytes), { isHeavy })
    const response = await (request.method === 'GET' ? readLarge(caller, inner, send) : send(inner, 0))
    if (response === null) return busy()
    const refusal = response.headers.get(NOT_SERVED)
    if (refusal !== null) logRefusal(request, url, refusal)
    response.headers.delete(NOT_SERVED)
    return withSingleObject(request, response)
  }

  return async (request, caller) => {
    const url = new URL(request.url)
    const isAuth = AUTH.test(url.pathname)
    const handleStorage = STORAGE.test(url.pathname) ? handleObjects : null
    if (!isAuth && !handleStorage && !REST.test(url.pathname)) return notFound()

    const shares: Share[] = []
    const take = (share: Share | null) => {
      if (share === null) throw new BusyError()
      shares.push(share)
    }
    let length = 0
    const reserve = (bytes: number) => {
      length += bytes
      if (length <= LARGE_BODY_BYTES) return
      const isFirst = length - bytes <= LARGE_BODY_BYTES
      take(bodies.take(callerKey(caller.member), isFirst ? length : bytes))
    }
    try {
      if (handleStorage) return await handleStorage(request, url, caller, runInTurn)
      // Read before queueing, so that a slow sender does not block others.
      const bodyMax = isAuth ? AUTH_BODY_MAX : restBodyMax(request.method, url.pathname)
      const body = hasBody(request) ? await readBody(request, bodyMax, reserve) : null
      const response = await (isAuth
        ? handleAuth(request, url, body, caller)
        : handleRest(request, url, body, caller))
      if (response === null) return notFound()
      if (response.ok && request.method !== 'GET' && request.method !== 'HEAD') onWrite()
      return response
    } catch (error) {
      if (error instanceof StorageError) return error.response()
      if (error instanceof BodyTooLargeError) return restError(413, 'PT413', 'The request is too large')
      if (error instanceof RowsTooLargeError) return rowsTooLarge()
      if (error instanceof BusyError || error instanceof ResponsesFullError) return busy()
      if (error instanceof NotServedError) {
        logRefusal(request, url, error.message)
        return restError(error.status, error.code, error.message)
      }
      if (error instanceof DatabaseEndedError) return databaseEndedResponse(url.pathname, error)
      throw error
    } finally {
      for (const share of shares) share.free()
    }
  }
}

function tooSlow(seconds: number): Response {
  const response = restError(429, 'PT429', 'Your requests took too long')
  response.headers.set('retry-after', String(seconds))
  return response
}

function rowsTooLarge(): Response {
  const { code, message, hint } = ROWS_TOO_LARGE
  return restError(413, code, message, null, hint)
}

/** Looking at the body of a request without one takes longer than looking at its method. */
function hasBody({ method }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

/** There is no memory for a body at the moment. */
class BusyError extends Error {}

function notFound(): Response {
  return Response.json({ message: 'Not found' }, { status: 404 })
}
