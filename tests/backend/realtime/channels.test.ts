import type { RealtimeChannel } from '@supabase/supabase-js'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { waitForDelivery } from '#tests/backend/realtime/follow'
import { rawClient } from '#tests/backend/realtime/raw-client'
import { type Member, mustSubscribe, startWithMembers, subscribed } from '#tests/backend/realtime/support'
import { asQuery } from '#tests/statement'
import { makeGroup, putInto } from '#tests/supabase/schema/support/groups'

const { server, ada, bea, cyd, conversation: id } = await startWithMembers()
const conversation = `room:${id}:0`

type Config = NonNullable<Parameters<Member['client']['channel']>[1]>['config']

/** Records all payloads of an event on a channel. */
function recordEvents(channel: RealtimeChannel, event = '*'): unknown[] {
  const payloads: unknown[] = []
  channel.on('broadcast', { event }, ({ payload }) => payloads.push(payload))
  return payloads
}

function channelOf({ client }: Member, topic: string, config: Config = {}): RealtimeChannel {
  const channel = client.channel(topic, { config })
  onTestFinished(() => client.removeChannel(channel).then(() => undefined))
  return channel
}

const PRIVATE = { private: true } as const

const channelState = ({ client }: Member, topic: string) =>
  client.getChannels().find((channel) => channel.topic === `realtime:${topic}`)?.state

describe('broadcast', () => {
  const TYPING = { type: 'broadcast', event: 'typing' } as const

  test.each([
    ['one way', () => [ada, bea] as const],
    ['the other way round', () => [bea, ada] as const],
  ])('MSG-10 reaches the other in the channel, not its sender: %s', async (_, people) => {
    const [sender, listener] = people()
    const from = channelOf(sender, conversation, PRIVATE)
    const to = channelOf(listener, conversation, PRIVATE)
    const own = recordEvents(from)
    const others = recordEvents(to, 'typing')
    await Promise.all([mustSubscribe(from), mustSubscribe(to)])
    expect(await from.send({ ...TYPING, payload: { to: 'ünï 💙', n: [1] } })).toBe('ok')
    await from.send({ ...TYPING, payload: {} })
    await vi.waitFor(() => expect(others).toEqual([{ to: 'ünï 💙', n: [1] }, {}]))
    expect(own).toEqual([])
  })

  test('with another event, as text or in a public channel is rejected and delivered to nobody', async () => {
    const listener = channelOf(bea, conversation, PRIVATE)
    const outside = channelOf(bea, 'room')
    const [inside, others] = [recordEvents(listener), recordEvents(outside)]
    await Promise.all([listener, outside].map(mustSubscribe))
    const client = await rawClient(server)
    onTestFinished(() => client.socket.terminate())
    const topic = `realtime:${conversation}`
    const token = await server.token({ sub: ada.id })
    const { ref } = await client.join(topic, PRIVATE, token)
    const room = await client.join('realtime:room', {}, token)
    const refused = (reason: string) => ({ status: 'error', response: { reason } })
    const replyTo = async (wanted: string) => (await client.next((message) => message.ref === wanted)).payload
    client.broadcast(topic, ref, 'other', 'news', {})
    expect(await replyTo('other')).toEqual(refused('This broadcast is not served'))
    const text = await client.ask(topic, 'broadcast', { ...TYPING, payload: {} }, ref)
    expect(text.payload).toEqual(refused('This broadcast is not served'))
    client.broadcast('realtime:room', room.ref, 'public', 'typing', {})
    expect(await replyTo('public')).toEqual(refused('Unauthorized: You may not broadcast in this channel'))
    client.broadcast(topic, ref, 'served', 'typing', { last: true })
    await vi.waitFor(() => expect(inside).toEqual([{ last: true }]))
    expect(others).toEqual([])
  })

  test.each([{ ack: true }, { self: true }, { replay: { since: 0 } }])(
    'with %o is rejected on join',
    async (broadcast) => {
      const client = await rawClient(server)
      onTestFinished(() => client.socket.terminate())
      const config = { ...PRIVATE, broadcast }
      const joined = await client.join(
        `realtime:${conversation}`,
        config,
        await server.token({ sub: ada.id }),
      )
      expect(joined.payload).toEqual({
        status: 'error',
        response: { reason: 'InvalidJoinPayload: The options of the channel are not served' },
      })
    },
  )
})

