import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { sendRandomFrames } from '#tests/backend/realtime/random-frames'
import { broadcastFrame, rawClient } from '#tests/backend/realtime/raw-client'
import { type RealtimeServer, startRealtimeServer } from '#tests/backend/realtime/support'
import { gate } from '#tests/gate'

const LIMITS = {
  waitingFrames: 30,
  waitingBytes: 50_000,
  bytesPerSecond: 60_000,
  channelsPerConnection: 3,
  messagesPerSecond: 20,
  payloadBytes: 1_000,
  frameBytes: 10_000,
  sendsPerSecond: 4,
}

let server: RealtimeServer

beforeAll(async () => {
  server = await startRealtimeServer({ realtimeLimits: LIMITS })
})
afterAll(() => server.stop())

describe('the server', () => {
  test('survives random frames', async () => {
    await sendRandomFrames(server, 100)
  })

  test('survives aborted handshakes', async () => {
    const { port } = server.backend
    const handshake = (host: string) =>
      `GET /realtime/v1/websocket?apikey=none HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`
    for (let round = 0; round < 40; round += 1) {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(handshake(round % 2 === 0 ? 'evil.example' : `127.0.0.1:${port}`))
      socket.resetAndDestroy()
    }
    const after = await rawClient(server)
    expect((await after.join('realtime:room', {})).payload).toMatchObject({ status: 'ok' })
    after.socket.terminate()
  })

  test('reports invalid topics, topics that are not joined, and outdated joins', async () => {
    const client = await rawClient(server)
    const unmatched = { status: 'error', response: { reason: 'unmatched topic' } }
    expect((await client.ask('other', 'phx_join', {})).payload).toEqual(unmatched)
    expect((await client.ask('realtime:room', 'broadcast', {})).payload).toEqual(unmatched)
    expect((await client.join('realtime:', {})).payload).toEqual({
      status: 'error',
      response: { reason: 'TopicNameRequired: You must provide a topic name' },
    })
    expect((await client.ask('realtime:room', 'phx_leave', {})).payload).toMatchObject({ status: 'ok' })

    const first = await client.join('realtime:room', {})
    const second = await client.join('realtime:room', {})
    const closing = await client.next(({ event }) => event === 'phx_close')
    expect(closing.joinRef).toBe(first.ref)
    client.broadcast('realtime:room', first.ref, 'late', 'typing', {})
    client.broadcast('realtime:room', second.ref, 'now', 'typing', {})
    await client.next(({ ref }) => ref === 'now')
    expect(client.received.some(({ ref }) => ref === 'late')).toBe(false)
    client.socket.terminate()
  })
})

