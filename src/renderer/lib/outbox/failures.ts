import type { AppError, ErrorCode } from '#/renderer/lib/errors'

/** A queued row is sent again automatically after these failures. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set(['offline', 'session-expired', 'server', 'rate-limited'])

/**
 * Whether the server may have stored a row although sending it failed, because the response did not come from the
 * server itself.
 */
export function mayHaveArrived({ code, serverStatus }: AppError): boolean {
  return code === 'offline' || (code === 'server' && serverStatus === undefined)
}

/**
 * Whether to send a queued row again. A 500 will repeat, because this row causes it; a 503 says that the server is
 * busy.
 */
export function isTransient({ code, serverStatus }: AppError): boolean {
  return TRANSIENT.has(code) && serverStatus !== 500
}
