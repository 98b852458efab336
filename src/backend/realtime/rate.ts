/** Counts what happens in a window of time. */
export interface RateCounter {
  /** Counts one more, and gives how many that makes in this window. */
  count(): number
}

/** A window begins with the first thing counted after the last one is over. */
export function createRateCounter(windowMs: number, now: () => number = Date.now): RateCounter {
  let count = 0
  let until = 0
  return {
    count: () => {
      const time = now()
      if (time >= until) {
        count = 0
        until = time + windowMs
      }
      count += 1
      return count
    },
  }
}
