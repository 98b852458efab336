/** What is asked for in a burst is done once, this long after the first, in milliseconds. */
const BURST_MS = 150

/** Gives what asks for `work`: done once for all that is asked in a moment, and not while `isBusy`. */
export function createThrottle(work: () => void, isBusy: () => boolean = () => false): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const finish = () => {
    timer = isBusy() ? setTimeout(finish, BURST_MS) : undefined
    if (timer === undefined) work()
  }
  return () => {
    timer ??= setTimeout(finish, BURST_MS)
  }
}
