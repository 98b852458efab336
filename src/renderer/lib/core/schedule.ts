import type { QueryClient } from '@tanstack/react-query'

/** Resolves after a delay; without one, in the next task. */
export function wait(milliseconds = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Delay after the first call, in milliseconds. */
const THROTTLE_MS = 150

/** Returns a function that runs `work` once for all calls within a short time, and not while `isBusy` returns true. */
export function createThrottle(work: () => void, isBusy: () => boolean = () => false): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = () => {
    timer = isBusy() ? setTimeout(run, THROTTLE_MS) : undefined
    if (timer === undefined) work()
  }
  return () => {
    timer ??= setTimeout(run, THROTTLE_MS)
  }
}

/** Call back at the latest after this time, in milliseconds. */
const MAX_WAIT_MS = 3_000

/**
 * Calls back once no query is being fetched, the last result is on screen, and the browser is idle, so that background work
 * does not delay what the member waits for. Returns a cancel function.
 */
export function onNetworkIdle(client: QueryClient, callback: () => void): () => void {
  let idle: number | undefined
  let asked: ReturnType<typeof setTimeout> | undefined
  let shown: ReturnType<typeof setTimeout> | undefined
  const done = () => {
    cancel()
    callback()
  }
  const check = () => {
    asked = undefined
    if (idle !== undefined || client.isFetching() > 0) return
    idle = requestIdleCallback(() => {
      // TanStack Query notifies the page in a separate task, which may start further queries.
      shown = setTimeout(() => {
        idle = undefined
        if (client.isFetching() === 0) done()
      })
    })
  }
  // Once for all events of a task: a page of messages with thousands of names has as many queries, and looks at each of them.
  const ask = () => {
    asked ??= setTimeout(check)
  }
  const unsubscribe = client.getQueryCache().subscribe(ask)
  const timer = setTimeout(done, MAX_WAIT_MS)
  const cancel = () => {
    unsubscribe()
    clearTimeout(timer)
    clearTimeout(asked)
    clearTimeout(shown)
    if (idle !== undefined) cancelIdleCallback(idle)
  }
  check()
  return cancel
}

/** Calls back after the next frame has been painted. Returns a cancel function. */
export function afterPaint(callback: () => void): () => void {
  let task: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    task = setTimeout(callback)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(task)
  }
}
