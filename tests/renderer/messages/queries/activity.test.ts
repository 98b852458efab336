import { expect, test } from 'vitest'
import { activityRange } from '#/renderer/features/messages/queries/activity'

test.each([
  [0, 14, 0, 20],
  [3, 18, 0, 20],
  [6, 21, 0, 40],
  [205, 220, 200, 240],
])('SET-05 requests rows for %d to %d in blocks, from %d to %d', (first, last, start, end) => {
  expect(activityRange(first, last)).toEqual({ start, end })
})
