import type { QueryClient } from '@tanstack/react-query'

/** Call back at the latest after this time, in milliseconds. */
const MAX_WAIT_MS = 3_000

/**
 * Calls back once no query is being fetched and the browser is idle, so that background work does not delay what the
 * member waits for. Returns a cancel function.
 */
export function onNetworkIdle(client: QueryClient, callback: () => void): () => void {
  let idle: number | undefined
  const done = () => {
    cancel()
    callback()
  }
  const check = () => {
    if (idle !== undefined || client.isFetching() > 0) return
    idle = requestIdleCallback(() => {
      idle = undefined
      if (client.isFetching() === 0) done()
    })
  }
  const unsubscribe = client.getQueryCache().subscribe(check)
  const timer = setTimeout(done, MAX_WAIT_MS)
  const cancel = () => {
    unsubscribe()
    clearTimeout(timer)
    if (idle !== undefined) cancelIdleCallback(idle)
  }
  check()
  return cancel
}
