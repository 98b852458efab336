/** Who waits in a queue. */
export interface Waiting {
  /** Callers take turns. The server itself when left out. */
  caller?: string
  /** Whether the result is no longer needed: the work is skipped. */
  isGone?: () => boolean
}

/**
 * Runs async functions one at a time: in turns of the callers, of which those go first whose turns took less time lately, and in the order
 * of the calls for each of them. Rejects with a SkippedError if the work was not run.
 */
export type Exclusive = <T>(work: () => Promise<T>, waiting?: Waiting) => Promise<T>

/** The caller had gone before their turn came, or had too much waiting. */
export class SkippedError extends Error {
  override readonly name = 'SkippedError'
}

/** Waiting work of one caller. A connection waits for one request, but a live channel can start more. */
const WAITING_MAX = 1_000

/** Milliseconds of a turn that count, at least and at most: nobody waits long for the others after a long turn. */
const COUNTED_MS = { min: 1, max: 20 }

/**
 * PGlite has one session: without a queue, statements of one request would run in another request's transaction.
 * @param clock in milliseconds
 * @param pause awaited after each turn, so that new work gets its place before the next one: for work that awaits nothing
 */
export function createQueue(clock = () => performance.now(), pause?: () => Promise<unknown>): Exclusive {
  const queues = new Map<string, (() => Promise<void>)[]>()
  /** When a caller's next turn is due, in counted time of all: a member with short turns is before many accounts with long ones. */
  const due = new Map<string, number>()
  let now = 0
  let isBusy = false

  const dueFor = (caller: string) => due.get(caller) ?? 0
  const runNext = (): void => {
    const [[caller = '', queue] = []] = [...queues].sort(([one], [other]) => dueFor(one) - dueFor(other))
    const run = queue?.shift()
    isBusy = run !== undefined
    if (queue?.length === 0) queues.delete(caller)
    if (run === undefined) return void due.clear()
    now = Math.max(now, dueFor(caller))
    const startedAt = clock()
    void run().finally(async () => {
      due.set(caller, now + Math.max(COUNTED_MS.min, Math.min(clock() - startedAt, COUNTED_MS.max)))
      await pause?.()
      runNext()
    })
  }

  return (work, { caller = '', isGone = () => false } = {}) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(caller) ?? []
      if (queue.length >= WAITING_MAX) return reject(new SkippedError())
      queue.push(async () => (isGone() ? reject(new SkippedError()) : work().then(resolve, reject)))
      queues.set(caller, queue)
      if (!isBusy) runNext()
    })
}
