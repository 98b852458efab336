import { percentile } from '#tests/backend/support/median'

/** Percentiles of a series of times, in milliseconds. */
export interface Times {
  p50: number
  p95: number
  count: number
}

export function summarize(times: readonly number[]): Times {
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), count: times.length }
}

/** Measures the time of `work` in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
