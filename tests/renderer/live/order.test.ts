import { expect, test } from 'vitest'
import { byTime } from '#/renderer/lib/live/order'

test('rows stand by their time, fractions of a second as PostgreSQL writes them, then by id', () => {
  const times = ['12:00:00+00:00', '12:00:00.1+00:00', '12:00:00.12+00:00', '12:00:00.123456+00:00']
  const rows = [
    ...times.map((time, index) => ({ id: String(9 - index), created_at: `2026-11-21T${time}` })),
    { id: 'a', created_at: '2026-11-21T12:00:01+00:00' },
    { id: 'b', created_at: '2026-11-21T12:00:01+00:00' },
  ]
  expect([...rows].reverse().sort(byTime)).toEqual(rows)
})
