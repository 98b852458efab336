/** Who waits in a queue. */
export interface Waiting {
  /** Callers take turns. The server itself when left out. */
  caller?: string
  /** Whether the result is no longer needed: the work is skipped. */
  isGone?: () => boolean
}

/**
 * Runs async functions one at a time: in turns of the callers, and in the order of the calls for each of them. Rejects with a
 * SkippedError if the work was not run.
 */
export type Exclusive = <T>(work: () => Promise<T>, waiting?: Waiting) => Promise<T>

/** The caller had gone before their turn came, or had too much waiting. */
export class SkippedError extends Error {
  override readonly name = 'SkippedError'
}

/** Waiting work of one caller. A connection waits for one request, but a live channel can start more. */
const WAITING_MAX = 1_000

/** PGlite has one session: without a queue, statements of one request would run in another request's transaction. */
export function createQueue(): Exclusive {
  /** Waiting work by caller, in the order of the callers' turns. */
  const queues = new Map<string, (() => Promise<void>)[]>()
  let isBusy = false

  const runNext = (): void => {
    const [first] = queues
    isBusy = first !== undefined
    if (first === undefined) return
    const [caller, queue] = first
    const run = queue.shift()
    queues.delete(caller)
    if (queue.length > 0) queues.set(caller, queue)
    void run?.().finally(runNext)
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
