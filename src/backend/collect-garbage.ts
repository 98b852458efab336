import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let gc: (() => void) | null = null

/** Frees buffers at once: V8 keeps unused ones of tens of megabytes, because its own heap hardly grows with them. */
export function collectGarbage(): void {
  if (gc === null) {
    setFlagsFromString('--expose-gc')
    gc = runInNewContext('gc') as () => void
  }
  gc()
}
