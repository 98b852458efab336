import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const IDLE_MS = 3_000

/**
 * Collects garbage three seconds after the start and after the last call of the returned function. V8 keeps the memory of the start and of
 * busy times, tens of megabytes, while it is idle, and returns it with the second collection.
 */
export function collectGarbageWhenIdle(): () => void {
  const timer = setTimeout(() => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    collect()
    setImmediate(collect)
  }, IDLE_MS).unref()
  return () => void timer.refresh()
}
