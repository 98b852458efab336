/** A piece of work that waits for its turn. */
export interface Waiting<T> {
  /** Callers take turns. */
  caller: string
  /** Whether nobody waits for the result any more: the work is skipped. */
  isGone?: () => boolean
  work: () => Promise<T>
}

/**
 * Runs one piece of work at a time, taking turns among the callers that wait. Resolves with null if the work was not
 * done: too much is waiting already, or its caller is gone.
 */
export type FairLane = <T>(waiting: Waiting<T>) => Promise<T | null>

export interface LaneLimits {
  /** Pieces of work of one caller that may wait. */
  perCaller: number
  /** Pieces of work of all callers that may wait. */
  total: number
}

interface Turn {
  isGone: () => boolean
  run: () => Promise<void>
  skip: () => void
}

export function createFairLane({ perCaller, total }: LaneLimits): FairLane {
  /** In the order of the callers' turns. */
  const queues = new Map<string, Turn[]>()
  let count = 0
  let isBusy = false

  const takeNext = (): Turn | null => {
    const [next] = queues
    if (next === undefined) return null
    const [caller, turns] = next
    const turn = turns.shift() ?? null
    queues.delete(caller)
    if (turns.length > 0) queues.set(caller, turns)
    count -= 1
    return turn
  }

  const runNext = () => {
    let turn = takeNext()
    while (turn?.isGone() === true) {
      turn.skip()
      turn = takeNext()
    }
    isBusy = turn !== null
    void turn?.run().finally(runNext)
  }

  return ({ caller, isGone = () => false, work }) => {
    const turns = queues.get(caller) ?? []
    if (turns.length >= perCaller || count >= total) return Promise.resolve(null)
    return new Promise((resolve, reject) => {
      turns.push({ isGone, run: () => work().then(resolve, reject), skip: () => resolve(null) })
      queues.set(caller, turns)
      count += 1
      if (!isBusy) runNext()
    })
  }
}
