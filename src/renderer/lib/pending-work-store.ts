import type { DesktopBridge } from '#/shared/bridge'
import { logFailure } from './logger'

const underWay = new Set<Promise<unknown>>()
const unanswered = new Set<Promise<unknown>>()

/** The longest sign-out waits for requests under way, in milliseconds. */
const ANSWERS_MS = 1_000

let isBusy = false
let busyChanged = (_isBusy: boolean): void => undefined

function updateBusy(): void {
  if (isBusy === underWay.size > 0) return
  isBusy = underWay.size > 0
  busyChanged(isBusy)
}

/** Keeps `work` in `set` until it settles. Returns `work`. */
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

/** Has the app wait for this before it quits: what a member did must not be cut off. Gives the same promise. */
export function waitUntil<T>(work: Promise<T>): Promise<T> {
  return track(underWay, work)
}

/** A `fetch` that sends with `send` and whose requests `requestsAnswered` waits for. */
export function trackedFetch(send: typeof fetch): typeof fetch {
  return (input, init) => track(unanswered, send(input, init))
}

/**
 * Resolves when the requests under way are answered, or after one second. The server refuses requests of an ended
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

/** Resolves when nothing of that is under way, nor what began meanwhile. */
export async function allFinished(): Promise<void> {
  while (underWay.size > 0) await Promise.allSettled(underWay)
}

/** Lets the app quit as soon as all is finished, whenever it asks; until then it knows that something is under way. */
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
