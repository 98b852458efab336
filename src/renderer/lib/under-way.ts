import type { DesktopBridge } from '#/shared/bridge'
import { logFailure } from './logger'

const underWay = new Set<Promise<unknown>>()

/** Has the app wait for this before it quits: what a member did must not be cut off. Gives the same promise. */
export function finishBeforeQuitting<T>(work: Promise<T>): Promise<T> {
  underWay.add(work)
  const leave = () => underWay.delete(work)
  work.then(leave, leave)
  return work
}

/** Resolves when nothing of that is under way, nor what began meanwhile. */
export async function allFinished(): Promise<void> {
  while (underWay.size > 0) await Promise.allSettled(underWay)
}

/** Lets the app quit as soon as all is finished, whenever it asks. */
export function finishWhenAsked(quit: DesktopBridge['quit']): void {
  quit.onAsked(async () => {
    await allFinished()
    await quit.agree().catch((cause: unknown) => logFailure('agree to quit', cause))
  })
}
