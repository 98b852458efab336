import type { RealtimeChannel } from '@supabase/supabase-js'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { rawClient } from '#tests/backend/realtime/raw-client'
import { type Member, mustSubscribe, startWithMembers, subscribed } from '#tests/backend/realtime/support'

const { server, ada, bea, cyd, conversation: id } = await startWithMembers({ vsnOfBea: '1.0.0' })
const conversation = `conversation:${id}`

type Config = NonNullable<Parameters<Member['client']['channel']>[1]>['config']

/** Everything of one event that a channel hears. */
function heard(channel: RealtimeChannel, event = '*'): unknown[] {
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
  test.each([
    ['both versions of the protocol', () => [ada, bea] as const],
    ['the other way round', () => [bea, ada] as const],
  ])('reaches the others in the channel, not its sender: %s', async (_, people) => {
    const [sender, listener] = people()
    const from = channelOf(sender, 'room')
    const to = channelOf(listener, 'room')
    const own = heard(from)
    const others = heard(to, 'typing')
    await Promise.all([mustSubscribe(from), mustSubscribe(to)])
    expect(await from.send({ type: 'broadcast', event: 'typing', payload: { to: 'ünï 💙', n: [1] } })).toBe(
      'ok',
    )
    await from.send({ type: 'broadcast', event: 'else', payload: {} })
    await from.send({ type: 'broadcast', event: 'typing', payload: {} })
    await vi.waitFor(() => expect(others).toEqual([{ to: 'ünï 💙', n: [1] }, {}]))
    expect(own).toEqual([])
  })

  test('is acknowledged and comes back where that was asked for', async () => {
    for (const member of [ada, bea]) {
      const channel = channelOf(member, 'mirror', { broadcast: { ack: true, self: true } })
      const own = heard(channel)
      await mustSubscribe(channel)
      expect(await channel.send({ type: 'broadcast', event: 'x', payload: { a: 1 } })).toBe('ok')
      await vi.waitFor(() => expect(own).toEqual([{ a: 1 }]))
    }
  })

  test('bytes arrive as bytes, where the protocol can carry them', async () => {
    const from = channelOf(ada, 'bytes')
    const to = channelOf(cyd, 'bytes')
    const old = channelOf(bea, 'bytes')
    const [got, missed] = [heard(to), heard(old)]
    await Promise.all([mustSubscribe(from), mustSubscribe(to), mustSubscribe(old)])
    await from.send({ type: 'broadcast', event: 'x', payload: new Uint8Array([0, 255, 7]).buffer })
    await from.send({ type: 'broadcast', event: 'x', payload: { last: true } })
    await vi.waitFor(() => expect(missed).toEqual([{ last: true }]))
    expect(new Uint8Array(got[0] as ArrayBuffer)).toEqual(new Uint8Array([0, 255, 7]))
  })

  test('what the database sends with realtime.send is passed on', async () => {
    const channel = channelOf(ada, conversation, PRIVATE)
    const messages = heard(channel, 'news')
    await mustSubscribe(channel)
    const { pg, exclusive } = server.backend
    await exclusive(() => pg.query('select realtime.send($1, $2, $3)', [{ n: 1 }, 'news', conversation]))
    await vi.waitFor(() => expect(messages).toEqual([{ n: 1 }]))
    const left = await exclusive(() => pg.query('select 1 from realtime.messages'))
    expect(left.rows).toEqual([])
  })
})

