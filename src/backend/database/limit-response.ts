import { messages, type PGlite, protocol } from '@electric-sql/pglite'

/** Limits the bytes that PostgreSQL returns for one statement; null lifts the limit. */
export type SetResponseLimit = (bytes: number | null) => void

/**
 * Fails a statement whose response is larger than a limit. PGlite keeps all rows in memory, so the rest is dropped as
 * PostgreSQL sends it. The limit applies to all databases of this thread, which has one.
 */
export function limitResponse({ Module }: PGlite): SetResponseLimit {
  const { prototype } = protocol.Parser
  const { parse } = prototype
  const run = Module._PostgresMainLoopOnce
  let limit = Number.POSITIVE_INFINITY
  let bytes = 0

  prototype.parse = function (this: protocol.Parser, buffer, callback) {
    if (bytes > limit) return
    bytes += buffer.byteLength
    if (bytes <= limit) parse.call(this, buffer, callback)
    // PGlite ignores the rest of the response after an error, and starts a new parser.
    else callback(responseTooLarge())
  }
  Object.assign(Module, {
    _PostgresMainLoopOnce: () => {
      bytes = 0
      return run()
    },
  })
  return (max) => {
    limit = max ?? Number.POSITIVE_INFINITY
  }
}

/** PT413 makes it a 413, in PostgREST's convention. */
function responseTooLarge(): messages.DatabaseError {
  const error = new messages.DatabaseError('The response is too large', 0, 'error')
  return Object.assign(error, { severity: 'ERROR', code: 'PT413', hint: 'Request fewer rows or columns.' })
}
