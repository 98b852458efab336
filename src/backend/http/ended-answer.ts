import { DatabaseEndedError } from '#/backend/database/database-ended-error'
import type { LiteFetch } from '#/backend/database/lite-app'
import { authRefusal } from './auth-calls'
import { restRefusal } from './rest-refusal'

/** The response to a request during which the database ended: 504 if it took too long, otherwise 503. */
export function endedAnswer(pathname: string, { end, code, message }: DatabaseEndedError): Response {
  const status = end === 'timeout' ? 504 : 503
  if (!pathname.startsWith('/auth/')) return restRefusal(status, code, message)
  return authRefusal(status, end === 'timeout' ? 'request_timeout' : 'unexpected_failure', message)
}

/** Responds to the request during which the database ended. */
export function answerWhenEnded(fetch: LiteFetch): LiteFetch {
  return async (request) => {
    try {
      return await fetch(request)
    } catch (error) {
      if (!(error instanceof DatabaseEndedError)) throw error
      return endedAnswer(new URL(request.url).pathname, error)
    }
  }
}
