const FIRST_MS = 1_000
const LONGEST_MS = 30_000

/**
 * How long to wait before the n-th attempt in a row (from 0), in milliseconds: doubling, capped, and spread over its
 * upper half, so that not everybody comes back in the same moment.
 */
export function retryDelay(attempt: number, random: () => number = Math.random): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt)
  return Math.round(longest * (0.5 + random() / 2))
}
