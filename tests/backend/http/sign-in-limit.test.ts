import { expect, test } from 'vitest'
import { createSignInLimit } from '#/backend/http/sign-in-limit'

const ADA = 'ada@example.com'

function tryTimes(limit: ReturnType<typeof createSignInLimit>, times: number) {
  return Array.from({ length: times }, () => limit.begin(ADA))
}

test('blocks after ten failures in a quarter of an hour', () => {
  let now = 0
  const limit = createSignInLimit(() => now)
  expect(tryTimes(limit, 9)).toEqual(Array(9).fill(0))
  now = 60_000
  expect(tryTimes(limit, 2)).toEqual([0, 14 * 60])
  now = 15 * 60_000
  expect(limit.begin(ADA)).toBe(0)
})

test('does not block other members', () => {
  const limit = createSignInLimit(() => 0)
  tryTimes(limit, 20)
  expect(limit.begin(' ADA@example.com ')).toBeGreaterThan(0)
  expect(limit.begin('bea@example.com')).toBe(0)
})

test('a successful sign-in resets the failures, and an undecided one does not count', () => {
  const limit = createSignInLimit(() => 0)
  tryTimes(limit, 10)
  limit.succeeded(ADA)
  expect(tryTimes(limit, 10)).toEqual(Array(10).fill(0))
  limit.undecided(ADA)
  expect(limit.begin(ADA)).toBe(0)
  expect(limit.begin(ADA)).toBeGreaterThan(0)
})

test('forgets the oldest e-mails, so that made-up ones cannot fill the memory', () => {
  const limit = createSignInLimit(() => 0)
  tryTimes(limit, 10)
  for (let index = 0; index < 20_000; index += 1) limit.begin(`${index}@example.com`)
  expect(limit.begin(ADA)).toBe(0)
})
