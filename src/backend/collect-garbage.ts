import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const IDLE_MS = 10_000

let gc: (() => void) | null = null

/** Frees unused buffers now. V8 would keep tens of megabytes of them, because they hardly count towards its heap. */
export function collectGarbage(): void {
  if (gc === null) {
    setFlagsFromString('--expose-gc')
    gc = runInNewContext('gc') as () => void
  }
  gc()
}

/**
 * Collects garbage ten seconds after the last call of the returned function. V8 keeps the memory of busy times, tens of megabytes, while it
 * is idle, and returns it with the second collection.
 */
export function collectGarbageWhenIdle(): () => void {
  const timer = setTimeout(() => {
    collectGarbage()
    setImmediate(collectGarbage)
  }, IDLE_MS).unref()
  return () => void timer.refresh()
}

/** In milliseconds. By then, the first screen has usually been served. */
const START_MS = 3_000

/** Frees the memory that only the start needed: tens of megabytes of source texts, WebAssembly and files. */
export function collectGarbageOfStart(): void {
  setTimeout(collectGarbage, START_MS).unref()
}
