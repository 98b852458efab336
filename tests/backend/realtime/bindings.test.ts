import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { follow, waitForDelivery } from '#tests/backend/realtime/follow'
import { type RawClient, rawClient } from '#tests/backend/realtime/raw-client'
import { sendMessage, startWithMembers, subscribed } from '#tests/backend/realtime/support'

const { server, ada, bea, cyd, conversation } = await startWithMembers()

const MESSAGES = { event: 'INSERT', schema: 'public', table: 'messages' } as const
const OTHER_ID = '00000000-0000-4000-8000-000000000001'

/** Joins a channel as a member with one binding and returns the reply. */
async function join(binding: unknown, member = bea, beforeJoin: () => void = () => undefined) {
  const client = await openRaw()
  const config = { postgres_changes: [binding] }
  const token = await server.token({ sub: member.id })
  beforeJoin()
  const { payload } = await client.join('realtime:raw', config, token)
  return payload
}

async function openRaw(): Promise<RawClient> {
  const client = await rawClient(server)
  onTestFinished(() => client.socket.terminate())
  return client
}

const FILTERS: [filter: string, isMet: boolean][] = [
  [`conversation_id=eq.${conversation}`, true],
  [`conversation_id=eq.${conversation.toUpperCase()}`, true],
  [`conversation_id=eq.${OTHER_ID}`, false],
]

test('MSG-05 new messages are filtered by conversation, with several bindings on one channel', async () => {
  const { delivered, systemMessages } = await follow(
    bea,
    ...FILTERS.map(([filter]) => ({ table: 'messages' as const, filter })),
  )
  expect(systemMessages).toEqual(['ok: Subscribed to PostgreSQL'])
  await sendMessage(ada, conversation, 'Ping, "x" (1)')
  await vi.waitFor(() => expect(delivered[0]).toHaveLength(1))
  await waitForDelivery(server, bea)
  expect(FILTERS.map(([filter], at) => [filter, delivered[at]?.length === 1])).toEqual(FILTERS)
})

const FILTER_REFUSAL = {
  status: 'error',
  response: {
    reason:
      'RealtimeDisabledForConfiguration: Unable to subscribe to changes with given parameters. The filter is conversation_id=eq. and a uuid',
  },
}
const CONFIGURATION_REFUSAL = {
  status: 'error',
  response: {
    reason:
      'RealtimeDisabledForConfiguration: Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters',
  },
}

describe('rejects a binding and its channel', () => {
  const operators = 'neq lt lte gt gte like ilike is in match imatch isdistinct cs fts not.eq not.in'.split(
    ' ',
  )

  test.each(operators)('with the operator %s', async (operator) => {
    expect(await join({ ...MESSAGES, filter: `conversation_id=${operator}.${conversation}` })).toEqual(
      FILTER_REFUSAL,
    )
    expect(await join({ ...MESSAGES, filter: `content=${operator}.a` })).toEqual(FILTER_REFUSAL)
  })

  test.each(['content', 'created_at', 'read', 'recipient_id', 'sender_id', 'id'])(
    'on the column %s',
    async (column) => {
      for (const value of ['eq.a', `eq.${bea.id}`]) {
        expect(await join({ ...MESSAGES, filter: `${column}=${value}` })).toEqual(FILTER_REFUSAL)
      }
    },
  )

  test.each([
    '',
    'undefined',
    'conversation_id',
    'conversation_id=eq',
    'conversation_id=eq.7',
    `conversation_id=eq.${OTHER_ID}%`,
    `conversation_id=eq."${OTHER_ID}"`,
    `conversation_id=in.(${OTHER_ID})`,
    `conversation_id=eq.${OTHER_ID},sender_id=eq.${OTHER_ID}`,
    `nothing=eq.${OTHER_ID}`,
    `__proto__=eq.${OTHER_ID}`,
    `conversation_id"; drop table messages; --=eq.${OTHER_ID}`,
  ])('with the filter %s', async (filter) => {
    expect(await join({ ...MESSAGES, filter })).toEqual(FILTER_REFUSAL)
  })

  const filter = `conversation_id=eq.${OTHER_ID}`
  const unserved: unknown[] = [
    MESSAGES,
    { ...MESSAGES, filter, event: '*' },
    { ...MESSAGES, filter, event: 'UPDATE' },
    { ...MESSAGES, filter, event: 'DELETE' },
    { ...MESSAGES, filter, event: 'insert' },
    { ...MESSAGES, filter, schema: '*' },
    { ...MESSAGES, filter, table: '*' },
    { ...MESSAGES, filter, table: 'profiles' },
    { ...MESSAGES, filter, table: '__proto__' },
    { ...MESSAGES, filter, schema: 'auth', table: 'users' },
    { ...MESSAGES, filter, schema: 'realtime' },
    { ...MESSAGES, filter, select: ['content'] },
    { ...MESSAGES, table: 'notifications', event: 'UPDATE', filter: `user_id=eq.${bea.id}` },
    { event: 'INSERT', filter },
    {},
    7,
    'public',
    [],
    null,
  ]
  test.each(unserved.map((binding) => [JSON.stringify(binding), binding]))(
    'that is %s',
    async (_, binding) => {
      expect(await join(binding)).toEqual(CONFIGURATION_REFUSAL)
    },
  )

  test('without a member’s token', async () => {
    const client = await openRaw()
    const config = { postgres_changes: [{ ...MESSAGES, filter }] }
    for (const token of [undefined, server.backend.publishableKey, await server.token({})]) {
      const { payload } = await client.join('realtime:raw', config, token)
      expect(payload).toEqual({
        status: 'error',
        response: { reason: 'Unauthorized: Only members can subscribe to changes' },
      })
    }
  })

  test('in a private channel', async () => {
    const client = await openRaw()
    const config = { private: true, postgres_changes: [{ ...MESSAGES, filter }] }
    const token = await server.token({ sub: bea.id })
    for (const topic of [`room:${conversation}:0`, `member:${bea.id}`]) {
      const { payload } = await client.join(`realtime:${topic}`, config, token)
      expect(payload).toMatchObject({ status: 'error' })
    }
  })

  test('together with valid ones, also with supabase-js, and then delivers nothing', async () => {
    const channel = bea.client.channel('mixed')
    onTestFinished(() => bea.client.removeChannel(channel).then(() => undefined))
    const delivered: unknown[] = []
    channel
      .on('postgres_changes', { ...MESSAGES, filter }, (event) => delivered.push(event))
      .on('postgres_changes', { ...MESSAGES, filter: 'content=like.a%' }, (event) => delivered.push(event))
    expect(await subscribed(channel)).toEqual({
      state: 'CHANNEL_ERROR',
      reason: FILTER_REFUSAL.response.reason,
    })
    await sendMessage(ada, conversation, 'for nobody')
    await waitForDelivery(server, bea)
    expect(delivered).toEqual([])
  })
})

