import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRateLimiter } from '#/main/rate-limit'

test('allows a burst, then one call per interval; saves up no more than one burst', () => {
  let time = 0
  const limiter = createRateLimiter({ calls: 2, everyMs: 100 }, () => time)
  const at = (when: number) => {
    time = when
    return limiter.take()
  }
  expect([at(0), at(0), at(0), at(99)]).toEqual([true, true, false, false])
  expect([at(100), at(199), at(200)]).toEqual([true, false, true])
  expect([at(5_000), at(5_000), at(5_000)]).toEqual([true, true, false])
})

test('returns the time until the next allowed call', () => {
  let time = 0
  const limiter = createRateLimiter({ calls: 1, everyMs: 100 }, () => time)
  expect(limiter.wait()).toBe(0)
  limiter.take()
  time = 30
  expect(limiter.wait()).toBe(70)
  time = 100
  expect(limiter.wait()).toBe(0)
})

test('never exceeds the limit in any interval', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 300 })),
      fc.integer({ min: 1, max: 5 }),
      (pauses, calls) => {
        let time = 0
        const limiter = createRateLimiter({ calls, everyMs: 100 }, () => time)
        const taken: number[] = []
        for (const pause of pauses) {
          time += pause
          if (limiter.take()) taken.push(time)
        }
        for (const from of taken) {
          const within = taken.filter((when) => when >= from && when < from + 1_000).length
          expect(within).toBeLessThanOrEqual(calls + 10)
        }
      },
    ),
  )
})
