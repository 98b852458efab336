import bcrypt from 'bcryptjs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { computeHash, type HashTask } from '#/backend/database/password-hashes'
import { median } from '#tests/backend/support/median'
import { type Member, signUp, visitor } from '#tests/backend/support/members'
import { ownProcessorMs } from '#tests/backend/support/processor-time'
import { startServer, type TestServer } from '#tests/backend/support/server'

/** High enough for the hash to dominate a sign-in. */
const COST = 8

let server: TestServer
let known: Member
let emails: Record<'known' | 'unknown' | 'without a password', string>
/** The hashes that requests needed, computed when the gate opens. */
const tasks: HashTask[] = []
let gate: Promise<void> = Promise.resolve()

beforeAll(async () => {
  vi.stubEnv('LITE_AUTH_BCRYPT_COST', String(COST))
  server = await startServer('pglite', async (task) => {
    tasks.push(task)
    await gate
    return computeHash(task)
  })
  known = await signUp(server, 'ada')
  const invited = await signUp(server, 'ben')
  await server.query`update auth.users set encrypted_password = null where id = ${invited.id}`
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
  const responses: unknown[] = []
  for (const email of [...Object.values(emails), emails.known.toUpperCase()]) {
    tasks.length = 0
    const { status, text } = await signIn(email)
    responses.push([status, text])
    const costs = tasks.map((task) => task.kind === 'compare' && bcrypt.getRounds(task.hash))
    expect([email, costs]).toEqual([email, [COST]])
  }
  expect(responses).toEqual(Array(4).fill([400, expect.stringContaining('invalid_credentials')]))
  expect(new Set(responses.map(String)).size).toBe(1)
})

test('a sign-in takes about the same processor time for known and unknown addresses', async () => {
  const knownMs: number[] = []
  const unknownMs: number[] = []
  // Fewer attempts than the limit.
  for (let count = 0; count < 7; count += 1) {
    knownMs.push((await signIn(emails.known)).ms)
    unknownMs.push((await signIn(emails.unknown)).ms)
  }
  const ratio = median(knownMs) / median(unknownMs)
  expect(ratio).toBeGreaterThan(0.6)
  expect(ratio).toBeLessThan(1.7)
})

test.each<[string, number, () => PromiseLike<{ error: unknown }>]>([
  ['sign-in', 1, () => visitor(server).auth.signInWithPassword(known)],
  ['sign-up', 1, () => visitor(server).auth.signUp({ email: 'cleo@example.com', password: known.password })],
  ['new password', 2, () => known.client.auth.updateUser({ password: 'another passphrase' })],
])('a %s leaves the database to others while its hash is computed', async (_name, count, send) => {
  tasks.length = 0
  let open = () => {}
  gate = new Promise((resolve) => {
    open = resolve
  })
  const sent = send()
  await vi.waitFor(() => expect(tasks).toHaveLength(1))
  expect(await server.query('select 1 as one')).toEqual([{ one: 1 }])
  expect((await known.client.from('profiles').select('id').eq('id', known.id)).data).toHaveLength(1)
  open()
  expect((await sent).error).toBeNull()
  expect(tasks).toHaveLength(count)
})

test('stores a new password as a hash of the same cost, with which the member signs in', async () => {
  const [row] = await server.query`select encrypted_password from auth.users where id = ${known.id}`
  expect(bcrypt.getRounds(String(row?.encrypted_password))).toBe(COST)
  const { error } = await visitor(server).auth.signInWithPassword({
    email: known.email,
    password: 'another passphrase',
  })
  expect(error).toBeNull()
})
