import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createConnectionShares } from '#/backend/http/connection-shares'
import type { Backend } from '#/backend/start-backend'
import {
  clientOf,
  discard,
  PASSWORD,
  signUpMember,
  startUnmanagedBackend,
} from '#tests/backend/support/backend'
import { copyPreparedDatabase } from '#tests/backend/support/prepared'
import { requestText } from './raw-request'

let backend: Backend
let dispose: () => Promise<void>
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'vignette-test-'))
  await copyPreparedDatabase(dataDir)
  backend = await startUnmanagedBackend(dataDir)
  dispose = async () => {
    await discard(backend)
    await rm(dataDir, { recursive: true, force: true })
  }
})
afterAll(() => dispose())

test('closes the oldest connection of strangers when they exceed their share', () => {
  const shares = createConnectionShares({ total: 10, ofStrangers: 2, perMember: 2 })
  const evicted: number[] = []
  const admit = (id: number) => shares.admit(() => evicted.push(id))
  admit(1)
  admit(2)
  expect(evicted).toEqual([])
  const last = admit(3)
  admit(4)
  expect(evicted).toEqual([1, 2])
  last?.free()
  last?.free()
  admit(5)
  expect(evicted).toEqual([1, 2])
})

test('the connections of a member do not count for strangers, and cannot be evicted', () => {
  const shares = createConnectionShares({ total: 10, ofStrangers: 1, perMember: 2 })
  const evicted: number[] = []
  const admit = (id: number) => shares.admit(() => evicted.push(id))
  expect([1, 2, 3].map((id) => admit(id)?.identify('ada'))).toEqual([true, true, false])
  const fourth = admit(4)
  expect(evicted).toEqual([3])
  expect([fourth?.identify('ben'), fourth?.identify('ben'), fourth?.identify('ada')]).toEqual([
    true,
    true,
    false,
  ])
})

test('a connection whose session has ended counts for strangers again, and is closed if they have their share', () => {
  const shares = createConnectionShares({ total: 10, ofStrangers: 1, perMember: 2 })
  const evicted: number[] = []
  const admit = (id: number) => shares.admit(() => evicted.push(id))
  const [first, second] = [admit(1), admit(2)]
  expect(evicted).toEqual([1])
  expect(second?.identify('ada')).toBe(true)
  const third = admit(3)
  third?.identify('ada')
  expect(admit(4)?.identify('ada')).toBe(false)
  second?.forget()
  third?.forget()
  first?.forget()
  expect(evicted).toEqual([1, 2, 3])
})

test('a full server accepts no connection', () => {
  const shares = createConnectionShares({ total: 2, ofStrangers: 1, perMember: 1 })
  const admit = () => shares.admit(() => undefined)
  const first = admit()
  expect(first?.identify('ada')).toBe(true)
  expect(admit()?.identify('ben')).toBe(true)
  expect(admit()).toBeNull()
  first?.free()
  expect(admit()).not.toBeNull()
})

test('a server listens on 127.0.0.1 only', async () => {
  const { port } = backend
  const other = connect({ port, host: '127.0.0.2', timeout: 2_000 })
  const outcome = await new Promise<string>((resolve) => {
    for (const event of ['connect', 'timeout', 'error']) other.once(event, () => resolve(event))
  })
  other.destroy()
  expect(['timeout', 'error']).toContain(outcome)
  await once(connect({ port, host: '127.0.0.1' }).unref(), 'connect')
})

/** Signs up a member and returns the access token. */
async function joinAs(username: string) {
  const { client, email } = await signUpMember(backend, username)
  const { data } = await client.auth.getSession()
  return { email, token: data.session?.access_token ?? '' }
}

interface RawSocket {
  socket: Socket
  text: string
}

/** Opens connections that send `text` and stay open. */
async function openSockets(count: number, text = ''): Promise<RawSocket[]> {
  const opened = Array.from({ length: count }, () => {
    const raw: RawSocket = {
      socket: connect({ port: backend.port, host: '127.0.0.1', allowHalfOpen: true }),
      text: '',
    }
    raw.socket.on('error', () => undefined)
    raw.socket.on('data', (data) => {
      raw.text += String(data)
    })
    onTestFinished(() => {
      raw.socket.destroy()
    })
    return raw
  })
  await Promise.all(opened.map(({ socket }) => once(socket, 'connect')))
  for (const { socket } of opened) socket.write(text)
  return opened
}

