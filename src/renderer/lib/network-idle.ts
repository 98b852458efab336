import type { QueryClient } from '@tanstack/react-query'

/** The longest that is waited for a quiet moment, in milliseconds. */
const PATIENCE_MS = 3_000

/**
 * Calls back once the page has what it asked the server for and nothing more urgent to do, so that nothing is in the
 * way of what the member waits for. Gives what calls it off.
 */
export function onNetworkIdle(client: QueryClient, callback: () => void): () => void {
  let idle: number | undefined
  const done = () => {
    callOff()
    callback()
  }
  const look = () => {
    if (idle !== undefined || client.isFetching() > 0) return
    idle = requestIdleCallback(() => {
      idle = undefined
      if (client.isFetching() === 0) done()
    })
  }
  const ignore = client.getQueryCache().subscribe(look)
  const timer = setTimeout(done, PATIENCE_MS)
  const callOff = () => {
    ignore()
    clearTimeout(timer)
    if (idle !== undefined) cancelIdleCallback(idle)
  }
  look()
  return callOff
}
