import { expect, test } from 'vitest'
import { createRateLimiter } from '#/backend/base/rate-limiter'

const LIMIT = { limit: 3, windowMs: 10_000 }

function startClock() {
  const clock = { now: 0 }
  return { clock, limiter: createRateLimiter(LIMIT, () => clock.now) }
}

const takeTimes = (limiter: ReturnType<typeof createRateLimiter>, times: number, key?: string) =>
  Array.from({ length: times }, () => limiter.take(key))

test('allows the limit in a window that starts with the first call, then returns the seconds to wait', () => {
  const { clock, limiter } = startClock()
  clock.now = 5_000
  expect(takeTimes(limiter, 3)).toEqual([0, 0, 0])
  clock.now = 8_500
  expect(limiter.take()).toBe(7)
  clock.now = 14_999
  expect(limiter.take()).toBe(1)
  clock.now = 15_000
  expect(takeTimes(limiter, 4)).toEqual([0, 0, 0, 10])
})

test('counts each key separately', () => {
  const { limiter } = startClock()
  takeTimes(limiter, 3, 'ada')
  expect(limiter.secondsToWait('ada')).toBe(10)
  expect(limiter.secondsToWait('bea')).toBe(0)
  expect(limiter.take('bea')).toBe(0)
})

test('does not count rejected calls and queries', () => {
  const { limiter } = startClock()
  for (let question = 0; question < 5; question += 1) limiter.secondsToWait()
  expect(takeTimes(limiter, 6)).toEqual([0, 0, 0, 10, 10, 10])
  limiter.undo()
  expect(takeTimes(limiter, 2)).toEqual([0, 10])
})

test('undo removes one call and stops at zero, reset removes all', () => {
  const { limiter } = startClock()
  limiter.undo('ada')
  limiter.take('ada')
  limiter.undo('ada')
  limiter.undo('ada')
  expect(takeTimes(limiter, 4, 'ada')).toEqual([0, 0, 0, 10])
  limiter.reset('ada')
  expect(takeTimes(limiter, 4, 'ada')).toEqual([0, 0, 0, 10])
})

test('a window without end lasts until reset', () => {
  const clock = { now: 0 }
  const limiter = createRateLimiter({ limit: 1, windowMs: Number.POSITIVE_INFINITY }, () => clock.now)
  limiter.take()
  clock.now = 1e15
  expect(limiter.take()).toBe(Number.POSITIVE_INFINITY)
  limiter.reset()
  expect(limiter.take()).toBe(0)
})

test('forgets the oldest of more than 20,000 keys', () => {
  const { limiter } = startClock()
  takeTimes(limiter, 3, 'first')
  for (let index = 0; index < 20_000; index += 1) limiter.take(`key ${index}`)
  expect(limiter.secondsToWait('first')).toBe(0)
})

test('undone calls do not evict other keys', () => {
  const { limiter } = startClock()
  takeTimes(limiter, 3, 'first')
  for (let index = 0; index < 20_000; index += 1) {
    limiter.take(`key ${index}`)
    limiter.undo(`key ${index}`)
  }
  expect(limiter.secondsToWait('first')).toBeGreaterThan(0)
})
