/** Between which waits lie, in milliseconds. */
interface Waits {
  first: number
  longest: number
}

const CONNECTION: Waits = { first: 1_000, longest: 30_000 }

/**
 * How long to wait before the n-th attempt in a row (from 0), in milliseconds: doubling, capped, and spread over its
 * upper half, so that not everybody comes back in the same moment.
 */
export function retryDelay(attempt: number, random: () => number = Math.random, waits = CONNECTION): number {
  const most = Math.min(waits.longest, waits.first * 2 ** attempt)
  return Math.round(most * (0.5 + random() / 2))
}
