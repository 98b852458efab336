import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { orderStrip } from '#/renderer/features/stories/model'
import { recordServerTime, serverNow, toServerTime } from '#/renderer/lib/core/clock-store'
import { timedFetch } from '#/renderer/lib/server/timed-fetch'

const TRUE_TIME = Date.parse('2026-03-01T12:00:00Z')
const HOUR = 3_600_000

const answeredAt = (ms: number) => new Response('[]', { headers: { date: new Date(ms).toUTCString() } })

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))

afterEach(() => {
  vi.setSystemTime(TRUE_TIME)
  recordServerTime(answeredAt(TRUE_TIME))
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('STORY-02 stories expire by the server’s clock', () => {
  const story = {
    id: 'a',
    user_id: 'ada',
    created_at: new Date(TRUE_TIME - HOUR).toISOString(),
    expires_at: new Date(TRUE_TIME + 23 * HOUR).toISOString(),
    isSeen: false,
  }

  test.each([
    ['a day ahead', 24 * HOUR],
    ['right', 0],
    ['a day behind', -24 * HOUR],
  ])('with a clock that is %s', async (_, wrongBy) => {
    vi.setSystemTime(TRUE_TIME + wrongBy)
    vi.stubGlobal('fetch', async () => answeredAt(TRUE_TIME))
    await timedFetch(() => undefined)('http://127.0.0.1:1/rest/v1/stories')
    const strip = (now: number) => orderStrip([story], { me: 'me', muted: new Set(), now })
    expect(strip(serverNow())).toHaveLength(1)
    vi.setSystemTime(TRUE_TIME + wrongBy + 23 * HOUR)
    expect(strip(serverNow())).toEqual([])
  })

  test('ignores differences of seconds, and responses without a date', () => {
    vi.setSystemTime(TRUE_TIME)
    recordServerTime(answeredAt(TRUE_TIME - 8_000))
    expect(serverNow()).toBe(TRUE_TIME)
    recordServerTime(answeredAt(TRUE_TIME - HOUR))
    recordServerTime(new Response('[]'))
    // The last day that exists.
    recordServerTime(new Response('[]', { headers: { date: 'Sat, 13 Sep 275760 00:00:00 GMT' } }))
    expect(serverNow()).toBe(TRUE_TIME - HOUR)
  })

  test('ignores the dates of stored files, which may come from a cache', async () => {
    vi.setSystemTime(TRUE_TIME)
    vi.stubGlobal('fetch', async () => answeredAt(TRUE_TIME - 7 * 24 * HOUR))
    await timedFetch(() => undefined)('http://127.0.0.1:1/storage/v1/object/sign/media/a.jpg?token=b')
    expect(serverNow()).toBe(TRUE_TIME)
  })
})

describe('ACC-05 after a response, the server’s time is known', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] }))

  test.each([
    ['an hour ahead', HOUR],
    ['ten years behind', -87_600 * HOUR],
  ])('with a clock that is %s', async (_, wrongBy) => {
    vi.setSystemTime(TRUE_TIME + wrongBy)
    recordServerTime(answeredAt(TRUE_TIME))
    vi.advanceTimersByTime(HOUR)
    expect(serverNow()).toBe(TRUE_TIME + HOUR)
    expect(toServerTime(new Date().toISOString())).toBe(new Date(TRUE_TIME + HOUR).toISOString())
  })

  test('after the clock was set back', () => {
    vi.setSystemTime(TRUE_TIME)
    recordServerTime(answeredAt(TRUE_TIME))
    vi.advanceTimersByTime(HOUR)
    vi.setSystemTime(TRUE_TIME - 24 * HOUR)
    expect(serverNow()).toBe(TRUE_TIME + HOUR)
  })

  test('after a sleep, in which the monotonic clock may stop', () => {
    vi.setSystemTime(TRUE_TIME)
    recordServerTime(answeredAt(TRUE_TIME))
    vi.setSystemTime(TRUE_TIME + 8 * HOUR)
    expect(serverNow()).toBe(TRUE_TIME + 8 * HOUR)
  })
})
