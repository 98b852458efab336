/** The upper one of the two in the middle of an even number of values. */
export const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN
