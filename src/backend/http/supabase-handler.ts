import { type Caller, callerKey, waitingOf } from '#/backend/access/caller'
import type { BackendLog } from '#/backend/base/log'
import { createPool } from '#/backend/base/pool'
import type { Exclusive } from '#/backend/base/queue'
import { createRateLimiter } from '#/backend/base/rate-limiter'
import { BodyTooLargeError, readBody } from '#/backend/base/read-body'
import { DatabaseEndedError } from '#/backend/database/database-ended-error'
import type { LastDatabaseError } from '#/backend/database/database-error'
import type { LiteFetch } from '#/backend/database/lite-app'
import type { ComputedHash, ComputeHash } from '#/backend/database/password-hashes'
import type { ObjectsHandler } from '#/backend/objects/objects-handler'
import { StorageError } from '#/backend/objects/storage-error'
import { UPLOAD_BODY_MAX } from '#/backend/objects/store-upload'
import { NOT_SERVED, NotServedError } from '#/backend/rest/not-served-error'
import { type ReadRestCall, type RestBody, readRestCall, restBodyMax } from '#/backend/rest/rest-request'
import { REST_LIMITS } from '#/backend/rest/rest-schema'
import { AUTH_BODY_MAX } from './auth-calls'
import { createAuthHandler } from './auth-handler'
import { createAuthRecords, type OwnerQuery } from './auth-records'
import { databaseEndedResponse } from './database-ended-response'
import type { SendMail } from './former-email'
import { withSingleObject, withSqlState } from './lite-responses'
import { restError } from './rest-error'

/** Bytes of bodies that are being read or wait for the database: a thousand connections could bring the largest at once. */
const BODIES_BYTES = 10 * REST_LIMITS.inlineBody

/**
 * Bytes of uploads that are being received: they are on the disk before the database counts them for their member. One upload of each
 * caller does not count: otherwise accounts with half a video each would take a member's whole one away.
 */
const UPLOADS = { total: 100 * UPLOAD_BODY_MAX, own: UPLOAD_BODY_MAX, shared: 10 * UPLOAD_BODY_MAX }

/** The memory of larger bodies is counted: they contain a picture or video. */
const LARGE_BYTES = 64 * 1024

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
  /** Called after each request that may have written. */
  onWrite: () => void
  /** Serves /storage/v1; without it, nothing there is served. */
  handleObjects?: ObjectsHandler | null
  /** Checks REST requests before lite parses them. Tests replace it to allow all requests, as a hosted project does. */
  readRest?: ReadRestCall
  log?: BackendLog
  now?: () => number
}

/**
 * Bytes of a member's large bodies: ten of the largest videos, with their covers. Receiving them takes time of the thread that answers everybody, also of one
 * that is then refused. Strangers have nothing to send in one.
 */
const LARGE_BODIES = { limit: 2_250_000_000, windowMs: 60_000 }

/** Limits logged refusals, so that clients cannot fill the log. */
const LOGGED_REFUSALS = { limit: 60, windowMs: 60_000 }

/**
 * Limits requests of a member, or of all strangers, that took too long and ended the database, because everybody waits for its restart.
 * The app's requests are much faster, and those of strangers take no time.
 */
const TIMEOUTS = { limit: 2, windowMs: 60_000 }

export type SupabaseHandler = (request: Request, caller: Caller) => Promise<Response>

