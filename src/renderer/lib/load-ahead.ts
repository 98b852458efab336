import { logFailure } from './logger'

type Load = () => Promise<unknown>

/** What is loaded when it is first wanted, and has not been loaded ahead yet. */
const wanted = new Set<Load>()

/** Has a part of the app loaded before it is wanted, once there is nothing better to do. Gives it back. */
export function loadAhead<L extends Load>(load: L): L {
  wanted.add(load)
  return load
}

/**
 * Loads all of that, one after the other, whenever nothing else is to be done: so that a screen never shown before opens
 * at once, and without a server. Ends at the first that fails, and when nothing `canLoad` any more; what is left is for
 * the next time. Gives what calls it off.
 */
export function startLoadingAhead(canLoad: () => boolean): () => void {
  let idle = 0
  const rest = [...wanted]
  const loadNext = () => {
    const load = canLoad() ? rest.shift() : undefined
    if (load === undefined) return
    load().then(
      () => {
        wanted.delete(load)
        goOn()
      },
      (cause: unknown) => logFailure('load ahead', cause),
    )
  }
  const goOn = () => {
    idle = requestIdleCallback(loadNext)
  }
  goOn()
  return () => {
    rest.length = 0
    cancelIdleCallback(idle)
  }
}
