import { expect, test } from 'vitest'
import { createSignInLimit, signInEmail } from '#/backend/http/sign-in-limit'

const ADA = 'ada@example.com'
const HERE = '127.0.0.1'

function failTimes(limit: ReturnType<typeof createSignInLimit>, times: number, email = ADA, address = HERE) {
  for (let count = 0; count < times; count += 1) limit.failed(email, address)
}

test('ten failures in a quarter of an hour are enough', () => {
  let now = 0
  const limit = createSignInLimit(() => now)
  failTimes(limit, 9)
  expect(limit.secondsToWait(ADA, HERE)).toBe(0)
  now = 60_000
  failTimes(limit, 1)
  expect(limit.secondsToWait(ADA, HERE)).toBe(14 * 60)
  now = 15 * 60_000
  expect(limit.secondsToWait(ADA, HERE)).toBe(0)
})

test('others at the same address, and the member elsewhere, are not kept waiting', () => {
  const limit = createSignInLimit(() => 0)
  failTimes(limit, 20)
  expect(limit.secondsToWait(' ADA@example.com ', HERE)).toBeGreaterThan(0)
  expect(limit.secondsToWait('bea@example.com', HERE)).toBe(0)
  expect(limit.secondsToWait(ADA, '192.168.0.2')).toBe(0)
})

test('a sign-in that works forgets the failures', () => {
  const limit = createSignInLimit(() => 0)
  failTimes(limit, 9)
  limit.succeeded(ADA, HERE)
  failTimes(limit, 9)
  expect(limit.secondsToWait(ADA, HERE)).toBe(0)
})

test('made-up addresses cannot fill the memory: the oldest are forgotten', () => {
  const limit = createSignInLimit(() => 0)
  failTimes(limit, 10)
  for (let index = 0; index < 10_000; index += 1) limit.failed(`${index}@example.com`, HERE)
  expect(limit.secondsToWait(ADA, HERE)).toBe(0)
})

test('only tries by password or code count', () => {
  const url = (path: string) => new URL(path, 'http://127.0.0.1')
  const body = JSON.stringify({ email: ADA })
  expect(signInEmail('POST', url('/auth/v1/token?grant_type=password'), body)).toBe(ADA)
  expect(signInEmail('POST', url('/auth/v1/verify'), body)).toBe(ADA)
  expect(signInEmail('POST', url('/auth/v1/token?grant_type=refresh_token'), body)).toBeNull()
  expect(signInEmail('POST', url('/auth/v1/signup'), body)).toBeNull()
  expect(signInEmail('GET', url('/auth/v1/verify'), body)).toBeNull()
  for (const broken of ['', '{', 'null', '[]', '{"email":1}']) {
    expect(signInEmail('POST', url('/auth/v1/verify'), broken)).toBeNull()
  }
})
