import { logFailure } from '#/renderer/lib/core/logger'

type Load = () => Promise<unknown>

/** Code that has not been loaded yet. */
const pending = new Set<Load>()

/** Registers code to be loaded when the browser is idle. Returns the same function. */
export function loadAhead<L extends Load>(load: L): L {
  pending.add(load)
  return load
}

/**
 * Loads the registered code in idle time, one part after the other, so that a screen opens immediately and without a
 * server. Stops at the first failure or when `canLoad` returns false; the rest waits for the next call. Returns a
 * cancel function.
 */
export function startLoadingAhead(canLoad: () => boolean): () => void {
  let idle = 0
  const queue = [...pending]
  const loadNext = () => {
    const load = canLoad() ? queue.shift() : undefined
    if (load === undefined) return
    load().then(
      () => {
        pending.delete(load)
        schedule()
      },
      (cause: unknown) => logFailure('load ahead', cause),
    )
  }
  const schedule = () => {
    idle = requestIdleCallback(loadNext)
  }
  schedule()
  return () => {
    queue.length = 0
    cancelIdleCallback(idle)
  }
}
