import { once } from 'node:events'
import type { Socket } from 'node:net'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RawClient, rawClient } from './raw-client'
import { type RealtimeServer, startRealtimeServer } from './support'

let server: RealtimeServer
beforeAll(async () => {
  server = await startRealtimeServer()
})
afterAll(() => server.stop())

const FINAL = 0x80
const COMPRESSED = 0x40
const [CONTINUATION, TEXT, CLOSE, PING] = [0, 1, 8, 9]

/** A frame with a mask of zeros, and a length of two bytes. */
function frame(firstByte: number, payload: Buffer | string): Buffer {
  const { length } = Buffer.from(payload)
  return Buffer.concat([
    Buffer.of(firstByte, 0xfe, length >> 8, length & 0xff, 0, 0, 0, 0),
    Buffer.from(payload),
  ])
}

/** Writes bytes without the framing of the client. */
function writeRaw({ socket }: RawClient, bytes: Buffer): void {
  ;(socket as unknown as { _socket: Socket })._socket.write(bytes)
}

test('the server does not negotiate compression', async () => {
  const { socket } = await rawClient(server, {
    headers: { 'Sec-WebSocket-Extensions': 'permessage-deflate; server_max_window_bits=8' },
  })
  expect(socket.extensions).toBe('')
  socket.terminate()
})

/** A join with a payload. */
const joinWith = (payload: string) => `["1","1","realtime:room","phx_join",${payload}]`

test.each<[string, number, Buffer]>([
  [
    'a compressed frame of 60 MB',
    1002,
    frame(FINAL | COMPRESSED | TEXT, deflateRawSync(Buffer.alloc(60_000_000))),
  ],
  ['an unknown opcode', 1002, frame(FINAL | 3, 'x')],
  ['a fragmented ping', 1002, frame(PING, 'x')],
  ['a long ping', 1002, frame(FINAL | PING, Buffer.alloc(200))],
  ['a continuation of nothing', 1002, frame(FINAL | CONTINUATION, 'x')],
  ['two beginnings', 1002, Buffer.concat([frame(TEXT, '['), frame(TEXT, '[')])],
  ['an announced length of terabytes', 1009, Buffer.from('81ff00007fffffffffff00000000', 'hex')],
  ['bytes that are no text', 1007, frame(FINAL | TEXT, Buffer.of(0xff, 0xfe))],
  ['an invalid close code', 1002, frame(FINAL | CLOSE, Buffer.of(0, 1))],
  ['a list of thousands of values', 1002, frame(FINAL | TEXT, joinWith('['.repeat(30_000)))],
  ['an object of thousands of values', 1002, frame(FINAL | TEXT, joinWith('{"a":'.repeat(8_000)))],
  ['empty fragments', 1008, Buffer.concat([frame(TEXT, ''), ...Array(2_000).fill(frame(CONTINUATION, ''))])],
])('%s closes the connection', async (_, code, bytes) => {
  const before = process.memoryUsage().rss
  const client = await rawClient(server)
  writeRaw(client, bytes)
  expect(await client.closed).toBe(code)
  expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000)
})

test('only the exact name of a member’s topic can be joined', async () => {
  const [ada, ben, cleo] = await Promise.all(['ada', 'ben', 'cleo'].map((name) => server.member(name)))
  if (ada === undefined || ben === undefined || cleo === undefined) throw new Error('A member is missing')
  const id = await server.conversation(ada, ben)
  const token = await server.token({ sub: cleo.id, role: 'authenticated' })
  const spellings = (kind: string, name: string) =>
    [name, name.toUpperCase(), `{${name}}`, `${name} `, `${name}\n`, `${name}\0`, `${name}:x`].map(
      (spelling) => `${kind}:${spelling}`,
    )
  const topics = [
    ...spellings('conversation', id),
    ...spellings('member', ada.id),
    ...spellings('member', cleo.id).slice(1),
    ...['__proto__', 'constructor', 'member:', 'member:%', '*', '\u202e', 'x'.repeat(240)],
  ]
  const client = await rawClient(server)
  for (const topic of topics) {
    const { payload } = await client.join(`realtime:${topic}`, { private: true }, token)
    expect([topic, payload]).toMatchObject([topic, { status: 'error' }])
  }
  expect((await client.join(`realtime:member:${cleo.id}`, { private: true }, token)).payload).toMatchObject({
    status: 'ok',
  })
  client.socket.terminate()
  await once(client.socket, 'close')
  expect(server.log.filter((line) => line.startsWith('error'))).toEqual([])
})

test.each<[string, string]>([
  ['a list', '[]'],
  ['a deep list', `${'['.repeat(150)}${']'.repeat(150)}`],
  ['a deep object', `{"config":${'{"a":'.repeat(150)}1${'}'.repeat(150)}}`],
  ['a list for the config', '{"config":[]}'],
  ['a list for the token', '{"access_token":["x"],"config":{}}'],
  ['a prototype', '{"config":{"__proto__":{"private":true}}}'],
  ['an object for the bindings', '{"config":{"postgres_changes":{}}}'],
  [
    'a list for a table',
    '{"config":{"postgres_changes":[{"event":"INSERT","schema":"public","table":["messages"]}]}}',
  ],
])('a join with %s is refused', async (_, payload) => {
  const client = await rawClient(server)
  client.socket.send(joinWith(payload))
  expect((await client.next(({ ref }) => ref === '1')).payload).toMatchObject({ status: 'error' })
  client.socket.terminate()
})