const readOwnPosts = (token: string) =>
  fetch(`${backend.url}/rest/v1/posts?select=id`, {
    headers: { apikey: backend.publishableKey, authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(10_000),
  })

test('400 silent connections are reduced to 200, and leave room for a member', async () => {
  const { token } = await joinAs('ada')
  const sockets = await openSockets(400)
  expect((await readOwnPosts(token)).status).toBe(200)
  const refused = () => sockets.filter(({ text }) => text.startsWith('HTTP/1.1 503')).length
  await vi.waitFor(() => expect(refused()).toBeGreaterThanOrEqual(200))
  expect(refused()).toBeLessThanOrEqual(202)
})

const readAs = (token: string) => ({
  path: '/rest/v1/posts?select=id',
  headers: { authorization: `Bearer ${token}` },
})

test('serves eight concurrent requests on a connection, and closes it on a ninth', async () => {
  const pipeline = (count: number) =>
    Array.from({ length: count }, (_, index) => requestText(backend, { path: `/nothing/${index}` })).join('')
  const [few] = await openSockets(1, pipeline(8))
  const [many] = await openSockets(1, pipeline(9))
  const answers = (raw: RawSocket | undefined) => raw?.text.split('HTTP/1.1 404').slice(1) ?? []
  await vi.waitFor(() => expect(answers(few)).toHaveLength(8))
  await vi.waitFor(() => expect(many?.socket.readableEnded || many?.socket.destroyed).toBe(true))
  expect(answers(many)).toHaveLength(0)
  few?.socket.write(pipeline(8))
  await vi.waitFor(() => expect(answers(few)).toHaveLength(16))
})

test('a member gets 503 for a request on one connection too many, and other members are served', async () => {
  const { token } = await joinAs('bea')
  const other = await signUpMember(backend, 'ben')
  const request = requestText(backend, readAs(token))
  const sockets = await openSockets(110, request)
  await vi.waitFor(() => expect(sockets.every(({ text }) => text.startsWith('HTTP/1.1 '))).toBe(true))
  const refused = sockets.filter(({ text }) => text.startsWith('HTTP/1.1 503'))
  expect(refused.length).toBeGreaterThanOrEqual(10)
  expect(refused.length).toBeLessThanOrEqual(11)
  expect(refused[0]?.text).toContain('You have too many connections to this server')
  expect((await other.client.from('posts').select('id')).error).toBeNull()
})

test('AUTH-16 connections of an ended session do not count for its member', async () => {
  const { email, token } = await joinAs('cleo')
  const account = { email, password: PASSWORD }
  const { data } = await clientOf(backend).auth.signInWithPassword(account)
  const own = requestText(backend, readAs(token))
  // The server waits for their bodies, so they stay open.
  const ended = readAs(data.session?.access_token ?? '')
  const headers = { ...ended.headers, 'content-length': '2' }
  const waiting = requestText(backend, { ...ended, method: 'POST', headers })
  const statusOfOwn = async () => {
    const [raw] = await openSockets(1, own)
    await vi.waitFor(() => expect(raw?.text).not.toBe(''))
    raw?.socket.destroy()
    return raw?.text.slice('HTTP/1.1 '.length).slice(0, 3)
  }
  await openSockets(100, waiting)
  await vi.waitFor(async () => expect(await statusOfOwn()).toBe('503'))

  await backend.exclusive(() =>
    backend.pg.query('delete from auth.sessions where id = $1', [
      decodeJwt(data.session?.access_token ?? '').session_id,
    ]),
  )
  expect(await statusOfOwn()).toBe('200')
  await openSockets(100, waiting)
  await fetch(`${backend.url}/nothing`)
  expect(await statusOfOwn()).toBe('200')
})

test('210 Realtime connections of a stranger leave room for a member', async () => {
  const { token } = await joinAs('dan')
  const codes: number[] = []
  const openLive = async () => {
    const url = `${backend.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${backend.publishableKey}&vsn=2.0.0`
    const socket = new WebSocket(url)
    onTestFinished(() => socket.terminate())
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    return socket
  }
  for (let count = 0; count < 210; count += 1) {
    const socket = await openLive()
    socket.on('close', (code) => codes.push(code))
  }
  await vi.waitFor(() => expect(codes).toEqual(Array(170).fill(1008)))
  const live = await openLive()
  live.send(JSON.stringify(['1', '1', 'realtime:room', 'phx_join', { config: {}, access_token: token }]))
  const [reply] = await new Promise<[unknown]>((resolve) => live.once('message', (data) => resolve([data])))
  expect(String(reply)).toContain('"status":"ok"')
})
