import { messages, type PGlite, protocol } from '@electric-sql/pglite'
import { type LimitError, TOO_LARGE } from './limit-errors'

/** Sets the largest result of a statement, in bytes, and the error for larger ones; null removes the limit. */
export type SetResponseLimit = (limit: { bytes: number; error: LimitError } | null) => void

/**
 * Fails statements whose result exceeds a limit. PGlite keeps all rows in memory, so the rest is dropped while PostgreSQL
 * sends it. The limit applies to all databases of this thread.
 */
export function limitResponse({ Module }: PGlite): SetResponseLimit {
  const { prototype } = protocol.Parser
  const { parse } = prototype
  const run = Module._PostgresMainLoopOnce
  let limit = Number.POSITIVE_INFINITY
  let limitError = TOO_LARGE
  let bytes = 0

  prototype.parse = function (this: protocol.Parser, buffer, callback) {
    if (bytes > limit) return
    bytes += buffer.byteLength
    if (bytes <= limit) parse.call(this, buffer, callback)
    // After an error, PGlite ignores the rest of the response and creates a new parser.
    else callback(databaseError(limitError))
  }
  Object.assign(Module, {
    _PostgresMainLoopOnce: () => {
      bytes = 0
      return run()
    },
  })
  return (max) => {
    limit = max?.bytes ?? Number.POSITIVE_INFINITY
    limitError = max?.error ?? TOO_LARGE
  }
}

function databaseError({ message, ...fields }: LimitError): messages.DatabaseError {
  return Object.assign(new messages.DatabaseError(message, 0, 'error'), { severity: 'ERROR', ...fields })
}
