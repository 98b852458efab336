import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { decodeJwt, SignJWT } from 'jose'
import { describe, expect, test, vi } from 'vitest'
import { TOKEN_CHARACTERS_MAX } from '#/backend/access/tokens'
import { SESSION_ENDED } from '#/shared/realtime'
import { openSocket, rawClient } from '#tests/backend/realtime/raw-client'
import { mustSubscribe, sendMessage, startWithMembers } from '#tests/backend/realtime/support'
import { PASSWORD } from '#tests/backend/support/backend'

const { server, ada, bea, conversation } = await startWithMembers()

const MESSAGES = {
  event: 'INSERT',
  schema: 'public',
  table: 'messages',
  filter: `conversation_id=eq.${conversation}`,
} as const

async function join(token: string | undefined, config: unknown = {}) {
  const client = await rawClient(server)
  const { payload } = await client.join('realtime:room', config, token)
  client.socket.terminate()
  return payload
}

const refused = (reason: string) => ({ status: 'error', response: { reason } })

describe('the handshake', () => {
  /** The status and body of a rejected handshake. */
  async function refusal(options: Parameters<typeof openSocket>[1]) {
    const socket = openSocket(server, options)
    socket.on('error', () => undefined)
    const [, response] = await once(socket, 'unexpected-response')
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    return [response.statusCode, Buffer.concat(chunks).toString()]
  }

  test('requires a key of the project', async () => {
    const answer = [401, JSON.stringify({ message: 'Invalid API key' })]
    expect(await refusal({ key: '' })).toEqual(answer)
    expect(await refusal({ key: 'sb_publishable_other' })).toEqual(answer)
    expect(await refusal({ key: server.secrets.secretKey })).toEqual(answer)
  })

  test.each(['', '1.0.0', '3.0.0'])('refuses the protocol version %j', async (vsn) => {
    const [status] = await refusal({ vsn })
    expect(status).toBe(400)
  })

  test('is rejected for foreign origins and host names, like every other request', async () => {
    const answer = [403, JSON.stringify({ message: 'This server does not answer pages of that origin.' })]
    expect(await refusal({ headers: { origin: 'https://evil.example' } })).toEqual(answer)
    const named = [403, JSON.stringify({ message: 'This server does not answer under that host name.' })]
    expect(await refusal({ headers: { host: 'evil.example' } })).toEqual(named)
  })
})

/** Lifetime in seconds of a token that expires during a test; the join takes some of it. */
const SHORT = 6

