import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createLinkTokens } from '#/backend/objects/link-tokens'

const KEY = randomBytes(32)
const READER = { member: randomUUID(), session: randomUUID() }
const NAME = 'media/ada/1.webp'
/** Ten past nine, in ms. */
const NOW = Date.UTC(2026, 10, 22, 9, 10)
const MINUTE = 60_000

const at = (now: number, key: Uint8Array = KEY) => createLinkTokens(key, () => now)
const token = at(NOW).sign(READER, NAME, 3_600)

test('a token is valid for its object until the last half hour within an hour', () => {
  expect(at(NOW).verify(token, NAME)).toEqual(READER)
  expect(at(NOW + 50 * MINUTE - 1).verify(token, NAME)).toEqual(READER)
  expect(at(NOW + 50 * MINUTE).verify(token, NAME)).toBeNull()
  expect(at(NOW).verify(token, 'media/ada/2.webp')).toBeNull()
})

test('tokens of the same half hour are equal, and none lives longer than an hour', () => {
  expect(at(NOW + 19 * MINUTE).sign(READER, NAME, 3_600)).toBe(token)
  expect(at(NOW).sign(READER, NAME, 86_400)).toBe(token)
  expect(at(NOW + 20 * MINUTE).sign(READER, NAME, 3_600)).not.toBe(token)
  for (let minute = 0; minute < 60; minute += 1) {
    const now = NOW + minute * MINUTE
    const signed = at(now).sign(READER, NAME, 3_600)
    expect(at(now + 30 * MINUTE - 1).verify(signed, NAME)).toEqual(READER)
    expect(at(now + 60 * MINUTE).verify(signed, NAME)).toBeNull()
  }
})

test('a shorter life is exact', () => {
  const short = at(NOW).sign(READER, NAME, 60)
  expect(at(NOW + MINUTE - 1).verify(short, NAME)).toEqual(READER)
  expect(at(NOW + MINUTE).verify(short, NAME)).toBeNull()
})

test('tokens of readers, sessions and keys differ', () => {
  const others = [
    at(NOW).sign({ ...READER, member: randomUUID() }, NAME, 3_600),
    at(NOW).sign({ ...READER, session: randomUUID() }, NAME, 3_600),
    at(NOW, randomBytes(32)).sign(READER, NAME, 3_600),
  ]
  expect(new Set([token, ...others]).size).toBe(4)
  expect(at(NOW).verify(others[2] ?? '', NAME)).toBeNull()
})

test('a changed token is invalid, wherever it was changed', () => {
  for (let index = 0; index < token.length; index += 1) {
    const other = token[index] === 'A' ? 'B' : 'A'
    expect(at(NOW).verify(token.slice(0, index) + other + token.slice(index + 1), NAME)).toBeNull()
    expect(at(NOW).verify(token.slice(0, index), NAME)).toBeNull()
  }
  const [header = '', payload = '', signature = ''] = token.split('.')
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
  const odd = [
    `${token}A`,
    `${token}=`,
    `${token}.`,
    `.${token}`,
    ` ${token}`,
    `${none}.${payload}.`,
    `${header}..${signature}`,
  ]
  for (const text of [...odd, '', '..', 'x'.repeat(100_000)]) expect(at(NOW).verify(text, NAME)).toBeNull()
})

test('a token that names no member is invalid, even with the right signature', () => {
  for (const reader of [
    { ...READER, member: "' or true--" },
    { ...READER, session: '\0' },
  ]) {
    expect(at(NOW).verify(at(NOW).sign(reader, NAME, 60), NAME)).toBeNull()
  }
})
