import { afterEach, expect, test, vi } from 'vitest'
import { RelativeTime } from '#/renderer/components/RelativeTime'
import { recordServerTime } from '#/renderer/lib/core/clock-store'
import { show } from '#tests/renderer/dom'

const TRUE_TIME = Date.parse('2026-11-26T12:00:00Z')
const HOUR = 3_600_000

const answeredAt = (ms: number) => new Response('[]', { headers: { date: new Date(ms).toUTCString() } })

afterEach(() => {
  recordServerTime(answeredAt(Date.now()))
  vi.useRealTimers()
})

test.each([
  ['two hours ahead', 2 * HOUR],
  ['a day ahead', 24 * HOUR],
  ['two hours behind', -2 * HOUR],
  ['a day behind', -24 * HOUR],
])('ACC-05 relative times are right as soon as a response shows that the clock is %s', (_, wrongBy) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(TRUE_TIME + wrongBy)
  recordServerTime(answeredAt(TRUE_TIME))
  const shown = (age: number) =>
    show(<RelativeTime at={new Date(TRUE_TIME - age).toISOString()} />).container.textContent
  expect(shown(20_000)).toBe('just now')
  expect(shown(3 * HOUR)).toBe('3 hours ago')
})
