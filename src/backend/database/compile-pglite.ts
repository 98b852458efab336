import { readFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'

/**
 * How much a function runs before V8 optimizes it, in bytes of its code. With V8's default, 1.8 to 13 million, a third of
 * the processor time at startup goes into optimizing functions that hardly run again.
 */
const TIERING_BUDGET = 40_000_000

/**
 * Compiles PGlite's WebAssembly. Threads can share it. This file imports neither PGlite nor lite, so that the main thread
 * can compile while the database thread still loads them.
 */
export async function compilePglite(): Promise<WebAssembly.Module> {
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`)
  const file = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))
  return WebAssembly.compile(await readFile(file))
}