describe('presence', () => {
  const names = (channel: RealtimeChannel) => Object.keys(channel.presenceState()).sort()

  function present(member: Member, topic: string, config: Config = {}): RealtimeChannel {
    const channel = channelOf(member, topic, { presence: { key: member.username }, ...config })
    return channel.on('presence', { event: 'sync' }, () => undefined)
  }

  test('MSG-10 who is here is told: joining, changing, leaving, and to who comes later', async () => {
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

  test('SET-05 MSG-10 who does not show their activity is not there, from the moment they say so', async () => {
    const showActivity = async (isOn: boolean) => {
      const { error } = await ada.client
        .from('profiles')
        .update({ show_activity_status: isOn })
        .eq('id', ada.id)
      expect(error).toBeNull()
      await server.backend.realtime.settled()
    }
    const [one, other] = [present(ada, conversation, PRIVATE), present(bea, conversation, PRIVATE)]
    await Promise.all([mustSubscribe(one), mustSubscribe(other)])
    await one.track({})
    await other.track({})
    await vi.waitFor(() => expect(names(other)).toEqual(['ada', 'bea']))
    await showActivity(false)
    await vi.waitFor(() => expect(names(other)).toEqual(['bea']))
    expect(await one.track({ mood: 'hidden' })).not.toBe('ok')
    expect(names(one)).toEqual(['bea'])
    expect(names(other)).toEqual(['bea'])
    await showActivity(true)
    expect(await one.track({})).toBe('ok')
    await vi.waitFor(() => expect(names(other)).toEqual(['ada', 'bea']))
  })

  test('MSG-10 who is cut off is gone', async () => {
    const watching = present(ada, 'watch')
    await mustSubscribe(watching)
    const lost = await rawClient(server)
    const { ref } = await lost.join('realtime:watch', { presence: { key: 'lost', enabled: true } })
    const track = { type: 'presence', event: 'TRACK', payload: {} }
    expect(await lost.ask('realtime:watch', 'presence', track, ref)).toMatchObject({
      payload: { status: 'ok' },
    })
    await vi.waitFor(() => expect(names(watching)).toEqual(['lost']))
    lost.socket.terminate()
    await vi.waitFor(() => expect(names(watching)).toEqual([]))
  })

  test('a key of the prototype is a name like any other', async () => {
    const watching = present(ada, 'names')
    await mustSubscribe(watching)
    const odd = await rawClient(server)
    const { ref } = await odd.join('realtime:names', { presence: { key: '__proto__', enabled: true } })
    await odd.ask('realtime:names', 'presence', { event: 'track', payload: { __proto__: 1, a: 1 } }, ref)
    const told = await odd.next(({ event }) => event === 'presence_diff')
    expect(Object.keys(told.payload.joins as object)).toEqual(['__proto__'])
    odd.socket.terminate()
  })

  test('a name is not told to those who did not ask, and only an object can be tracked', async () => {
    const quiet = await rawClient(server)
    const { ref } = await quiet.join('realtime:quiet', { presence: { key: 'q', enabled: false } })
    const answer = await quiet.ask('realtime:quiet', 'presence', { event: 'track', payload: [1] }, ref)
    expect(answer.payload).toEqual({
      status: 'error',
      response: { reason: 'Presence track payload must be a map' },
    })
    expect(quiet.received.filter(({ event }) => event.startsWith('presence'))).toEqual([])
    // Tracking is what turns it on: then it is told who is here.
    await quiet.ask('realtime:quiet', 'presence', { event: 'track', payload: {} }, ref)
    const state = await quiet.next(({ event }) => event === 'presence_state')
    expect(Object.keys(state.payload)).toEqual(['q'])
    quiet.socket.terminate()
  })
})

describe('private channels', () => {
  test('MSG-10 are refused to those who don’t belong, in hosted’s words', async () => {
    for (const topic of [conversation, 'conversation:', 'room', `${conversation} `]) {
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

  test('SAFE-01 the channel of a conversation is closed to both while one blocks the other', async () => {
    const topic = `conversation:${await server.conversation(cyd, ada)}`
    expect(await subscribed(channelOf(ada, topic, PRIVATE))).toMatchObject({ state: 'SUBSCRIBED' })
    await cyd.client.from('blocks').insert({ blocker_id: cyd.id, blocked_id: ada.id })
    for (const member of [ada, cyd]) {
      await member.client.removeAllChannels()
      expect(await subscribed(channelOf(member, topic, PRIVATE))).toMatchObject({ state: 'CHANNEL_ERROR' })
    }
    await cyd.client.from('blocks').delete().eq('blocked_id', ada.id)
    await ada.client.removeAllChannels()
    expect(await subscribed(channelOf(ada, topic, PRIVATE))).toMatchObject({ state: 'SUBSCRIBED' })
  })

  test('SAFE-01 MSG-10 who is in the channel when one blocks the other leaves it at once, and no other', async () => {
    const dan = await server.member('dan')
    const topic = `conversation:${await server.conversation(cyd, dan)}`
    const closed: string[] = []
    const said: string[] = []
    const open = [
      [cyd, topic],
      [dan, topic],
      [ada, conversation],
    ] as const
    for (const [member, name] of open) {
      const channel = channelOf(member, name, PRIVATE)
      channel.on('system', {}, ({ message }) => said.push(message))
      await new Promise<void>((resolve) => {
        channel.subscribe((state) => {
          if (state === 'SUBSCRIBED') resolve()
          else if (state === 'CLOSED') closed.push(member.username)
        })
      })
    }
    await dan.client.from('blocks').insert({ blocker_id: dan.id, blocked_id: cyd.id })
    await vi.waitFor(() => expect(closed.sort()).toEqual(['cyd', 'dan']))
    await server.backend.realtime.settled()
    expect(said).toEqual(
      Array(2).fill(`You no longer have permission to read from this Channel topic: ${topic}`),
    )
    expect(await channelState(ada, conversation)).toBe('joined')
  })

  test('MSG-10 a public channel of the same name is another room', async () => {
    const inside = [channelOf(ada, conversation, PRIVATE), channelOf(bea, conversation, PRIVATE)] as const
    const outside = channelOf(cyd, conversation, { presence: { key: 'cyd' } })
    outside.on('presence', { event: 'sync' }, () => undefined)
    const [overheard, answered] = [heard(outside), heard(inside[1])]
    await Promise.all([...inside, outside].map(mustSubscribe))
    await outside.send({ type: 'broadcast', event: 'typing', payload: { from: 'cyd' } })
    await inside[0].send({ type: 'broadcast', event: 'typing', payload: { from: 'ada' } })
    await inside[0].track({})
    await vi.waitFor(() => expect(answered).toEqual([{ from: 'ada' }]))
    expect(overheard).toEqual([])
    expect(outside.presenceState()).toEqual({})
  })
})
