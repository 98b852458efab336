import type { AppError, ErrorCode } from '#/renderer/lib/core/errors'

/** A queued row is sent again after these failures, as long as it takes. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set([
  'offline',
  'session-expired',
  'rate-limited',
  'no-storage',
])

/** Request Timeout, Too Early and Too Many Requests: the server may accept the same request later. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 429])

/** How often a row is sent that fails for an unknown reason. */
export const MAX_UNKNOWN_FAILURES = 5

/**
 * Whether a row that was sent for the first time waits: the server may have stored it, because the response did not come from the
 * server itself, or cannot store its files yet.
 */
export function isQueued({ code, serverStatus }: AppError): boolean {
  return code === 'offline' || code === 'no-storage' || (code === 'server' && serverStatus === undefined)
}

/** Whether the connection or the server failed, so that the same row may be accepted later. */
export function isTransient({ code, status = 0 }: AppError): boolean {
  return TRANSIENT.has(code) || TRANSIENT_STATUSES.has(status) || status >= 500
}

/**
 * Whether nobody knows the reason: neither the connection failed nor did the server respond with an error. Examples are a crashed
 * worker, a file that cannot be read, and a full disk.
 */
export function isUnknown(error: AppError): boolean {
  return error.code === 'server' && !isTransient(error)
}
