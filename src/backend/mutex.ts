/** Runs async functions one at a time, in the order of the calls. */
export type Exclusive = <T>(work: () => Promise<T>) => Promise<T>

/** PGlite has one session: without a mutex, statements of one request would run in another request's transaction. */
export function createMutex(): Exclusive {
  let tail: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = tail.then(work)
    // Without the result, which may hold a whole dump of the database.
    const end = () => undefined
    tail = result.then(end, end)
    return result
  }
}
