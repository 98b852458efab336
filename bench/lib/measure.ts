/** Percentiles of a series of times, in milliseconds. */
export interface Times {
  p50: number
  p95: number
  count: number
}

/** The percentile by the nearest-rank method; `share` from 0 to 1. */
export function percentile(sorted: readonly number[], share: number): number {
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
  if (value === undefined) throw new Error('Cannot take a percentile of no values')
  return value
}

export function summarize(times: readonly number[]): Times {
  const sorted = [...times].sort((a, b) => a - b)
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), count: sorted.length }
}

/** Measures the time of `work` in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
