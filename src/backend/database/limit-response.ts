import { messages, type PGlite, protocol } from '@electric-sql/pglite'
import { type LimitError, ROWS_TOO_LARGE, TOO_LARGE } from './limit-errors'

/** Largest result of several rows. Each MB takes up to 25 ms of the database thread, and a request at most 100. */
const SEVERAL_ROWS_BYTES = 3_500_000

interface ResponseLimit {
  /** Largest result of a statement. */
  bytes: number
  error: LimitError
}

/** Null removes the limit. */
export type SetResponseLimit = (limit: ResponseLimit | null) => void

/**
 * Fails statements whose result exceeds a limit. PGlite keeps all rows in memory, so the rest is dropped while PostgreSQL
 * sends it. The limit applies to all databases of this thread.
 */
export function limitResponse({ Module }: PGlite): SetResponseLimit {
  const { prototype } = protocol.Parser
  const { parse } = prototype
  const run = Module._PostgresMainLoopOnce
  let limit = Number.POSITIVE_INFINITY
  let severalLimit = Number.POSITIVE_INFINITY
  let limitError = TOO_LARGE
  let bytes = 0
  let rows = 0

  prototype.parse = function (this: protocol.Parser, buffer, callback) {
    if (bytes > limit) return
    bytes += buffer.byteLength
    /** After an error, PGlite ignores the rest of the response and creates a new parser. */
    const fail = (error: LimitError) => {
      bytes = Number.POSITIVE_INFINITY
      callback(databaseError(error))
    }
    if (bytes > limit) return fail(limitError)
    parse.call(this, buffer, (message) => {
      if (message.name === 'dataRow') rows += 1
      if (rows > 1 && bytes > severalLimit) fail(ROWS_TOO_LARGE)
      else callback(message)
    })
  }
  Object.assign(Module, {
    _PostgresMainLoopOnce: () => {
      bytes = 0
      rows = 0
      return run()
    },
  })
  return (max) => {
    limit = max?.bytes ?? Number.POSITIVE_INFINITY
    severalLimit = max === null ? Number.POSITIVE_INFINITY : SEVERAL_ROWS_BYTES
    limitError = max?.error ?? TOO_LARGE
  }
}

function databaseError({ message, ...fields }: LimitError): messages.DatabaseError {
  return Object.assign(new messages.DatabaseError(message, 0, 'error'), { severity: 'ERROR', ...fields })
}
