/** Delay after the first call, in milliseconds. */
const THROTTLE_MS = 150

/** Returns a function that runs `work` once for all calls within a short time, and not while `isBusy` returns true. */
export function createThrottle(work: () => void, isBusy: () => boolean = () => false): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = () => {
    timer = isBusy() ? setTimeout(run, THROTTLE_MS) : undefined
    if (timer === undefined) work()
  }
  return () => {
    timer ??= setTimeout(run, THROTTLE_MS)
  }
}
