import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FUNCTIONS, TABLES } from '#/backend/rest/rest-schema'
import type { Backend, BackendOptions } from '#/backend/start/start-backend'
import { createWebRoutes } from '#/backend/web/web-routes'
import { discard, type LogLines, signUpMember, startUnmanagedBackend } from '#tests/backend/support/backend'
import { copyPreparedDatabase } from '#tests/backend/support/prepared'

const SECRET = 'not for the web'

let folder: string
let backend: Backend
const lines: LogLines = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-odd-'))
  const [dataDir, rendererDir] = [join(folder, 'data'), join(folder, 'app')]
  await copyPreparedDatabase(dataDir)
  await mkdir(join(rendererDir, 'assets'), { recursive: true })
  await writeFile(join(folder, 'private.txt'), SECRET)
  await writeFile(join(rendererDir, 'index.html'), 'the app')
  const routes = createWebRoutes({ rendererDir, fixed: null })
  const extraRoutes = (
    ...[request, server, caller]: Parameters<NonNullable<BackendOptions['extraRoutes']>>
  ) => routes(request, server.port, server, caller)
  backend = await startUnmanagedBackend(dataDir, { extraRoutes }, lines)
})
afterAll(async () => {
  await discard(backend)
  await rm(folder, { recursive: true, force: true })
})

/** Sends a text and returns all received data until the server closes the connection. */
function send(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(backend.port, '127.0.0.1')
    let received = ''
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      received += String(data)
    })
    socket.on('close', () => resolve(received))
    socket.write(text)
  })
}

/** A request after which the connection is closed. */
function request(line: string, headers: readonly string[] = [], body = ''): string {
  const own = headers.some((header) => header.startsWith('Host:')) ? [] : [`Host: 127.0.0.1:${backend.port}`]
  return `${[line, ...own, 'Connection: close', ...headers].join('\r\n')}\r\n\r\n${body}`
}

const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'

test.each([
  ['two lengths', ['Content-Length: 2', 'Content-Length: 60']],
  ['the same length twice', ['Content-Length: 2', 'Content-Length: 2']],
  ['a list of lengths', ['Content-Length: 2, 2']],
  ['a length with a sign', ['Content-Length: +2']],
  ['an endless length', ['Content-Length: 99999999999999999999']],
  ['a length and chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked']],
  ['chunks', ['Transfer-Encoding: chunked']],
  ['compressed chunks', ['Transfer-Encoding: gzip, chunked']],
  ['a folded header', ['X-Folded: a\r\n Content-Length: 2']],
  ['a space before the colon', ['Content-Length : 2']],
])('a body with %s gets one refusal, and nothing after it is a request', async (_, headers) => {
  const answer = await send(request('POST /rest/v1/posts HTTP/1.1', headers, `0\r\n\r\n${SMUGGLED}`))
  expect(answer).toMatch(/^HTTP\/1\.1 4(00|11) /)
  expect(answer.split('HTTP/1.1 ')).toHaveLength(2)
})

test.each([
  ['to another protocol', ['Connection: Upgrade', 'Upgrade: h2c', 'Content-Length: 46']],
  ['to a live connection, without its key', ['Connection: Upgrade', 'Upgrade: websocket']],
])('an upgrade %s is refused, and its body is no request', async (_, headers) => {
  const answer = await send(request('GET /realtime/v1/websocket HTTP/1.1', headers, SMUGGLED))
  expect(answer).toMatch(/^HTTP\/1\.1 40[014] /)
  expect(answer.split('HTTP/1.1 ')).toHaveLength(2)
})

test.each([
  '/../private.txt',
  '/..%2fprivate.txt',
  '/%2e%2e/private.txt',
  '/..%5cprivate.txt',
  '/assets/../../private.txt',
  '/assets/..%2f..%2fprivate.txt',
  '/assets/.%2e/.%2e/private.txt',
  '//../private.txt',
  '/%00/../private.txt',
  'http://127.0.0.1/../private.txt',
  'file:///private.txt',
])('the path %s leads to no file outside of the app', async (path) => {
  const answer = await send(request(`GET ${path} HTTP/1.1`))
  expect(answer).toMatch(/^HTTP\/1\.1 (200|400|404) /)
  expect(answer).not.toContain(SECRET)
})

test.each(['CONNECT 127.0.0.1:80', 'OPTIONS *', 'TRACE /rest/v1/posts', 'PRI *', 'PURGE /config.json'])(
  '%s is not answered with data',
  async (line) => {
    expect(await send(request(`${line} HTTP/1.1`))).toMatch(/^$|^HTTP\/1\.1 4\d\d /)
  },
)

test('rejects choosing a server from a foreign origin, for any form of the request line', async () => {
  const headers = ['Origin: http://evil.example', 'Content-Length: 2']
  expect(await send(request('POST http://evil.example/config.json HTTP/1.1', headers, '{}'))).toMatch(
    /^HTTP\/1\.1 403 /,
  )
  for (const host of ['evil.example@127.0.0.1', '127.0.0.1/evil', '127.0.0.1#evil', 'evil.example']) {
    const answer = await send(request('GET /config.json HTTP/1.1', [`Host: ${host}`, 'Host: 127.0.0.1']))
    expect(answer).toMatch(/^HTTP\/1\.1 40[03] /)
  }
})

test('keeps an idle connection for a minute, so that a busy client does not lose a request', async () => {
  const response = await fetch(`http://127.0.0.1:${backend.port}/config.json`)
  expect(response.headers.get('keep-alive')).toBe('timeout=60')
})

