import { expect, test } from 'vitest'
import { rowsToAsk } from '#/renderer/features/messages/activity'

test.each([
  [0, 14, 0, 20],
  [3, 18, 0, 20],
  [6, 21, 0, 40],
  [205, 220, 200, 240],
])(
  'SET-05 while rows %d to %d are drawn, %d to %d are asked for, however long the list is',
  (first, last, start, end) => {
    expect(rowsToAsk(first, last)).toEqual({ start, end })
  },
)
