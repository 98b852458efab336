/**
 * Runs one piece of work at a time, taking turns among the callers that wait; null for a caller of whom too much
 * waits already.
 */
export type FairLane = <T>(caller: string, work: () => Promise<T>) => Promise<T> | null

/** @param waitingMax pieces of work of one caller that may wait */
export function createFairLane(waitingMax: number): FairLane {
  /** In the order of the callers' turns. */
  const waiting = new Map<string, (() => Promise<void>)[]>()
  let isBusy = false

  const runNext = () => {
    const [turn] = waiting
    if (turn === undefined) {
      isBusy = false
      return
    }
    const [caller, [work, ...others]] = turn
    waiting.delete(caller)
    if (others.length > 0) waiting.set(caller, others)
    isBusy = true
    void work?.().finally(runNext)
  }

  return (caller, work) => {
    const queue = waiting.get(caller) ?? []
    if (queue.length >= waitingMax) return null
    return new Promise((resolve, reject) => {
      waiting.set(caller, [...queue, () => work().then(resolve, reject)])
      if (!isBusy) runNext()
    })
  }
}
