import { messages, type PGlite, protocol } from '@electric-sql/pglite'
import { type LimitError, TOO_LARGE } from './limit-errors'

/** Limits the bytes that PostgreSQL returns for one statement, and says with which error; null lifts the limit. */
export type SetResponseLimit = (limit: { bytes: number; error: LimitError } | null) => void

/**
 * Fails a statement whose response is larger than a limit. PGlite keeps all rows in memory, so the rest is dropped as
 * PostgreSQL sends it. The limit applies to all databases of this thread, which has one.
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
    // PGlite ignores the rest of the response after an error, and starts a new parser.
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
