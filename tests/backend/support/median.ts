/** The median; for an even number of values, the upper of the two middle ones. */
export const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN

/** The percentile by the nearest-rank method; `share` from 0 to 1. Throws without numbers. */
export function percentile(numbers: readonly number[], share: number): number {
  const value = numbers.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(numbers.length * share) - 1)]
  if (value === undefined) throw new Error('Cannot take a percentile of no values')
  return value
}