describe('limits', () => {
  test('channels of one connection', async () => {
    const client = await rawClient(server)
    for (const name of ['a', 'b', 'c']) await client.join(`realtime:${name}`, {})
    expect((await client.join('realtime:d', {})).payload.response).toEqual({
      reason: 'ChannelRateLimitReached: Too many channels',
    })
    // Rejoining a channel does not count as another one.
    expect((await client.join('realtime:c', {})).payload).toMatchObject({ status: 'ok' })
    client.socket.terminate()
  })

  test('bindings of one channel', async () => {
    const client = await rawClient(server)
    const token = await server.token({ sub: crypto.randomUUID() })
    const filter = `conversation_id=eq.${crypto.randomUUID()}`
    const binding = { event: 'INSERT', schema: 'public', table: 'messages', filter }
    const join = async (name: string, count: number) => {
      const config = { postgres_changes: Array(count).fill(binding) }
      return (await client.join(`realtime:${name}`, config, token)).payload.status
    }
    expect([await join('a', 11), await join('a', 10)]).toEqual(['error', 'ok'])
    client.socket.terminate()
  })

  test('messages per second', async () => {
    const client = await rawClient(server)
    const { ref } = await client.join('realtime:busy', {})
    for (let sent = 0; sent < 100; sent += 1) client.broadcast('realtime:busy', ref, '', 'typing', {})
    expect(await client.closed).toBe(1008)
  })

  /** Joins the channel of a conversation as one of its members. */
  async function joinConversation(name: string) {
    const one = await server.member(name)
    const topic = `realtime:room:${await server.conversation(one, await server.member(`${name}2`))}:0`
    const client = await rawClient(server)
    const config = { private: true, presence: { key: 'f', enabled: true } }
    const token = await server.token({ sub: one.id })
    const { ref, payload } = await client.join(topic, config, token)
    expect(payload).toMatchObject({ status: 'ok' })
    return { client, topic, ref, config, token }
  }

  test('payloads, and frames', async () => {
    const { client, topic, ref } = await joinConversation('big')
    const content = { text: 'x'.repeat(1_000) }
    client.broadcast(topic, ref, 'large', 'typing', content)
    expect((await client.next((message) => message.ref === 'large')).payload).toEqual({
      status: 'error',
      response: { reason: 'payload_size_exceeded' },
    })
    const tracked = await client.ask(topic, 'presence', { event: 'track', payload: content }, ref)
    expect(tracked.payload).toEqual({ status: 'error', response: { reason: 'payload_size_exceeded' } })
    client.send('x'.repeat(11_000))
    expect(await client.closed).toBe(1009)
  })

  test('presence messages of a member, over all joins of a topic', async () => {
    const { client, topic, ref, config, token } = await joinConversation('restless')
    const track = async (joinRef: string | null, mood: string) => {
      const { payload } = await client.ask(topic, 'presence', { event: 'track', payload: { mood } }, joinRef)
      return payload
    }
    const trackAll = (joinRef: string | null, moods: readonly string[]) =>
      Promise.all(moods.map((mood) => track(joinRef, mood)))
    const answers = await trackAll(ref, ['a', 'b'])
    const again = await client.join(topic, config, token)
    // More than two windows allow, because the first one may end meanwhile.
    answers.push(...(await trackAll(again.ref, [...'cdefghijklmn'])))
    expect(answers).toContainEqual({
      status: 'error',
      response: { reason: 'Too many presence messages per second' },
    })
    client.socket.terminate()
  })

  test('broadcasts of a member, over all connections', async () => {
    const { client, topic, ref, config, token } = await joinConversation('eager')
    const second = await rawClient(server)
    const joined = await second.join(topic, config, token)
    for (const number of [1, 2, 3, 4]) client.broadcast(topic, ref, `${number}`, 'typing', {})
    second.broadcast(topic, joined.ref, 'fifth', 'typing', {})
    const sixth = client.ask(topic, 'broadcast', {}, ref)
    await sixth
    await vi.waitFor(() => {
      const refusals = [...client.received, ...second.received].filter(({ payload }) =>
        JSON.stringify(payload).includes('Too many broadcasts per second'),
      )
      expect(refusals).toHaveLength(1)
    })
    for (const { socket } of [client, second]) socket.terminate()
  })

  test('bytes per second', async () => {
    const client = await rawClient(server)
    const padding = 'x'.repeat(9_000)
    for (let sent = 0; sent < 8; sent += 1) client.send([null, '1', 'phoenix', 'heartbeat', { padding }])
    expect(await client.closed).toBe(1008)
  })

  test.each(['ping', 'pong'] as const)('%ss count as messages', async (kind) => {
    const client = await rawClient(server)
    for (let sent = 0; sent < 100; sent += 1) client.socket[kind]()
    expect(await client.closed).toBe(1008)
  })

  test('invalid frames close the connection', async () => {
    const long = [
      [null, 'r'.repeat(65), 'phoenix', 'heartbeat', {}],
      ['r'.repeat(65), '1', 'phoenix', 'heartbeat', {}],
      [null, '1', 't'.repeat(256), 'phx_leave', {}],
      [null, '1', 'realtime:room', 'e'.repeat(256), {}],
    ].map((message) => JSON.stringify(message))
    const binary = broadcastFrame({ joinRef: '1', ref: 'r'.repeat(65), topic: 'x', event: 'y', payload: {} })
    for (const frame of [
      ...long,
      binary,
      'nonsense',
      '{}',
      '[]',
      Buffer.from([9, 9]),
      Buffer.from([3, 255, 0, 0, 0, 0, 1]),
    ]) {
      const client = await rawClient(server)
      client.socket.send(frame)
      expect(await client.closed).toBe(1002)
    }
  })

  describe('while the database is busy', () => {
    /** Blocks the database until the returned function is called. */
    function holdDatabase(): () => void {
      const { opened: held, open: release } = gate()
      void server.backend.exclusive(() => held)
      onTestFinished(release)
      return release
    }
    const PRIVATE = { config: { private: true } }
    /** A private join of a member. Call it before `holdDatabase`, because creating a token reads the session. */
    const privateJoin = async () => ({
      ...PRIVATE,
      access_token: await server.token({ sub: crypto.randomUUID() }),
    })
    const conversation = () => `realtime:room:${crypto.randomUUID()}:0`
    const unauthorized = (topic: string) => ({
      status: 'error',
      response: {
        reason: `Unauthorized: You do not have permissions to read from this Channel topic: ${topic.slice('realtime:'.length)}`,
      },
    })

    test.each<[string, () => Promise<string | undefined>]>([
      ['without a token', async () => undefined],
      ['with a token without a member', () => server.token({})],
      ['with a token of another role', () => server.token({ role: 'anon', sub: crypto.randomUUID() })],
    ])('a private join %s is refused without the database', async (_, makeToken) => {
      const token = await makeToken()
      holdDatabase()
      const client = await rawClient(server)
      const topic = conversation()
      const { payload } = await client.ask(topic, 'phx_join', { ...PRIVATE, access_token: token })
      expect(payload).toEqual(unauthorized(topic))
      client.socket.terminate()
    })

    test('the private joins of members take turns', async () => {
      const [hostile, other] = [await privateJoin(), await privateJoin()]
      const release = holdDatabase()
      const clients = await Promise.all(Array.from({ length: 6 }, () => rawClient(server)))
      const answers: string[] = []
      const flood = clients.map((client) =>
        client.ask(conversation(), 'phx_join', hostile).then(() => answers.push('hostile')),
      )
      for (const client of clients) await client.ask('phoenix', 'heartbeat', {})
      const one = await rawClient(server)
      const last = one.ask(conversation(), 'phx_join', other).then(() => answers.push('other'))
      await one.ask('phoenix', 'heartbeat', {})
      release()
      await Promise.all([...flood, last])
      // Answers of different connections may arrive in another order.
      expect(answers.indexOf('other')).toBeLessThanOrEqual(3)
      for (const { socket } of [...clients, one]) socket.terminate()
    })

    test('joins of a connection wait for each other, so that pending ones cannot exceed the limit', async () => {
      const join = await privateJoin()
      const release = holdDatabase()
      const client = await rawClient(server)
      const first = client.ask(conversation(), 'phx_join', join)
      const joins = ['a', 'b', 'c', 'd'].map((name) => client.join(`realtime:${name}`, {}))
      await client.ask('phoenix', 'heartbeat', {})
      expect(client.received.map(({ topic }) => topic)).toEqual(['phoenix'])
      release()
      await first
      expect((await Promise.all(joins)).map(({ payload }) => payload.status)).toEqual([
        'ok',
        'ok',
        'ok',
        'error',
      ])
      client.socket.terminate()
    })

    test.each([
      // As many as the rate limits allow within a second.
      ['frames', [...Array(20).fill('broadcast'), ...Array(14).fill('phx_join')], ''],
      ['bytes', Array(5).fill('broadcast'), 'x'.repeat(9_000)],
    ])('%s that wait are not kept without end: the connection is closed', async (_, events, padding) => {
      const join = await privateJoin()
      const release = holdDatabase()
      const asked = vi.spyOn(server.backend.pg, 'transaction')
      const client = await rawClient(server)
      const topic = conversation()
      for (const event of ['phx_join', ...events]) {
        client.send([null, '1', topic, event, { ...join, padding }])
      }
      onTestFinished(() => asked.mockRestore())
      expect(await client.closed).toBe(1008)
      release()
      for (let turn = 0; turn < events.length; turn += 1)
        await server.backend.exclusive(async () => undefined)
      // Of the queued joins, only the running one may have made a query.
      expect(asked.mock.calls.length).toBeLessThanOrEqual(1)
    })
  })
})
