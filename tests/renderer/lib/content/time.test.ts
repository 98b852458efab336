import { describe, expect, test, vi } from 'vitest'
import {
  dateAndTime,
  dayName,
  elapsedTime,
  fullTime,
  isoDay,
  isSameDay,
  relativeTime,
  timeOfDay,
} from '#/renderer/lib/content/time'

const NOW = new Date(2026, 10, 21, 12, 0, 0).getTime()
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const since = (ms: number) => relativeTime(new Date(NOW - ms).toISOString(), NOW)

describe('FEED-03 the time of a post', () => {
  test.each([
    [0, 'just now'],
    [44 * SECOND, 'just now'],
    [60 * SECOND - 1, '59 seconds ago'],
    [60 * SECOND, '1 minute ago'],
    [3 * MINUTE, '3 minutes ago'],
    [HOUR, '1 hour ago'],
    [5 * HOUR, '5 hours ago'],
    [DAY, '1 day ago'],
    [6 * DAY, '6 days ago'],
    [7 * DAY, '14 November'],
    [400 * DAY, '17 October 2025'],
  ])('%i ms ago reads %s', (ms, words) => {
    expect(since(ms)).toBe(words)
  })

  test('a time in the future is shown as just now', () => {
    expect(since(-5 * MINUTE)).toBe('just now')
  })

  test('the full date and time', () => {
    expect(fullTime(new Date(NOW).toISOString())).toContain('21 November 2026')
  })
})

test.each([
  ['en-US', '12:00 PM'],
  ['de-DE', '12:00'],
])('the time of day follows the locale %s', (locale, words) => {
  expect(timeOfDay(NOW, locale)).toBe(words)
  expect(fullTime(new Date(NOW).toISOString(), locale)).toBe(`Saturday, 21 November 2026 ${words}`)
})

test('the locale is asked once, and not for each time that a conversation shows', () => {
  fullTime(new Date(NOW).toISOString())
  const asked = vi.spyOn(Intl, 'DateTimeFormat')
  for (let minute = 0; minute < 60; minute += 1) fullTime(new Date(NOW + minute * MINUTE).toISOString())
  expect(asked).not.toHaveBeenCalled()
})

test.each([
  [-5 * MINUTE, 'less than a minute'],
  [59 * SECOND, 'less than a minute'],
  [119 * SECOND, '1 minute'],
  [59 * MINUTE, '59 minutes'],
  [3 * HOUR - SECOND, '2 hours'],
  [DAY, '1 day'],
  [8 * DAY, '8 days'],
  [30 * DAY, '1 month'],
  [729 * DAY, '1 year'],
])('MSG-03 the age of a message sent %i ms ago is %s', (ms, words) => {
  expect(elapsedTime(new Date(NOW - ms).toISOString(), NOW)).toBe(words)
})

test.each([
  [0, 'Today'],
  [-DAY, 'Today'],
  [DAY, 'Yesterday'],
  [2 * DAY, 'Thursday'],
  [6 * DAY, 'Sunday'],
  [7 * DAY, '14 November'],
  [400 * DAY, '17 October 2025'],
])('MSG-03 messages from %i ms ago are listed under %s', (ms, name) => {
  expect(dayName(new Date(NOW - ms).toISOString(), NOW)).toBe(name)
})

test('two times are on the same day in local time', () => {
  const at = (hours: number) => new Date(2026, 10, 21, hours).toISOString()
  expect(isSameDay(at(0), at(23))).toBe(true)
  expect(isSameDay(at(23), at(24))).toBe(false)
})

test('the times of a download are absolute', () => {
  expect(dateAndTime(new Date(2026, 2, 5, 0, 5).toISOString())).toBe('5 March 2026, 00:05')
  expect(isoDay(new Date(2026, 2, 5, 0, 5))).toBe('2026-03-05')
})
