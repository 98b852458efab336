import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import bcrypt from 'bcryptjs'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Backend } from '#/backend/start/start-backend'
import {
  clientOf,
  discard,
  PASSWORD,
  signUpMember,
  startUnmanagedBackend,
} from '#tests/backend/support/backend'
import { median } from '#tests/backend/support/median'
import { copyPreparedDatabase } from '#tests/backend/support/prepared'
import { processorMsOf } from '#tests/backend/support/processor-time'
import { type RawRequest, requestText } from './raw-request'

/** Keeps a request in flight on each connection until the end of the test. */
async function startFlood(backend: Backend, count: number, requestOf: (connection: number) => RawRequest) {
  let answered = 0
  const open = async (connection: number) => {
    const text = requestText(backend, requestOf(connection))
    const socket = connect(backend.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      const responses = String(data).split('HTTP/1.1 ').length - 1
      answered += responses
      socket.write(text.repeat(responses))
    })
    await once(socket, 'connect')
    socket.write(text)
  }
  await Promise.all(Array.from({ length: count }, (_, connection) => open(connection)))
  return { answered: () => answered }
}

const FLOODS: Record<string, (token: string, connection: number) => RawRequest> = {
  'auth calls of a member': (token) => ({
    method: 'GET',
    path: '/auth/v1/user',
    headers: { authorization: `Bearer ${token}` },
  }),
  'reads of a member': (token) => ({
    method: 'GET',
    path: '/rest/v1/posts?select=id',
    headers: { authorization: `Bearer ${token}` },
  }),
  'sign-ins of a stranger': (_, connection) => ({
    method: 'POST',
    path: '/auth/v1/token?grant_type=password',
    body: { email: `nobody${connection}@example.com`, password: PASSWORD },
  }),
}

const folder = await mkdtemp(join(tmpdir(), 'vignette-floods-'))
await copyPreparedDatabase(folder)
const backend = await startUnmanagedBackend(folder)
afterAll(async () => {
  await discard(backend)
  await rm(folder, { recursive: true, force: true })
})
const ada = await signUpMember(backend, 'ada')
const ben = await signUpMember(backend, 'ben')

/** Measures how long another member and the snapshot wait, in ms of processor time. */
async function measureDelays(rounds: number) {
  const delays = { read: [] as number[], auth: [] as number[], snapshot: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    delays.read.push(await processorMsOf(() => ben.client.from('posts').select('id').throwOnError()))
    delays.auth.push(await processorMsOf(() => ben.client.auth.getUser()))
    delays.snapshot.push(await processorMsOf(() => backend.exclusive(async () => undefined)))
  }
  return delays
}

test.each(Object.entries(FLOODS))(
  '%s on 110 connections delay other members and the snapshot little',
  async (_name, requestOf) => {
    const { data } = await ada.client.auth.getSession()
    await measureDelays(3)
    const idle = await measureDelays(5)
    const { answered } = await startFlood(backend, 110, (connection) =>
      requestOf(data.session?.access_token ?? '', connection),
    )
    await vi.waitFor(() => expect(answered()).toBeGreaterThan(0))
    const flooded = await measureDelays(7)
    // Without turns, each request waits for the 110 before it.
    const limit = 100 + 10 * median([...idle.read, ...idle.auth])
    for (const delays of Object.values(flooded)) {
      expect(median(delays)).toBeLessThan(limit)
      // Ignores one outlier: the test process, which also runs the flood, may pause.
      expect(delays.toSorted((a, b) => a - b).at(-2)).toBeLessThan(2_000)
    }
  },
)

/** Floods with requests that the server refuses. Returns how many refusals come before the end of a call, as a median. */
async function refusalsDuring(
  call: () => PromiseLike<unknown>,
  requestOf: () => RawRequest,
): Promise<number> {
  const { answered } = await startFlood(backend, 110, requestOf)
  await vi.waitFor(() => expect(answered()).toBeGreaterThan(110), { timeout: 60_000 })
  const waitedFor: number[] = []
  for (let round = 0; round < 7; round += 1) {
    const before = answered()
    await call()
    waitedFor.push(answered() - before)
  }
  return median(waitedFor)
}

