import { expect, test } from 'vitest'
import { createQueue } from '#/backend/base/queue'
import { createAuthHandler } from '#/backend/http/auth-handler'
import { createRecoveryLimit } from '#/backend/http/recovery-limit'
import { callerOf } from '#tests/backend/support/caller'

const ADA = 'ada@example.com'
const MINUTE = 60_000

test('AUTH-17 a code is mailed once a minute and ten times an hour', () => {
  let now = 0
  const limit = createRecoveryLimit(() => now)
  expect(limit.beginMail(ADA)).toBe(0)
  now = 20_000
  expect(limit.beginMail(ADA)).toBe(40)
  expect(limit.beginMail('bea@example.com')).toBe(0)
  for (let mail = 1; mail < 10; mail += 1) {
    now = mail * MINUTE
    expect(limit.beginMail(ADA)).toBe(0)
  }
  now = 10 * MINUTE
  expect(limit.beginMail(ADA)).toBe(50 * 60)
  now = 60 * MINUTE
  expect(limit.beginMail(ADA)).toBe(0)
})

test('AUTH-17 a mail that was not sent does not count', () => {
  const limit = createRecoveryLimit(() => 0)
  limit.beginMail(ADA)
  limit.undoMail(ADA)
  expect(limit.beginMail(ADA)).toBe(0)
})

test('AUTH-17 the tenth wrong code revokes the code, and a new code allows ten attempts again', () => {
  const limit = createRecoveryLimit(() => 0)
  const tries = (count: number) => Array.from({ length: count }, () => limit.wrongCode(ADA))
  expect(tries(9)).toEqual(Array(9).fill(false))
  expect(limit.wrongCode('bea@example.com')).toBe(false)
  expect(limit.wrongCode(ADA)).toBe(true)
  expect(tries(9)).toEqual(Array(9).fill(false))
  limit.newCode(ADA)
  expect(tries(10)).toEqual([...Array(9).fill(false), true])
})

test('AUTH-17 requests for made-up addresses do not reset the count of mailed codes', async () => {
  const handleAuth = createAuthHandler({
    sendToLite: async () => Response.json({}),
    exclusive: createQueue(),
    computeHash: async () => false,
    records: {
      isStale: async () => false,
      saveUserAgent: async () => undefined,
      forgetOldTokens: async () => undefined,
      findAccount: async (email) => (email === ADA ? 'ada' : null),
      findFormerAccount: async () => null,
      hasCode: async () => false,
      revokeCode: async () => undefined,
      setCode: async () => undefined,
      restoreEmail: async () => '',
      applyEmailChange: async () => null,
    },
    sendMail: async () => undefined,
    now: () => 0,
  })
  const url = new URL('http://127.0.0.1/auth/v1/recover')
  const request = new Request(url, { method: 'POST' })
  const recover = async (email: string) => {
    const body = new TextEncoder().encode(JSON.stringify({ email }))
    return (await handleAuth(request, url, body, callerOf()))?.status
  }
  expect(await recover(ADA)).toBe(200)
  expect(await recover(' ADA@Example.com ')).toBe(429)
  for (let index = 0; index <= 20_000; index += 1) await recover(`${index}@example.com`)
  expect(await recover(ADA)).toBe(429)
})
