/** A piece of work that waits for its turn. */
export interface Waiting<T> {
  /** Callers take turns. */
  caller: string
  /** Takes long. While other work waits, every second turn at most is heavy. */
  isHeavy?: boolean
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

/** The work that waits, by caller, in the order of the callers' turns. */
type Queues = Map<string, Turn[]>

function takeFirst(queues: Queues): Turn | null {
  const [first] = queues
  if (first === undefined) return null
  const [caller, turns] = first
  const turn = turns.shift() ?? null
  queues.delete(caller)
  if (turns.length > 0) queues.set(caller, turns)
  return turn
}

export function createFairLane({ perCaller, total }: LaneLimits): FairLane {
  const light: Queues = new Map()
  const heavy: Queues = new Map()
  let count = 0
  let isBusy = false
  let wasHeavy = false

  const takeNext = (): Turn | null => {
    const isHeavyNext = light.size === 0 || (heavy.size > 0 && !wasHeavy)
    const turn = takeFirst(isHeavyNext ? heavy : light)
    if (turn === null) return null
    wasHeavy = isHeavyNext
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

  return ({ caller, isHeavy = false, isGone = () => false, work }) => {
    const waiting = (light.get(caller)?.length ?? 0) + (heavy.get(caller)?.length ?? 0)
    if (waiting >= perCaller || count >= total) return Promise.resolve(null)
    return new Promise((resolve, reject) => {
      const queues = isHeavy ? heavy : light
      const turns = queues.get(caller) ?? []
      turns.push({ isGone, run: () => work().then(resolve, reject), skip: () => resolve(null) })
      queues.set(caller, turns)
      count += 1
      if (!isBusy) runNext()
    })
  }
}
