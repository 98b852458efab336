import type { PGlite } from '@electric-sql/pglite'

/** `POSTGRES_MAIN_LONGJMP` in PGlite's source: the status of the exception that a failed statement throws. */
const LONGJMP = 100

/** PGlite calls these functions for each message to PostgreSQL. */
const ENTRIES = [
  '_PostgresMainLoopOnce',
  '_PostgresMainLongJmp',
  '_PostgresSendReadyForQueryIfNecessary',
  '_pgl_pq_flush',
] as const

/**
 * Calls `onCrash` for each exception that is not the longjmp of a failed statement: PGlite ignores such exceptions and
 * continues with a broken PostgreSQL.
 */
export function guardMainLoop({ Module }: PGlite, onCrash: (error: unknown) => void): void {
  for (const name of ENTRIES) {
    const run: unknown = Reflect.get(Module, name)
    if (typeof run !== 'function')
      throw new Error(`PGlite no longer has ${name}: check how it handles exceptions`)
    const guarded = () => {
      try {
        return run()
      } catch (error) {
        if (name !== '_PostgresMainLoopOnce' || statusOf(error) !== LONGJMP) onCrash(error)
        throw error
      }
    }
    Object.assign(Module, { [name]: guarded })
  }
}

function statusOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined
}