describe('hidden rows', () => {
  const secret = 'Meet me at nine'

  /** Sends the secret from Ada to Bea and returns how many queries Realtime made, except for Bea. */
  async function countReads(): Promise<number> {
    const spy = vi.spyOn(server.backend.pg, 'transaction')
    onTestFinished(() => spy.mockRestore())
    const { pg, exclusive } = server.backend
    const insert = 'insert into messages (conversation_id, sender_id, content) values ($1, $2, $3)'
    await exclusive(() => pg.query(insert, [conversation, ada.id, secret]))
    await server.backend.realtime.settled()
    const { length } = spy.mock.calls
    spy.mockRestore()
    return length
  }

  test('two guesses at the content of a hidden message get the same rejection, without a query', async () => {
    const guesses = [`content=eq.${secret}`, 'content=eq.Something else', 'content=match.^Meet.*(a+)+$']
    const { pg } = server.backend
    const replies: unknown[] = []
    for (const filter of guesses) {
      const asked = [vi.spyOn(pg, 'query'), vi.spyOn(pg, 'transaction')]
      const forgetOwn = () => asked.forEach((spy) => void spy.mockClear())
      replies.push(await join({ ...MESSAGES, filter }, cyd, forgetOwn))
      expect(asked.map(({ mock }) => mock.calls.length)).toEqual([0, 0])
      for (const spy of asked) spy.mockRestore()
    }
    expect(replies).toEqual(Array(guesses.length).fill(FILTER_REFUSAL))
  })

  test('a right and a wrong guess at the uuids of a hidden message both cause no query', async () => {
    const before = await countReads()
    const client = await openRaw()
    const token = await server.token({ sub: cyd.id })
    const wrong = { ...MESSAGES, filter: `conversation_id=eq.${OTHER_ID}` }
    await client.join('realtime:wrong', { postgres_changes: [wrong] }, token)
    const withWrong = await countReads()
    const right = { ...MESSAGES, filter: `conversation_id=eq.${conversation}` }
    const { payload } = await client.join('realtime:right', { postgres_changes: [right] }, token)
    expect(payload).toMatchObject({ status: 'ok' })
    expect([before, withWrong, await countReads()]).toEqual([0, 0, 0])
    await client.ask('phoenix', 'heartbeat', {})
    expect(client.received.some(({ event }) => event === 'postgres_changes')).toBe(false)
  })

  test('a row is read only for the members in it, before their filters are checked', async () => {
    const { delivered } = await follow(bea, {
      table: 'messages',
      filter: `conversation_id=eq.${OTHER_ID}`,
    })
    expect(await countReads()).toBe(1)
    expect(delivered[0]).toEqual([])
  })
})
