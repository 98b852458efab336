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
