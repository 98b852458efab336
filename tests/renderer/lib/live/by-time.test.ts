import { expect, test } from 'vitest'
import { byTime } from '#/renderer/lib/live/by-time'

test('sorts rows by time with the server’s fractions of a second', () => {
  const times = ['12:00:00+00:00', '12:00:00.1+00:00', '12:00:00.12+00:00', '12:00:00.123456+00:00']
  const rows = times.map((time, index) => ({ id: String(9 - index), created_at: `2026-11-21T${time}` }))
  expect(rows.toReversed().sort(byTime)).toEqual(rows)
})

test('sorts rows of the same time by id, like the pages of the server', () => {
  const created_at = '2026-11-21T12:00:00+00:00'
  const rows = ['a', 'b', 'c'].map((id) => ({ id, created_at }))
  expect(rows.toReversed().sort(byTime)).toEqual(rows)
  expect(byTime({ id: 'a', created_at }, { id: 'a', created_at })).toBe(0)
})