/** Requests as expensive as the limits allow, which are refused before the database is asked. */
const REFUSED: Record<string, { tags: string[]; requestOf: (token: string) => RawRequest }> = {
  'names of the wrong type': {
    tags: [],
    requestOf: (token) => ({
      method: 'POST',
      path: '/storage/v1/object/sign/media',
      headers: { authorization: `Bearer ${token}` },
      body: { expiresIn: 60, paths: Array(1_000).fill(0) },
    }),
  },
  'arguments of an account': {
    tags: ['long'],
    requestOf: () => ({
      method: 'POST',
      path: '/auth/v1/signup',
      text: `{"data":${'['.repeat(7_900)}${']'.repeat(7_900)},"email":0}`,
    }),
  },
}

for (const [name, { tags, requestOf }] of Object.entries(REFUSED))
  test(`a member waits for few of the refusals of another caller who sends too many ${name} on 110 connections`, {
    tags,
  }, async () => {
    const { data } = await ada.client.auth.getSession()
    const read = () => ben.client.from('posts').select('id').throwOnError()
    const waitedFor = await refusalsDuring(read, () => requestOf(data.session?.access_token ?? ''))
    // Without turns, half of all connections are answered first, and more.
    expect(waitedFor).toBeLessThan(30)
  })

test('a renewal waits for few of the refusals of strangers who send too many filters on 110 connections', async () => {
  const filters = Array.from({ length: 2_400 }, (_, number) => `a${number.toString(36)}=eq.`).join('&')
  const renew = () => ben.client.auth.refreshSession()
  const waitedFor = await refusalsDuring(renew, () => ({ path: `/rest/v1/posts?${filters}` }))
  // Some hops of a renewal last as long as a refusal or two.
  expect(waitedFor).toBeLessThan(110)
})

test('rejects bodies in chunks of one byte, which hardly delay other members', async () => {
  const head = `POST /rest/v1/stories HTTP/1.1\r\nhost: 127.0.0.1:${backend.port}\r\ntransfer-encoding: chunked\r\n\r\n`
  const sockets = Array.from({ length: 30 }, () => connect(backend.port, '127.0.0.1'))
  const answers = sockets.map(async (socket) => {
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    const answer = once(socket, 'data')
    socket.write(head + '1\r\n \r\n'.repeat(20_000))
    return String((await answer)[0]).split('\r\n', 1)[0]
  })
  const { read } = await measureDelays(3)
  expect(Math.max(...read)).toBeLessThan(2_000)
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 411 Length Required']))
})

test('sign-ins with made-up e-mails hardly delay members who sign in at the same address', async () => {
  const { answered } = await startFlood(backend, 100, (connection) => ({
    method: 'POST',
    path: '/auth/v1/token?grant_type=password',
    body: { email: `stranger${connection}@example.com`, password: PASSWORD },
  }))
  await pause(500)
  for (const { email } of [ada, ben, ada]) {
    const ms = await processorMsOf(async () => {
      const { error } = await clientOf(backend).auth.signInWithPassword({ email, password: PASSWORD })
      expect(error).toBeNull()
    })
    expect(ms).toBeLessThan(2_000)
  }
  expect(answered()).toBeGreaterThan(0)
})

test('reads of another member come between the turns of a sign-in while its password is hashed', async () => {
  // Takes much longer than the three reads.
  const hash = bcrypt.hashSync(PASSWORD, 12)
  await backend.exclusive(() =>
    backend.pg.query('update auth.users set encrypted_password = $2 where id = $1', [ada.id, hash]),
  )
  let isSignedIn = false
  const signedIn = clientOf(backend)
    .auth.signInWithPassword({ email: ada.email, password: PASSWORD })
    .then(({ error }) => {
      isSignedIn = true
      expect(error).toBeNull()
    })
  for (let read = 0; read < 3; read += 1) await ben.client.from('posts').select('id').throwOnError()
  expect(isSignedIn).toBe(false)
  await signedIn
})