describe('presence', () => {
  const names = (channel: RealtimeChannel) => Object.keys(channel.presenceState()).sort()

  function present(member: Member, topic: string, config: Config = {}): RealtimeChannel {
    const channel = channelOf(member, topic, { presence: { key: member.username }, ...config })
    return channel.on('presence', { event: 'sync' }, () => undefined)
  }

  test('MSG-10 reports joins, changes and leaves, and the current state to later members', async () => {
    const [one, other] = [present(ada, conversation, PRIVATE), present(bea, conversation, PRIVATE)]
    await mustSubscribe(one)
    expect(await one.track({ mood: 'calm' })).toBe('ok')
    await mustSubscribe(other)
    await vi.waitFor(() => expect(names(other)).toEqual(['ada']))
    expect(other.presenceState()).toMatchObject({ ada: [{ mood: 'calm' }] })

    await one.track({ mood: 'busy' })
    await vi.waitFor(() => expect(other.presenceState()).toMatchObject({ ada: [{ mood: 'busy' }] }))
    expect(other.presenceState().ada).toHaveLength(1)

    await other.track({})
    await vi.waitFor(() => expect(names(one)).toEqual(['ada', 'bea']))
    await one.untrack()
    await vi.waitFor(() => expect([names(one), names(other)]).toEqual([['bea'], ['bea']]))
  })

  test('SET-05 MSG-10 hides a member, and others from them, from the moment they turn off their activity status', async () => {
    const showActivity = async (isOn: boolean) => {
      const { error } = await ada.client
        .from('profiles')
        .update({ show_activity_status: isOn })
        .eq('id', ada.id)
      expect(error).toBeNull()
      await server.backend.realtime.settled()
    }
    const [one, other] = [present(ada, conversation, PRIVATE), present(bea, conversation, PRIVATE)]
    const toOne = recordEvents(one)
    await Promise.all([mustSubscribe(one), mustSubscribe(other)])
    await one.track({})
    await other.track({})
    await vi.waitFor(() => expect(names(other)).toEqual(['ada', 'bea']))
    await showActivity(false)
    await vi.waitFor(() => expect(names(other)).toEqual(['bea']))
    await vi.waitFor(() => expect(channelState(ada, conversation)).not.toBe('joined'))
    const refused = present(ada, conversation, PRIVATE)
    expect(await subscribed(refused)).toMatchObject({ state: 'CHANNEL_ERROR' })
    await ada.client.removeChannel(refused)
    await other.untrack()
    await other.track({ mood: 'unseen' })
    expect(await other.send({ type: 'broadcast', event: 'typing', payload: {} })).toBe('ok')
    expect([toOne, names(other)]).toEqual([[], ['bea']])
    await showActivity(true)
    const again = present(ada, conversation, PRIVATE)
    await mustSubscribe(again)
    expect(await again.track({})).toBe('ok')
    await vi.waitFor(() => expect([names(again), names(other)]).toEqual(Array(2).fill(['ada', 'bea'])))
  })

  /** Joins the conversation as Bea, without supabase-js. */
  async function joinRaw(presence: object) {
    const client = await rawClient(server)
    onTestFinished(() => client.socket.terminate())
    const topic = `realtime:${conversation}`
    const { ref } = await client.join(topic, { ...PRIVATE, presence }, await server.token({ sub: bea.id }))
    return { client, ask: (payload: unknown) => client.ask(topic, 'presence', payload, ref) }
  }

  test('MSG-10 removes a member whose connection is cut', async () => {
    const watching = present(ada, conversation, PRIVATE)
    await mustSubscribe(watching)
    const { client, ask } = await joinRaw({ key: 'lost', enabled: true })
    expect(await ask({ type: 'presence', event: 'TRACK', payload: {} })).toMatchObject({
      payload: { status: 'ok' },
    })
    await vi.waitFor(() => expect(names(watching)).toEqual(['lost']))
    client.socket.terminate()
    await vi.waitFor(() => expect(names(watching)).toEqual([]))
  })

  test('accepts a key that is a property of Object.prototype', async () => {
    const watching = present(ada, conversation, PRIVATE)
    await mustSubscribe(watching)
    const { client, ask } = await joinRaw({ key: '__proto__', enabled: true })
    await ask({ event: 'track', payload: { __proto__: 1, a: 1 } })
    const diff = await client.next(({ event }) => event === 'presence_diff')
    expect(Object.keys(diff.payload.joins as object)).toEqual(['__proto__'])
  })

  test('is sent only to clients that requested it, and tracks only objects', async () => {
    const { client, ask } = await joinRaw({ key: 'q', enabled: false })
    expect((await ask({ event: 'track', payload: [1] })).payload).toEqual({
      status: 'error',
      response: { reason: 'Presence track payload must be a map' },
    })
    expect((await ask({ event: 'track', payload: {} })).payload).toMatchObject({ status: 'ok' })
    await client.ask('phoenix', 'heartbeat', {})
    expect(client.received.filter(({ event }) => event.startsWith('presence'))).toEqual([])
  })

  test('is rejected in a public channel', async () => {
    const channel = present(ada, 'room')
    await mustSubscribe(channel)
    expect(await channel.track({})).not.toBe('ok')
    expect(names(channel)).toEqual([])
  })
})

