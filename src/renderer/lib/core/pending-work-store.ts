import type { DesktopBridge } from '#/shared/bridge'
import { logFailure } from './logger'

const underWay = new Set<Promise<unknown>>()
const unanswered = new Set<Promise<unknown>>()

/** Longest time that sign-out waits for requests in flight, in milliseconds. */
const ANSWERS_MS = 1_000

let isBusy = false
let busyChanged = (_isBusy: boolean): void => undefined

function updateBusy(): void {
  if (isBusy === underWay.size > 0) return
  isBusy = underWay.size > 0
  busyChanged(isBusy)
}

/** Keeps `work` in `set` until it settles. Returns the same promise. */
function track<T>(set: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  set.add(work)
  updateBusy()
  const leave = () => {
    set.delete(work)
    updateBusy()
  }
  work.then(leave, leave)
  return work
}

/**
 * Makes the app wait for this work before it quits, so that nothing a member did is cut off. Returns the same promise.
 */
export function waitUntil<T>(work: Promise<T>): Promise<T> {
  return track(underWay, work)
}

/** Wraps `send`: `requestsAnswered` waits for its requests. */
export function trackedFetch(send: typeof fetch): typeof fetch {
  return (input, init) => track(unanswered, send(input, init))
}

/**
 * Resolves when all requests in flight are answered, or after one second. The server refuses requests of an ended
 * session, so a write sent just before sign-out would be lost.
 */
export async function requestsAnswered(): Promise<void> {
  let isLate = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isLate = true
      resolve()
    }, ANSWERS_MS)
  })
  while (unanswered.size > 0 && !isLate) await Promise.race([Promise.allSettled(unanswered), late])
  clearTimeout(timer)
}

/** Resolves when all work has settled, including work that started meanwhile. */
export async function allFinished(): Promise<void> {
  while (underWay.size > 0) await Promise.allSettled(underWay)
}

/** Lets the app quit once all work has settled, and reports to the host whether there is pending work. */
export function finishWhenAsked(quit: DesktopBridge['quit']): void {
  busyChanged = (busy) => {
    quit.setBusy(busy).catch((cause: unknown) => logFailure('report unfinished work', cause))
  }
  if (isBusy) busyChanged(true)
  quit.onAsked(async () => {
    await allFinished()
    await quit.agree().catch((cause: unknown) => logFailure('agree to quit', cause))
  })
}
