/** Runs one piece of work at a time, in the order of the calls. */
export type Exclusive = <T>(work: () => Promise<T>) => Promise<T>

/** A queue of one: PGlite is one session, so a request's transaction must not meet another's (tests keep it so). */
export function createMutex(): Exclusive {
  let tail: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = tail.then(work)
    tail = turn.catch(() => undefined)
    return turn
  }
}