describe('private channels', () => {
  test('MSG-10 reject non-members with the same errors as hosted Supabase', async () => {
    for (const topic of [
      conversation,
      'conversation:',
      'room',
      'room:',
      `${conversation} `,
      `room:${id}`,
      `room:${id}:1`,
    ]) {
      expect(await subscribed(channelOf(cyd, topic, PRIVATE))).toEqual({
        state: 'CHANNEL_ERROR',
        reason: `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`,
      })
    }
    const visitor = server.client()
    const channel = visitor.channel(conversation, { config: PRIVATE })
    expect(await subscribed(channel)).toMatchObject({ state: 'CHANNEL_ERROR' })
    await visitor.removeChannel(channel)
  })

  test('a change that a member forges reaches nobody, in the channel of a group as in its room', async () => {
    const sql = asQuery((text, parameters) =>
      server.backend.exclusive(
        async () => (await server.backend.pg.query<Record<string, unknown>>(text, parameters)).rows,
      ),
    )
    const group = await makeGroup(sql, ada.id)
    await putInto(sql, group, bea.id, 'in')
    const client = await rawClient(server)
    onTestFinished(() => client.socket.terminate())
    const token = await server.token({ sub: ada.id })
    const heard: unknown[][] = []
    for (const [topic, reason] of [
      [`conversation:${group}:0`, 'Unauthorized: You may not broadcast in this channel'],
      [`room:${group}:0`, 'This broadcast is not served'],
    ] as const) {
      const listener = channelOf(bea, topic, PRIVATE)
      heard.push(recordEvents(listener))
      await mustSubscribe(listener)
      const { ref } = await client.join(`realtime:${topic}`, PRIVATE, token)
      client.broadcast(`realtime:${topic}`, ref, topic.slice(0, 9), 'change', {
        table: 'messages',
        type: 'INSERT',
        ids: [crypto.randomUUID()],
      })
      const { payload } = await client.next((message) => message.ref === topic.slice(0, 9))
      expect([topic, payload]).toEqual([topic, { status: 'error', response: { reason } }])
    }
    await waitForDelivery(server, bea)
    expect(heard).toEqual([[], []])
  })

  test('SAFE-01 MSG-10 a block immediately removes both members from the channel, and no other channel is affected', async () => {
    const dan = await server.member('dan')
    const topic = `room:${await server.conversation(cyd, dan)}:0`
    const closed: string[] = []
    const errors: string[] = []
    const open = [
      [cyd, topic],
      [dan, topic],
      [ada, conversation],
    ] as const
    for (const [member, name] of open) {
      const channel = channelOf(member, name, PRIVATE)
      channel.on('system', {}, ({ message }) => errors.push(message))
      await new Promise<void>((resolve) => {
        channel.subscribe((state) => {
          if (state === 'SUBSCRIBED') resolve()
          else if (state === 'CLOSED') closed.push(member.username)
        })
      })
    }
    await dan.client.rpc('block_members', { ids: [cyd.id] })
    await vi.waitFor(() => expect(closed.sort()).toEqual(['cyd', 'dan']))
    await server.backend.realtime.settled()
    expect(errors).toEqual(
      Array(2).fill(`You no longer have permission to read from this Channel topic: ${topic}`),
    )
    expect(await channelState(ada, conversation)).toBe('joined')
  })

  test('SAFE-01 stay open when another member blocks and unblocks in quick succession', async () => {
    const topic = `member:${bea.id}`
    await mustSubscribe(channelOf(bea, topic, PRIVATE))
    const { exclusive, pg } = server.backend
    await exclusive(async () => {
      for (let round = 0; round < 70; round += 1) {
        await pg.query('insert into blocks (blocker_id, blocked_id) values ($1, $2)', [cyd.id, bea.id])
        await pg.query('delete from blocks where blocked_id = $1', [bea.id])
      }
    })
    await waitForDelivery(server, bea)
    expect(channelState(bea, topic)).toBe('joined')
  })

  test('MSG-10 a public channel of the same name gets no messages of the private one', async () => {
    const inside = [channelOf(ada, conversation, PRIVATE), channelOf(bea, conversation, PRIVATE)] as const
    const outside = channelOf(cyd, conversation, { presence: { key: 'cyd' } })
    outside.on('presence', { event: 'sync' }, () => undefined)
    const [outsideEvents, answered] = [recordEvents(outside), recordEvents(inside[1])]
    await Promise.all([...inside, outside].map(mustSubscribe))
    // The server rejects it; supabase-js does not wait for the reply.
    await outside.send({ type: 'broadcast', event: 'typing', payload: { from: 'cyd' } })
    await inside[0].send({ type: 'broadcast', event: 'typing', payload: { from: 'ada' } })
    await inside[0].track({})
    await vi.waitFor(() => expect(answered).toEqual([{ from: 'ada' }]))
    expect(outsideEvents).toEqual([])
    expect(outside.presenceState()).toEqual({})
  })
})
