import type { LastDatabaseError } from '#/backend/database/connection'
import type { LiteFetch } from '#/backend/database/lite-app'
import type { BackendLog } from '#/backend/log'
import type { Exclusive } from '#/backend/mutex'
import { MEDIA_LIMITS } from '#/shared/limits'
import { withSingleObject, withSqlState } from './lite-answers'
import { unquoteLikeFilters } from './logic-filters'
import { BodyTooLargeError, readBody } from './read-body'
import { createSignInLimit, signInEmail, tooManySignIns } from './sign-in-limit'

/** The largest body: a video as a data URL, and room for the row around it. */
const BODY_MAX = MEDIA_LIMITS.video.characters + 100_000

const SERVED = /^\/(auth|rest)\/v1(\/|$)/

export interface SupabaseHandlerOptions {
  fetch: LiteFetch
  errors: LastDatabaseError
  /** One request at a time in the database's only session. */
  exclusive: Exclusive
  /** Called after each request that may have written. */
  onWrite: () => void
  log?: BackendLog
  now?: () => number
}

/** Answers a request, given the network address it came from. */
export type SupabaseHandler = (request: Request, address: string) => Promise<Response>

/** /auth/v1 and /rest/v1 as PostgREST and GoTrue answer them; everything else of lite stays shut. */
export function createSupabaseHandler(options: SupabaseHandlerOptions): SupabaseHandler {
  const { fetch, errors, exclusive, onWrite, log } = options
  const signIns = createSignInLimit(options.now)

  return async (request, address) => {
    const url = new URL(request.url)
    if (!SERVED.test(url.pathname)) return notFound()

    // Read before the queue: a slow sender must not hold up everybody else.
    let body: Uint8Array<ArrayBuffer> | null
    try {
      body = await readBody(request, BODY_MAX)
    } catch (error) {
      if (error instanceof BodyTooLargeError) return tooLarge()
      throw error
    }

    const email = body === null ? null : signInEmail(request.method, url, new TextDecoder().decode(body))
    if (email !== null) {
      const seconds = signIns.secondsToWait(email, address)
      if (seconds > 0) return tooManySignIns(seconds)
    }

    const inner = new Request(unquoteLikeFilters(url), {
      method: request.method,
      headers: request.headers,
      ...(body === null ? {} : { body }),
    })
    const answer = await exclusive(async () => {
      errors.take()
      const response = await fetch(inner)
      const raised = errors.take()
      const mapped = await withSqlState(response, raised)
      // The code only: the words of a database error quote what members wrote.
      if (mapped.status >= 500) {
        log?.(
          'error',
          `${request.method} ${url.pathname} answered ${mapped.status} (${raised?.code ?? 'no code'})`,
        )
      }
      return mapped
    })

    if (email !== null && answer.ok) signIns.succeeded(email, address)
    if (email !== null && answer.status >= 400 && answer.status < 500) signIns.failed(email, address)
    if (answer.ok && request.method !== 'GET' && request.method !== 'HEAD') onWrite()
    return withSingleObject(request, answer)
  }
}

function notFound(): Response {
  return Response.json({ message: 'Not found' }, { status: 404 })
}

function tooLarge(): Response {
  return Response.json(
    { code: 'PT413', message: 'The request is too large', details: null, hint: null },
    { status: 413 },
  )
}
