/** In milliseconds. */
interface Delays {
  first: number
  longest: number
}

const CONNECTION: Delays = { first: 1_000, longest: 30_000 }

/**
 * Delay before the n-th attempt in a row (from 0), in milliseconds: exponential and capped, with jitter over its upper
 * half so that clients do not reconnect in the same moment.
 */
export function retryDelay(attempt: number, random: () => number = Math.random, delays = CONNECTION): number {
  const ceiling = Math.min(delays.longest, delays.first * 2 ** attempt)
  return Math.round(ceiling * (0.5 + random() / 2))
}
