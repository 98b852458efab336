import { messages, type PGlite, protocol } from '@electric-sql/pglite'
import { MEDIA_LIMITS } from '#/shared/limits'

/** Largest result of a statement, in bytes: a row with the largest video. */
const ROW_BYTES = MEDIA_LIMITS.video.characters + 200_000

/** Largest result of several rows: four pictures of the largest size. Each MB takes up to 25 ms of the database thread. */
const ROWS_BYTES = 4 * MEDIA_LIMITS.image.characters + 200_000

/** In PostgREST's convention, PT413 means HTTP status 413. */
const TOO_LARGE = {
  severity: 'ERROR',
  message: 'The response is too large',
  code: 'PT413',
  hint: 'Request fewer rows or columns.',
}

/**
 * Fails statements whose result is too large, while the returned function was last called with true. PGlite keeps all rows in memory,
 * so the rest is dropped while PostgreSQL sends it. The limit applies to all databases of this thread.
 */
export function limitResponse({ Module }: PGlite): (isLimited: boolean) => void {
  const { prototype } = protocol.Parser
  const { parse } = prototype
  const run = Module._PostgresMainLoopOnce
  let isLimited = false
  let bytes = 0
  let rows = 0

  prototype.parse = function (this: protocol.Parser, buffer, callback) {
    if (isLimited && bytes > ROW_BYTES) return
    bytes += buffer.byteLength
    /** After an error, PGlite ignores the rest of the response and creates a new parser. */
    const fail = () => {
      bytes = Number.POSITIVE_INFINITY
      callback(Object.assign(new messages.DatabaseError(TOO_LARGE.message, 0, 'error'), TOO_LARGE))
    }
    if (isLimited && bytes > ROW_BYTES) return fail()
    parse.call(this, buffer, (message) => {
      if (message.name === 'dataRow') rows += 1
      if (isLimited && rows > 1 && bytes > ROWS_BYTES) fail()
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
  return (limited) => {
    isLimited = limited
  }
}
