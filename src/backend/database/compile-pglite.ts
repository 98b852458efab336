import { readFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'

/** Size of a page of WebAssembly memory. */
export const PAGE_BYTES = 65_536

/**
 * How much a function runs before V8 optimizes it, in bytes of its code: nearly the maximum. With V8's default, 1.8 to 13 million, a
 * third of the processor time at startup goes into optimizing functions that hardly run again, and the compiler's
 * threads leave 40 MB of memory that the process never returns.
 */
const TIERING_BUDGET = 2_000_000_000

/**
 * Compiles PGlite's WebAssembly. Threads can share it. This file imports neither PGlite nor lite, so that the main thread
 * can compile while the database thread still loads them.
 */
export async function compilePglite(): Promise<WebAssembly.Module> {
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`)
  const file = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))
  return WebAssembly.compile(await readFile(file))
}
