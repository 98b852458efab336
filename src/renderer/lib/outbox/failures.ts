import type { AppError, ErrorCode } from '#/renderer/lib/errors'

/** After these failures a queued row is sent again without the member doing anything. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set(['offline', 'session-expired', 'server', 'rate-limited'])

/** Whether the server may have stored a row although sending it failed: it did not answer itself. */
export function mayHaveArrived({ code, serverStatus }: AppError): boolean {
  return code === 'offline' || (code === 'server' && serverStatus === undefined)
}

/** Whether to send a queued row again. A 500 is what the server makes of this row; a 503 says that it is busy. */
export function isTransient({ code, serverStatus }: AppError): boolean {
  return TRANSIENT.has(code) && serverStatus !== 500
}