const JSON_BODY = ['Content-Type: application/json', 'Content-Length: 2']

test.each([
  ['a read without a token', '401', 'GET /rest/v1/posts?select=id HTTP/1.1', []],
  ['an unknown table', '404', 'GET /rest/v1/secrets HTTP/1.1', []],
  ['a wrong filter', '400', 'GET /rest/v1/posts?select=id&id=eq.1 HTTP/1.1', []],
  ['a forged token', '401', 'GET /rest/v1/posts?select=id HTTP/1.1', ['Authorization: Bearer a.b.c']],
  ['a refused insert', '4..', 'POST /rest/v1/posts HTTP/1.1', JSON_BODY],
  ['a large body', '413', 'POST /auth/v1/signup HTTP/1.1', ['Content-Length: 20000']],
  ['a large body of a stranger', '401', 'POST /rest/v1/likes HTTP/1.1', ['Content-Length: 99999999']],
  ['a function', '4..', 'POST /rest/v1/rpc/unread_count HTTP/1.1', JSON_BODY],
  ['the state of Auth', '200', 'GET /auth/v1/health HTTP/1.1', []],
  ['a sign-in', '400', 'POST /auth/v1/token?grant_type=password HTTP/1.1', JSON_BODY],
  ['a member without a token', '401', 'GET /auth/v1/user HTTP/1.1', []],
  ['an unknown call of Auth', '404', 'GET /auth/v1/secrets HTTP/1.1', []],
  ['a missing object', '4..', 'GET /storage/v1/object/authenticated/media/none.webp HTTP/1.1', []],
  ['a foreign origin', '403', 'GET /rest/v1/posts HTTP/1.1', ['Origin: http://evil.example']],
  ['a foreign host', '403', 'GET /rest/v1/posts HTTP/1.1', ['Host: evil.example']],
  [
    'a handshake with a long address',
    '414',
    `GET /realtime/v1/websocket?${'&a'.repeat(5_000)} HTTP/1.1`,
    ['Connection: upgrade', 'Upgrade: websocket'],
  ],
  ['a body without a length', '411', 'POST /rest/v1/posts HTTP/1.1', ['Transfer-Encoding: chunked']],
  ['the chosen server', '200', 'GET /config.json HTTP/1.1', []],
])('a cache stores nothing of the answer to %s, with its type fixed', async (_, status, line, headers) => {
  const body = headers === JSON_BODY ? '{}' : ''
  const answer = await send(request(line, [`apikey: ${backend.publishableKey}`, ...headers], body))
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(answer.match(/^cache-control: .*$/gim)).toEqual(['cache-control: no-store'])
  expect(answer.match(/^x-content-type-options: .*$/gim)).toEqual(['x-content-type-options: nosniff'])
})

test('a cache stores nothing that a member reads, calls or is refused', async () => {
  const { client } = await signUpMember(backend, 'cached')
  const token = (await client.auth.getSession()).data.session?.access_token
  const headers = {
    apikey: backend.publishableKey,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  }
  const calls: [method: string, path: string][] = [
    ...[...TABLES.keys()].map((table): [string, string] => ['GET', `rest/v1/${table}?limit=1`]),
    ...[...FUNCTIONS.keys()].flatMap((name): [string, string][] =>
      ['GET', 'POST'].map((method) => [method, `rest/v1/rpc/${name}`]),
    ),
    ['GET', 'auth/v1/user'],
    ['POST', 'storage/v1/object/sign/media'],
    ['POST', 'storage/v1/object/list/media'],
    ['POST', 'auth/v1/logout'],
  ]
  const stored: string[] = []
  for (const [method, path] of calls) {
    const body = method === 'POST' ? '{}' : null
    const response = await fetch(`${backend.url}/${path}`, { method, headers, body })
    await response.arrayBuffer()
    const rule = response.headers.get('cache-control')
    if (rule !== 'no-store') stored.push(`${method} ${path}: ${response.status} ${rule}`)
  }
  expect(stored).toEqual([])
  await client.auth.signOut({ scope: 'local' })
})

test('pages and files keep their own cache rules', async () => {
  expect(await send(request('GET / HTTP/1.1'))).toMatch(/^cache-control: no-cache\r$/im)
})

test('logs nothing about aborted uploads', async () => {
  const before = lines.length
  const upload = request('POST /rest/v1/posts HTTP/1.1', ['Content-Length: 100'], '{')
  const sockets = Array.from({ length: 20 }, () => connect(backend.port, '127.0.0.1').setNoDelay(true))
  for (const socket of sockets) socket.on('error', () => undefined).write(upload)
  // Requests are handled in order of arrival.
  await send(request('GET /config.json HTTP/1.1'))
  for (const socket of sockets) socket.destroy()
  for (let round = 0; round < 3; round += 1) await send(request('GET /config.json HTTP/1.1'))
  expect(lines.slice(before)).toEqual([])
})

test('a long address is refused, besides those of REST', async () => {
  const get = async (path: string) =>
    (
      await fetch(`${backend.url}${path}?${'a&'.repeat(4_000)}`, {
        headers: { apikey: backend.publishableKey },
      })
    ).status
  expect(await get('/storage/v1/object/sign/media/a/b.webp')).toBe(414)
  expect(await get('/')).toBe(414)
  expect(await get('/rest/v1/posts')).not.toBe(414)
})
