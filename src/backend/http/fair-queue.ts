export interface Task<T> {
  /** Callers take turns. */
  caller: string
  /** Slow work. While other work waits, at most every second turn is heavy. */
  isHeavy?: boolean
  /** Whether the result is no longer needed: the work is skipped. */
  isGone?: () => boolean
  work: () => Promise<T>
}

/**
 * Runs one task at a time, round robin among the callers. Resolves with null if the task was not run, because too many
 * are waiting or its result is no longer needed.
 */
export type FairQueue = <T>(task: Task<T>) => Promise<T | null>

export interface FairQueueLimits {
  /** Waiting tasks of one caller. */
  perCaller: number
  /** Waiting tasks of all callers. */
  total: number
}

interface Turn {
  isGone: () => boolean
  run: () => Promise<void>
  skip: () => void
}

/** Waiting tasks by caller, in the order of the callers' turns. */
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

export function createFairQueue({ perCaller, total }: FairQueueLimits): FairQueue {
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