/** Serves /auth/v1, /rest/v1 and /storage/v1 like GoTrue, PostgREST and Storage. Lite's other interfaces stay unreachable. */
export function createSupabaseHandler(options: SupabaseHandlerOptions): SupabaseHandler {
  const { fetch, errors, exclusive, onWrite, handleObjects, readRest = readRestCall, log, now } = options
  const loggedRefusals = createRateLimiter(LOGGED_REFUSALS, now)
  const bodies = createPool({ total: BODIES_BYTES })
  const uploads = createPool(UPLOADS)
  const timeouts = createRateLimiter(TIMEOUTS, now)
  const largeBodies = createRateLimiter(LARGE_BODIES, now)

  /** Refuses a large body, which is then not received; null if it may be sent. */
  const refuseBody = ({ member }: Caller, bytes: number): Response | null => {
    const seconds = member === null ? 0 : largeBodies.take(callerKey(member), bytes)
    if (member !== null && seconds === 0) return null
    const answer = member === null ? onlyMembers() : tooMany(seconds, 'You sent too much')
    answer.headers.set('connection', 'close')
    return answer
  }

  /** Corrects lite's response. Only inside `exclusive`. */
  const sendToLite = async (inner: Request, label: string, hashes?: readonly ComputedHash[]) => {
    errors.take()
    let response = await fetch(inner, hashes)
    // A response to HEAD has no body with the error, but the same GET has one.
    if (response.status === 500 && inner.method === 'HEAD') {
      response = await fetch(new Request(inner, { method: 'GET' }))
    }
    const raised = errors.take()
    const mapped = await withSqlState(response, raised)
    // Only the code, because the message of a database error may quote members' texts.
    if (mapped.status >= 500)
      log?.('error', `${label} answered ${mapped.status} (${raised?.code ?? 'no code'})`)
    return mapped
  }

  const records = createAuthRecords(options.query)
  const { computeHash, sendMail } = options
  const auth = { sendToLite, exclusive, computeHash, records, sendMail, log, ...(now && { now }) }
  const handleAuth = createAuthHandler(auth)

  const logRefusal = (request: Request, url: URL, reason: string): void => {
    if (loggedRefusals.take() === 0) log?.('warn', `not served: ${request.method} ${url.pathname}: ${reason}`)
  }

  const handleRest = async (
    request: Request,
    url: URL,
    body: RestBody,
    caller: Caller,
  ): Promise<Response> => {
    const inner = await caller.parseInTurn(() => readRest(request, url, body))
    const work = async () => {
      const seconds = timeouts.secondsToWait(callerKey(caller.member))
      if (seconds > 0) return tooMany(seconds, 'Your requests took too long')
      const mapped = await sendToLite(inner, `${request.method} ${url.pathname}`)
      if (mapped.status === 504) timeouts.take(callerKey(caller.member))
      // In the same turn: it parses the response.
      return withSingleObject(request, mapped)
    }
    const response = await exclusive(work, waitingOf(caller))
    const refusal = response.headers.get(NOT_SERVED)
    if (refusal !== null) logRefusal(request, url, refusal)
    response.headers.delete(NOT_SERVED)
    return response
  }

  return async (request, caller) => {
    const url = new URL(request.url)
    const isAuth = AUTH.test(url.pathname)
    const handleStorage = STORAGE.test(url.pathname) ? handleObjects : null
    if (!isAuth && !handleStorage && !REST.test(url.pathname)) return notFound()

    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const others = isAuth ? AUTH_BODY_MAX : restBodyMax(request.method, url.pathname)
    const [pool, bodyMax] = handleStorage ? [uploads, UPLOAD_BODY_MAX] : [bodies, others]
    const amount = Number(request.headers.get('content-length'))
    const memory = { caller: callerKey(caller.member), amount, lose: caller.disconnect }
    try {
      const refused = amount > LARGE_BYTES ? refuseBody(caller, amount) : null
      if (refused !== null) return refused
      if (amount > LARGE_BYTES && amount <= bodyMax) pool.take(memory)
      if (handleStorage) return await handleStorage(request, url, caller)
      // Read before queueing, so that a slow sender does not block others. Looking at the body of a request without one takes longer than
      // looking at its method.
      const body = isRead ? null : await readBody(request, bodyMax)
      const response = await (isAuth
        ? handleAuth(request, url, body, caller)
        : handleRest(request, url, body, caller))
      if (response === null) return notFound()
      if (response.ok && !isRead) onWrite()
      return response
    } catch (error) {
      if (error instanceof StorageError) return error.response()
      if (error instanceof BodyTooLargeError) return restError(413, 'PT413', error.message)
      if (error instanceof NotServedError) {
        logRefusal(request, url, error.message)
        return restError(error.status, error.code, error.message)
      }
      if (error instanceof DatabaseEndedError) return databaseEndedResponse(url.pathname, error)
      throw error
    } finally {
      pool.free(memory)
    }
  }
}

function onlyMembers(): Response {
  return restError(401, 'PGRST301', 'The token is missing or has expired: only members send so much')
}

function tooMany(seconds: number, message: string): Response {
  const response = restError(429, 'PT429', message)
  response.headers.set('retry-after', String(seconds))
  return response
}

function notFound(): Response {
  return Response.json({ message: 'Not found' }, { status: 404 })
}
