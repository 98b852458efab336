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
 * continues with a broken PostgreSQL. After a longjmp, gives back the stack of the failed statement, about a thousand bytes: PGlite keeps
 * them, and PostgreSQL would crash after some thousand failed statements.
 */
export function guardMainLoop({ Module }: PGlite, onCrash: (error: unknown) => void): void {
  const stackPointer = stackPointerOf(Module)
  for (const name of ENTRIES) {
    const run: unknown = Reflect.get(Module, name)
    if (typeof run !== 'function')
      throw new Error(`PGlite no longer has ${name}: check how it handles exceptions`)
    const guarded = () => {
      const stack = stackPointer.value
      try {
        return run()
      } catch (error) {
        stackPointer.value = stack
        if (name !== '_PostgresMainLoopOnce' || statusOf(error) !== LONGJMP) onCrash(error)
        throw error
      }
    }
    Object.assign(Module, { [name]: guarded })
  }
}

/** A `WebAssembly.Global`, which the types of Node do not have. */
function stackPointerOf(module: object): { value: unknown } {
  const pointer: unknown = Reflect.get(module, '___stack_pointer')
  if (typeof pointer === 'object' && pointer !== null && 'value' in pointer) return pointer
  throw new Error('PGlite no longer has ___stack_pointer: check whether failed statements keep their stack')
}

function statusOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined
}