describe('a token', () => {
  test('that is invalid rejects the join', async () => {
    const sign = (payload: Record<string, unknown>, secret = server.secrets.jwtSecret, alg = 'HS256') =>
      new SignJWT(payload).setProtectedHeader({ alg, typ: 'JWT' }).sign(new TextEncoder().encode(secret))
    const later = Math.floor(Date.now() / 1000) + 60
    const role = 'authenticated'

    const invalid = refused('InvalidJWTToken: The token provided is not valid')
    expect(await join('nonsense')).toEqual(invalid)
    expect(await join(await sign({ role, exp: later }, 'x'.repeat(48)))).toEqual(invalid)
    const fields = refused('InvalidJWTToken: Fields `role` and `exp` are required in JWT')
    expect(await join(await sign({ role }))).toEqual(fields)
    expect(await join(await sign({ exp: later }))).toEqual(fields)
    expect(await join(await sign({ role: 'postgres', exp: later }))).toEqual(
      refused('InvalidJWTToken: The role of the token may not use Realtime'),
    )
    expect((await join(await server.token({}, -5))).response).toEqual({
      reason: expect.stringMatching(/^InvalidJWTToken: Token has expired [5-7] seconds ago$/),
    })
    expect(await join(await sign({ role, exp: later }, server.secrets.jwtSecret, 'HS512'))).toEqual(invalid)
    const unsigned = `${btoa('{"alg":"none","typ":"JWT"}')}.${btoa(`{"role":"service_role","exp":${later}}`)}.`
    expect(await join(unsigned.replaceAll('=', ''))).toEqual(invalid)
  })

  test('of more characters than a member’s is refused unread', async () => {
    const note = 'x'.repeat(TOKEN_CHARACTERS_MAX)
    const token = await server.token({ sub: ada.id, role: 'authenticated', note })
    expect(await join(token)).toEqual(refused('InvalidJWTToken: The token provided is not valid'))
  })

  test('is not needed for a public channel, and a key does not count as one', async () => {
    expect(await join(undefined)).toMatchObject({ status: 'ok' })
    expect(await join(server.backend.publishableKey)).toMatchObject({ status: 'ok' })
  })

  test('that expires closes the channel with the reason', async () => {
    const client = await rawClient(server)
    const token = await server.token({ sub: ada.id }, SHORT)
    await client.join('realtime:short', { postgres_changes: [MESSAGES] }, token)
    await client.next(({ event }) => event === 'phx_close')
    expect(client.received.filter(({ event }) => event === 'system').at(-1)?.payload).toEqual({
      extension: 'system',
      status: 'error',
      message: expect.stringMatching(/^Token has expired \d seconds ago$/),
      channel: 'short',
    })
    // Nothing else is delivered.
    const before = client.received.length
    await sendMessage(ada, conversation, 'after the end')
    await server.backend.realtime.settled()
    await client.ask('phoenix', 'heartbeat', {})
    expect(client.received.slice(before).map(({ event }) => event)).toEqual(['phx_reply'])
    client.socket.terminate()
  })

  test('that is renewed in time keeps the channel, which then uses the new token', async () => {
    const client = await rawClient(server)
    const first = await server.token({ sub: ada.id }, SHORT)
    const { ref } = await client.join('realtime:long', { postgres_changes: [MESSAGES] }, first)
    const push = (access_token: unknown) =>
      client.send([ref, null, 'realtime:long', 'access_token', { access_token }])
    const systems = () => client.received.filter(({ event }) => event === 'system')
    await vi.waitFor(() => expect(systems()).toHaveLength(1))
    push(await server.token({ sub: ada.id }))
    await vi.waitFor(() => expect(systems()).toHaveLength(2))
    expect(systems()[1]?.payload).toMatchObject({ status: 'ok', message: 'Subscribed to PostgreSQL' })
    // Hosted Supabase ignores these.
    for (const nothing of [null, 7, 'sb_publishable_x']) push(nothing)
    const { exp = 0 } = decodeJwt(first)
    await pause(exp * 1000 + 100 - Date.now())
    await sendMessage(bea, conversation, 'for ada')
    await client.next(({ event }) => event === 'postgres_changes')

    push('nonsense')
    await client.next(({ event }) => event === 'phx_close')
    expect(systems().at(-1)?.payload.message).toBe('The token provided is not valid')
    client.socket.terminate()
  })

  test.each([
    ['another member’s', () => server.token({ sub: bea.id })],
    ['a visitor’s', () => server.token({ role: 'anon', sub: ada.id })],
  ])('that is %s closes a channel', async (_, makeToken) => {
    const client = await rawClient(server)
    const topic = 'realtime:changing'
    const { ref } = await client.join(
      topic,
      { postgres_changes: [MESSAGES] },
      await server.token({ sub: ada.id }),
    )
    client.send([ref, null, topic, 'access_token', { access_token: await makeToken() }])
    await client.next(({ event }) => event === 'phx_close')
    expect(client.received.filter(({ event }) => event === 'system').at(-1)?.payload.message).toBe(
      'You no longer have permission to read from this Channel topic: changing',
    )
    client.socket.terminate()
  })

  test('that no longer gives access to a private channel closes it', async () => {
    const client = await rawClient(server)
    const topic = `realtime:room:${conversation}:0`
    const { ref, payload } = await client.join(topic, { private: true }, await server.token({ sub: ada.id }))
    expect(payload.status).toBe('ok')
    const stranger = await server.token({ sub: crypto.randomUUID() })
    client.send([ref, null, topic, 'access_token', { access_token: stranger }])
    await client.next(({ event }) => event === 'phx_close')
    expect(client.received.find(({ event }) => event === 'system')?.payload.message).toBe(
      `You no longer have permission to read from this Channel topic: room:${conversation}:0`,
    )
    client.socket.terminate()
  })
})

