import { DatabaseEndedError } from '#/backend/database/database-ended-error'
import type { LiteFetch } from '#/backend/database/lite-app'
import { StorageError } from '#/backend/objects/storage-error'
import { authError } from './auth-calls'
import { restError } from './rest-error'

/** The response to a request during which the database ended: 504 if it took too long, otherwise 503. */
export function databaseEndedResponse(
  pathname: string,
  { end, code, message }: DatabaseEndedError,
): Response {
  const status = end === 'timeout' ? 504 : 503
  if (pathname.startsWith('/storage/'))
    return new StorageError(status, 'DatabaseError', message, status).response()
  if (!pathname.startsWith('/auth/')) return restError(status, code, message)
  return authError(status, end === 'timeout' ? 'request_timeout' : 'unexpected_failure', message)
}

/** Turns a DatabaseEndedError into a response. */
export function withDatabaseEndedResponse(fetch: LiteFetch): LiteFetch {
  return (request, hashes) =>
    fetch(request, hashes).catch((error: unknown) => {
      if (!(error instanceof DatabaseEndedError)) throw error
      return databaseEndedResponse(new URL(request.url).pathname, error)
    })
}
