import bcrypt from 'bcryptjs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { median } from '#tests/backend/support/median'
import { signUp } from '#tests/backend/support/members'
import { ownProcessorMs } from '#tests/backend/support/processor-time'
import { startServer, type TestServer } from '#tests/backend/support/server'

/** High enough for the hash to dominate a sign-in. */
const COST = 8

let server: TestServer
let emails: Record<'known' | 'unknown' | 'without a password', string>

beforeAll(async () => {
  vi.stubEnv('LITE_AUTH_BCRYPT_COST', String(COST))
  server = await startServer('pglite')
  const known = await signUp(server, 'ada')
  const invited = await signUp(server, 'ben')
  await server.query('update auth.users set encrypted_password = null where id = $1', [invited.id])
  emails = {
    known: known.email,
    unknown: 'nobody@example.com',
    'without a password': invited.email,
  }
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await server.close()
})

/** Signs in with a wrong password; returns the response and the processor time it took, in ms. */
async function signIn(email: string) {
  const start = ownProcessorMs()
  const answer = await server.fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: server.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'a wrong password' }),
  })
  const text = await answer.text()
  return { status: answer.status, text, ms: ownProcessorMs() - start }
}

test('a sign-in computes one hash of the same cost and gets the same response for every address', async () => {
  const compare = vi.spyOn(bcrypt, 'compare')
  const responses: unknown[] = []
  for (const email of [...Object.values(emails), emails.known.toUpperCase()]) {
    compare.mockClear()
    const { status, text } = await signIn(email)
    responses.push([status, text])
    expect([email, compare.mock.calls.map(([, hash]) => bcrypt.getRounds(hash))]).toEqual([email, [COST]])
    expect(await compare.mock.results[0]?.value).toBe(false)
  }
  compare.mockRestore()
  expect(responses).toEqual(Array(4).fill([400, expect.stringContaining('invalid_credentials')]))
  expect(new Set(responses.map(String)).size).toBe(1)
})

test('a sign-in takes about the same processor time for known and unknown addresses', async () => {
  const known: number[] = []
  const unknown: number[] = []
  // Fewer attempts than the limit.
  for (let count = 0; count < 7; count += 1) {
    known.push((await signIn(emails.known)).ms)
    unknown.push((await signIn(emails.unknown)).ms)
  }
  const ratio = median(known) / median(unknown)
  expect(ratio).toBeGreaterThan(0.6)
  expect(ratio).toBeLessThan(1.7)
})