describe('supabase-js', () => {
  test('MSG-08 uses a refreshed session, and resubscribes the channel after a cut connection', async () => {
    const got: unknown[] = []
    const systems: string[] = []
    const states: string[] = []
    const channel = bea.client
      .channel('again')
      .on('postgres_changes', MESSAGES, ({ new: row }) => got.push(row.content))
      .on('system', {}, ({ message }) => systems.push(message))
    await new Promise<void>((resolve) => {
      channel.subscribe((state) => {
        states.push(state)
        if (state === 'SUBSCRIBED') resolve()
      })
    })
    await vi.waitFor(() => expect(systems).toHaveLength(1))
    await bea.client.auth.refreshSession()
    await vi.waitFor(() => expect(systems).toEqual(Array(2).fill('Subscribed to PostgreSQL')))

    server.terminateAll()
    await vi.waitFor(() => expect(states).toEqual(['SUBSCRIBED', 'CHANNEL_ERROR', 'SUBSCRIBED']), {
      timeout: 60_000,
    })
    await sendMessage(ada, conversation, 'after the cut')
    await vi.waitFor(() => expect(got).toEqual(['after the cut']))
    expect(await bea.client.removeChannel(channel)).toBe('ok')
  })

  test('gets replies to its heartbeat', async () => {
    const client = server.client({ heartbeatIntervalMs: 50 })
    const beats: string[] = []
    client.realtime.onHeartbeat((state) => beats.push(state))
    await mustSubscribe(client.channel('beat'))
    await vi.waitFor(() => expect(beats.filter((beat) => beat === 'ok').length).toBeGreaterThan(2))
    expect(new Set(beats)).toEqual(new Set(['sent', 'ok']))
    await client.removeAllChannels()
  })
})

describe('AUTH-16 a session that ends', () => {
  const ended = (channel: string) => ({
    extension: 'system',
    status: 'error',
    message: SESSION_ENDED,
    channel,
  })

  test('closes its private and public channels, and leaves other sessions’ channels open', async () => {
    const eve = await server.member('eve')
    const other = server.client()
    const account = { email: 'eve@example.com', password: PASSWORD }
    const { data } = await other.auth.signInWithPassword(account)
    const token = data.session?.access_token ?? ''
    const withEve = await server.conversation(ada, eve)
    const topic = `realtime:room:${withEve}:0`
    const [leaving, staying] = [await rawClient(server), await rawClient(server)]
    const own = { ...MESSAGES, filter: `conversation_id=eq.${withEve}` }
    await leaving.join('realtime:member', { postgres_changes: [own] }, token)
    expect((await leaving.join(topic, { private: true }, token)).payload).toMatchObject({ status: 'ok' })
    const stays = await eve.client.auth.getSession()
    await staying.join('realtime:member', { postgres_changes: [own] }, stays.data.session?.access_token)

    expect((await eve.client.auth.signOut({ scope: 'others' })).error).toBeNull()
    await server.backend.realtime.settled()
    await vi.waitFor(() => {
      const closed = leaving.received.filter(({ event }) => event === 'phx_close').map((one) => one.topic)
      expect(closed.toSorted()).toEqual([topic, 'realtime:member'].toSorted())
    })
    const reasons = leaving.received.filter(({ payload }) => JSON.stringify(payload).includes('has ended'))
    expect(reasons.map(({ payload }) => payload)).toEqual(
      expect.arrayContaining([ended('member'), ended(topic.slice('realtime:'.length))]),
    )
    expect(staying.received.some(({ event }) => event === 'phx_close')).toBe(false)
    // The token can no longer join a channel, and a channel that gets it is closed.
    const refusal = refused(`InvalidJWTToken: ${SESSION_ENDED}`)
    expect((await leaving.join('realtime:again', { postgres_changes: [own] }, token)).payload).toEqual(
      refusal,
    )
    expect((await leaving.join(topic, { private: true }, token)).payload).toEqual(refusal)
    const { ref } = await leaving.join('realtime:public', {})
    leaving.send([ref, null, 'realtime:public', 'access_token', { access_token: token }])
    await leaving.next(({ event, topic: closed }) => event === 'phx_close' && closed === 'realtime:public')
    expect(leaving.received.filter(({ event }) => event === 'system').at(-1)?.payload).toEqual(
      ended('public'),
    )
    await sendMessage(eve, withEve, 'for those who are signed in')
    await vi.waitFor(() =>
      expect(staying.received.some(({ event }) => event === 'postgres_changes')).toBe(true),
    )
    await server.backend.realtime.settled()
    expect(leaving.received.some(({ event }) => event === 'postgres_changes')).toBe(false)
    for (const client of [leaving, staying]) client.socket.terminate()
  })

  test('is ended by deleting the account', async () => {
    const kay = await server.member('kay')
    const { data } = await kay.client.auth.getSession()
    const client = await rawClient(server)
    await client.join('realtime:member', { postgres_changes: [MESSAGES] }, data.session?.access_token)
    expect((await kay.client.rpc('delete_account')).error).toBeNull()
    await client.next(({ event }) => event === 'phx_close')
    client.socket.terminate()
  })
})
