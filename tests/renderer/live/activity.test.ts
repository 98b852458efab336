import { expect, test } from 'vitest'
import { activityText } from '#/renderer/lib/live/activity'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const ago = (seconds: number) => activityText(new Date(NOW - seconds * 1_000).toISOString(), NOW)

test('SET-05 says how long ago a member was active, as long as it says something', () => {
  expect(ago(0)).toBe('Active now')
  expect(ago(179)).toBe('Active now')
  expect(ago(180)).toBe('Active 3m ago')
  expect(ago(59 * 60 + 59)).toBe('Active 59m ago')
  expect(ago(3_600)).toBe('Active 1h ago')
  expect(ago(86_400)).toBe('Active 1d ago')
  expect(ago(6 * 86_400)).toBe('Active 6d ago')
  expect(ago(7 * 86_400)).toBeNull()
  expect(activityText(undefined, NOW)).toBeNull()
})

test('SET-05 a clock that is behind the server makes nobody active in the future', () => {
  expect(ago(-90)).toBe('Active now')
})
