import { randomUUID } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { startHttpHost, type WebSocketCaller } from '#/backend/http/http-host'
import type { Backend } from '#/backend/start/start-backend'
import {
  clientOf,
  discard,
  PASSWORD,
  signUpMember,
  startUnmanagedBackend,
} from '#tests/backend/support/backend'
import { copyPreparedDatabase } from '#tests/backend/support/prepared'
import { gate } from '#tests/gate'
import { photo } from '#tests/renderer/lib/media/files'
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
async function openSockets(count: number, text = '', port = backend.port): Promise<RawSocket[]> {
  const opened = Array.from({ length: count }, () => {
    const raw: RawSocket = {
      socket: connect({ port, host: '127.0.0.1', allowHalfOpen: true }),
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

const openOf = (sockets: readonly RawSocket[]) => sockets.filter(({ socket }) => !socket.readableEnded)

test('400 silent connections are reduced to 128, and leave room for a member', async () => {
  const { token } = await joinAs('ada')
  const sockets = await openSockets(400)
  expect((await readOwnPosts(token)).status).toBe(200)
  await vi.waitFor(() => expect(openOf(sockets).length).toBeLessThanOrEqual(128))
  expect(openOf(sockets).length).toBeGreaterThan(120)
})

const readAs = (token: string) => ({
  path: '/rest/v1/posts?select=id',
  headers: { authorization: `Bearer ${token}` },
})

test('a connection has one request at a time: a second one before the response closes it', async () => {
  const text = requestText(backend, { path: '/nothing' })
  const [one] = await openSockets(1, text)
  for (const count of [1, 2, 3]) {
    await vi.waitFor(() => expect(one?.text.split('HTTP/1.1 404')).toHaveLength(count + 1))
    one?.socket.write(text)
  }
  const [two] = await openSockets(1, text + text)
  await vi.waitFor(() => expect(two?.socket.readableEnded || two?.socket.destroyed).toBe(true))
  expect(two?.text).toBe('')
})

test.each(['host: 127.0.0.1', 'x: without a host', 'host: 127.0.0.1\r\nexpect: nothing'])(
  'the server reads one of a thousand requests that arrive together: "%s"',
  async (header) => {
    let read = 0
    const count = () => (read += 1)
    subscribe('http.server.request.start', count)
    onTestFinished(() => void unsubscribe('http.server.request.start', count))
    const [flood] = await openSockets(1, `GET /nothing HTTP/1.1\r\n${header}\r\n\r\n`.repeat(1_000))
    await vi.waitFor(() => expect(flood?.socket.readableEnded || flood?.socket.destroyed).toBe(true))
    expect(read).toBe(1)
  },
)

test.each([
  ['GET', 'content-length: 900000000000'],
  ['POST', 'content-length: 900000000000'],
])('the server closes the connection after its answer to %s with "%s"', async (method, header) => {
  const request = `${method} /storage/v1/x HTTP/1.1\r\nhost: 127.0.0.1\r\n${header}\r\n\r\n`
  const [one] = await openSockets(1, request)
  await vi.waitFor(() => expect(one?.socket.readableEnded || one?.socket.destroyed).toBe(true))
  expect(one?.text).toMatch(/^HTTP\/1\.1 4\d\d /)
})

test('a request may follow as soon as its client has read the response before, also of a file', async () => {
  const { client, email } = await signUpMember(backend, 'fay')
  const { data } = await client.auth.signInWithPassword({ email, password: PASSWORD })
  const authorization = `Bearer ${data.session?.access_token}`
  const key = `${data.user?.id}/${randomUUID()}.webp`
  const stored = await fetch(`${backend.url}/storage/v1/object/media/${key}`, {
    method: 'POST',
    headers: { apikey: backend.publishableKey, authorization, 'content-type': 'image/webp' },
    body: photo('lossy.webp'),
  })
  expect(stored.status).toBe(200)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const { port } = backend
  const read = () =>
    new Promise((resolve, reject) => {
      const path = `/storage/v1/object/authenticated/media/${key}`
      const sent = get({ agent, host: '127.0.0.1', port, path, headers: { authorization } }, (answer) =>
        answer.resume().on('end', () => resolve(answer.statusCode)),
      )
      sent.on('error', reject)
    })
  for (let count = 0; count < 200; count += 1) expect(await read()).toBe(200)
})

test.each(['Bearer token', 'Bearer  token ', 'Bearer \ttoken', 'Bearer \u00a0token\u00a0'])(
  'a token counts for its member in each spelling that lite accepts: %j',
  async (authorization) => {
    const host = await startHttpHost({
      port: 0,
      access: { allowedOrigins: [], allowsLoopbackOrigins: false },
      handle: async (_, { member }) => Response.json(member),
      upgrades: new Map(),
      memberOf: async (token) => (token === 'token' ? { member: 'ada', session: undefined } : null),
      onError: () => undefined,
    })
    onTestFinished(() => host.close())
    const sent = get({ host: '127.0.0.1', port: host.port, headers: { authorization } })
    const [answer] = await once(sent, 'response')
    expect((await answer.toArray()).join('')).toBe('"ada"')
  },
)

test('a body in chunks closes the connection, without a refusal, while the response before is being sent', async () => {
  const { opened: finished, open: finish } = gate()
  const host = await startHttpHost({
    port: 0,
    access: { allowedOrigins: [], allowsLoopbackOrigins: false },
    handle: async () => {
      const parts = async function* () {
        yield new TextEncoder().encode('first')
        await finished
      }
      return new Response(Readable.toWeb(Readable.from(parts())) as ReadableStream, {
        headers: { 'content-length': '400' },
      })
    },
    upgrades: new Map(),
    memberOf: async () => null,
    onError: () => undefined,
  })
  onTestFinished(async () => {
    finish()
    await host.close()
  })
  const [one] = await openSockets(1, `GET / HTTP/1.1\r\nhost: 127.0.0.1:${host.port}\r\n\r\n`, host.port)
  await vi.waitFor(() => expect(one?.text).toMatch(/first$/))
  one?.socket.write('POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n')
  await vi.waitFor(() => expect(one?.socket.readableEnded || one?.socket.destroyed).toBe(true))
  expect(one?.text).toMatch(/first$/)
})

test('a member with most connections loses the oldest of them, and others are served', async () => {
  const { token } = await joinAs('bea')
  const other = await joinAs('ben')
  const [kept] = await openSockets(1, requestText(backend, readAs(other.token)))
  await vi.waitFor(() => expect(kept?.text).toContain('HTTP/1.1 200'))
  const sockets: RawSocket[] = []
  for (let group = 0; group < 5; group += 1) {
    const opened = await openSockets(50, requestText(backend, readAs(token)))
    await vi.waitFor(() => expect(opened.every(({ text }) => text.startsWith('HTTP/1.1 200'))).toBe(true))
    sockets.push(...opened)
  }
  await vi.waitFor(() => expect(openOf(sockets).length).toBeLessThanOrEqual(136))
  expect(openOf(sockets.slice(-50))).toHaveLength(50)
  expect((await readOwnPosts(other.token)).status).toBe(200)
  expect(openOf([kept as RawSocket])).toHaveLength(1)
})

test('a thousand connections of hundreds of members close none that another member uses', async () => {
  const host = await startHttpHost({
    port: 0,
    access: { allowedOrigins: [], allowsLoopbackOrigins: false },
    handle: async (request) => new Response(await request.text()),
    upgrades: new Map([
      [
        '/live',
        (_request, socket, _head, { identify }) => {
          identify({ member: 'ada', session: undefined })
          socket.pipe(socket).write('live')
        },
      ],
    ]),
    memberOf: async (member) => ({ member, session: undefined }),
    onError: () => undefined,
  })
  onTestFinished(host.close)
  const send = async (member: string, count: number, first = 'GET / HTTP/1.1', rest = '') => {
    const lines = [first, `host: 127.0.0.1:${host.port}`, `authorization: Bearer ${member}`, rest]
    return openSockets(count, `${lines.join('\r\n')}\r\n\r\n`, host.port)
  }
  const [live] = await send('ada', 1, 'GET /live HTTP/1.1', 'connection: upgrade\r\nupgrade: websocket')
  const [upload] = await send('ada', 1, 'POST / HTTP/1.1', 'content-length: 4')
  const idle = await send('ada', 5)
  await vi.waitFor(() => expect([live, ...idle].every((raw) => raw?.text !== '')).toBe(true))
  for (let member = 0; member < 130; member += 1) await send(`${member}`, 1)
  expect(openOf(idle)).toHaveLength(5)
  for (let member = 200; member < 1_200; member += 1) await send(`${member}`, 1)
  upload?.socket.write('text')
  await vi.waitFor(() => expect(upload?.text).toMatch(/^HTTP\/1\.1 200 .*text$/s))
  expect(openOf([live as RawSocket])).toHaveLength(1)
})

test('what WebSockets send is parsed in turns of the callers: all strangers are one until a member is known', async () => {
  const callers: WebSocketCaller[] = []
  const host = await startHttpHost({
    port: 0,
    access: { allowedOrigins: [], allowsLoopbackOrigins: false },
    handle: async () => new Response(),
    upgrades: new Map([
      [
        '/live',
        (_request, socket, _head, caller) => {
          onTestFinished(() => void socket.destroy())
          callers.push(caller)
        },
      ],
    ]),
    memberOf: async () => null,
    onError: () => undefined,
  })
  onTestFinished(host.close)
  const lines = [
    `GET /live HTTP/1.1`,
    `host: 127.0.0.1:${host.port}`,
    'connection: upgrade',
    'upgrade: websocket',
  ]
  await openSockets(3, `${lines.join('\r\n')}\r\n\r\n`, host.port)
  await vi.waitFor(() => expect(callers).toHaveLength(3))
  const [one, two, ada] = callers
  ada?.identify({ member: 'ada', session: undefined })
  const order: string[] = []
  const work = [...Array(10).fill(one), ...Array(10).fill(two)].map((caller: WebSocketCaller) =>
    caller.parseInTurn(() => order.push('stranger')),
  )
  await Promise.all([...work, ada?.parseInTurn(() => order.push('member'))])
  expect(order.indexOf('member')).toBeLessThanOrEqual(1)
})

test('connections that wait for their client, for as long as it likes, close none that has just been opened or is being served', async () => {
  const { opened: served, open: finish } = gate()
  const host = await startHttpHost({
    port: 0,
    access: { allowedOrigins: [], allowsLoopbackOrigins: false },
    handle: async (request) => {
      if (request.url.endsWith('/slow')) await served
      return new Response(await request.text())
    },
    upgrades: new Map(),
    memberOf: async () => null,
    onError: () => undefined,
  })
  onTestFinished(host.close)
  const textOf = (first: string, ...lines: string[]) =>
    [`${first} HTTP/1.1`, `host: 127.0.0.1:${host.port}`, ...lines, '', ''].join('\r\n')
  const endless = textOf('POST /', 'content-length: 4')
  const [slow] = await openSockets(1, textOf('GET /slow'), host.port)
  await openSockets(130, endless, host.port)
  const [fresh] = await openSockets(1, '', host.port)
  await openSockets(60, endless, host.port)
  fresh?.socket.write(textOf('GET /'))
  await vi.waitFor(() => expect(fresh?.text).toMatch(/^HTTP\/1\.1 200 /))
  await openSockets(130, endless, host.port)
  finish()
  await vi.waitFor(() => expect(slow?.text).toMatch(/^HTTP\/1\.1 200 /))
})

test('AUTH-16 connections of an ended session do not count for its member', async () => {
  const { email, token } = await joinAs('cleo')
  const { data } = await clientOf(backend).auth.signInWithPassword({ email, password: PASSWORD })
  const stolen = data.session?.access_token ?? ''
  const [own] = await openSockets(1, requestText(backend, readAs(token)))
  await vi.waitFor(() => expect(own?.text).toContain('HTTP/1.1 200'))
  const ended = await openSockets(100, requestText(backend, readAs(stolen)))
  await vi.waitFor(() => expect(ended.every(({ text }) => text.startsWith('HTTP/1.1 200'))).toBe(true))
  await backend.exclusive(() =>
    backend.pg.query('delete from auth.sessions where id = $1', [decodeJwt(stolen).session_id]),
  )
  // The oldest of strangers go, and not the member's own, which is older than all of them.
  const silent = await openSockets(100)
  await vi.waitFor(() => expect(openOf([...ended, ...silent]).length).toBeLessThanOrEqual(128))
  expect(openOf([own as RawSocket])).toHaveLength(1)
  expect((await readOwnPosts(token)).status).toBe(200)
})

test('138 Realtime connections of a stranger leave room for a member', async () => {
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
  for (let count = 0; count < 138; count += 1) {
    const socket = await openLive()
    socket.on('close', (code) => codes.push(code))
  }
  await vi.waitFor(() => expect(codes.length).toBeGreaterThanOrEqual(10))
  expect(codes.length).toBeLessThan(20)
  const live = await openLive()
  live.send(JSON.stringify(['1', '1', 'realtime:room', 'phx_join', { config: {}, access_token: token }]))
  const [reply] = await new Promise<[unknown]>((resolve) => live.once('message', (data) => resolve([data])))
  expect(String(reply)).toContain('"status":"ok"')
})
