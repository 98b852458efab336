import { postgresChangesFilter } from '@supabase/supabase-js'
import { expect, test, vi } from 'vitest'
import { type Binding, follow, type Row, settle } from '#tests/backend/realtime/follow'
import { rawClient } from '#tests/backend/realtime/raw-client'
import { sendMessage, startWithMembers, subscribed } from '#tests/backend/realtime/support'

const { server, ada, bea, cyd, conversation } = await startWithMembers()

const OPERATORS: [filter: string, isMet: boolean][] = [
  ['content=eq.Ping', false],
  ['content=eq."Ping, \\"x\\" (1)"', true],
  ['content=neq.else', true],
  ['content=not.eq.else', true],
  ['content=in.(else,"Ping, \\"x\\" (1)")', true],
  ['content=not.in.(else,other)', true],
  ['content=in.(else)', false],
  ['content=like.Ping%', true],
  ['content=like.ping%', false],
  ['content=not.like.%\\\\', true],
  ['content=ilike.ping%', true],
  ['content=not.ilike.ping%', false],
  ['content=match.^Ping', true],
  ['content=imatch.^ping', true],
  ['content=match.^ping', false],
  ['content=isdistinct.else', true],
  ['content=not.isdistinct.else', false],
  ['deleted_at=is.null', true],
  ['deleted_at=not.is.null', false],
  ['read=is.false', true],
  ['read=is.unknown', false],
  ['read=eq.f', true],
  ['deleted_at=isdistinct.2020-01-01', true],
  // A null meets no comparison, negated or not.
  ['deleted_at=neq.2020-01-01', false],
  ['deleted_at=not.eq.2020-01-01', false],
  ['created_at=gt.2020-01-01', true],
  ['created_at=gte.2020-01-01', true],
  ['created_at=lt.2020-01-01', false],
  ['created_at=lte.2020-01-01', false],
  ['created_at=gt.2020-01-01,read=eq.false,content=like.%Ping%', true],
  ['created_at=gt.2020-01-01,read=eq.true', false],
  ['', true],
]

test('each operator filters as PostgREST’s does, many on one channel', async () => {
  const { told, said } = await follow(
    bea,
    ...OPERATORS.map(([filter]) => ({ event: 'INSERT' as const, table: 'messages', filter })),
  )
  expect(said).toEqual(['ok: Subscribed to PostgreSQL'])
  await sendMessage(ada, conversation, 'Ping, "x" (1)')
  await vi.waitFor(() => expect(told.at(-1)).toHaveLength(1))
  await settle(server, bea)
  expect(OPERATORS.map(([filter], at) => [filter, told[at]?.length === 1])).toEqual(OPERATORS)
})

test('supabase-js’s own filter builder is understood', async () => {
  const filter = postgresChangesFilter()
    .in('content', ['a,b', 'say "hi" \\ (so)', 'null'])
    .not('sender_id', 'in', [cyd.id])
    .is('deleted_at', null)
    .build()
  const { told } = await follow(bea, { event: 'INSERT', table: 'messages', filter })
  for (const text of ['other', 'say "hi" \\ (so)', 'a,b']) await sendMessage(ada, conversation, text)
  await vi.waitFor(() => expect(told[0]).toHaveLength(2))
  expect(told[0]?.map((event) => (event.new as Row).content)).toEqual(['say "hi" \\ (so)', 'a,b'])
})

test('a whole schema, all schemas, and chosen columns', async () => {
  const { told } = await follow(
    bea,
    { event: 'INSERT' },
    { event: 'INSERT', schema: '*' },
    { event: 'INSERT', schema: '*', table: 'messages' },
    { event: 'INSERT', table: 'messages', select: ['content'] },
    { event: 'UPDATE', table: 'messages' },
  )
  const id = await sendMessage(ada, conversation, 'everywhere')
  await vi.waitFor(() => expect(told.slice(0, 4).map((events) => events.length)).toEqual([1, 1, 1, 1]))
  expect(told[3]?.[0]?.new).toEqual({ id, content: 'everywhere' })
  expect(told[4]).toEqual([])
})

const IN_FULL =
  'Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: '
const REFUSED: [binding: Binding, message: string | RegExp][] = [
  [
    { table: 'nothing' },
    'Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [event: *, schema: public, table: nothing, filters: [], select: nil]',
  ],
  // Not in the publication.
  [{ table: 'profiles' }, /Please check Realtime is enabled/],
  [{ schema: 'auth', table: 'users' }, /Please check Realtime is enabled/],
  [{ schema: 'realtime', table: 'messages' }, /Please check Realtime is enabled/],
  [{ table: 'messages', filter: 'undefined' }, 'Error parsing `filter` params: ["undefined"]'],
  [{ table: 'messages', filter: 'content=foo.hey' }, 'Error parsing `filter` params: ["foo", "hey"]'],
  [{ table: 'messages', filter: 'content=eq' }, 'Error parsing `filter` params: ["eq"]'],
  [
    { table: 'messages', filter: 'content=in.a,b' },
    'Error parsing `filter` params: `in` filter value must be wrapped by parentheses',
  ],
  [
    { table: 'messages', filter: 'content=eq.a,,read=eq.true' },
    'Error parsing `filter` params: filter must not contain empty segments (check for extra commas)',
  ],
  [
    { table: 'messages', filter: 'nothing=eq.a' },
    `${IN_FULL}[event: *, schema: public, table: messages, filters: [{"nothing", "eq", "a", false}], select: nil]. Exception: invalid column for filter nothing`,
  ],
  [{ table: 'messages', filter: 'id=eq.7' }, /invalid input syntax for type uuid: "7"$/],
  [{ table: 'messages', filter: 'id=like.7%' }, /Exception: /],
  [{ table: 'messages', filter: 'content=match.(' }, /invalid regular expression/],
  [{ table: 'messages', filter: 'content=is.null) or (true' }, /invalid value for is filter/],
  // Sound until a row begins with `a`: then the statement that matches everybody's filters would fail.
  [{ table: 'messages', filter: 'content=like.a%\\' }, /LIKE pattern must not end with escape character$/],
  [{ table: 'messages', filter: 'content=not.ilike.%\\\\\\' }, /must not end with escape character$/],
  [{ table: 'messages', filter: 'content=is.true' }, /is true filter requires a boolean column, got text$/],
  [
    { table: 'messages', filter: `content=in.(${Array(101).fill('a')})` },
    /too many values for `in` filter. Maximum 100$/,
  ],
  [{ table: 'messages', select: ['nothing'] }, /invalid column for select nothing$/],
  [{ schema: '*', select: ['id'] }, /^error: Column selection is not supported for wildcard subscriptions/],
  [{ schema: '*', filter: 'content=eq.a' }, /^error: No subscription params provided/],
  [{ schema: '*', table: '*', filter: 'content=eq.a' }, /invalid column for filter content$/],
  [{ table: 'messages', filter: 'content"; drop table messages; --=eq.a' }, /invalid column for filter/],
]

test.each(REFUSED)('%o is refused with a system message after the join', async (binding, message) => {
  const { told, said } = await follow(bea, binding, { event: 'INSERT', table: 'messages' })
  expect(said[0]).toMatch(typeof message === 'string' ? /^error: / : message)
  if (typeof message === 'string') expect(said).toEqual([`error: ${message}`])
  // One that is refused leaves the channel without any, as on hosted.
  await sendMessage(ada, conversation, 'for nobody')
  await settle(server, bea)
  expect(told).toEqual([[], []])
})

test('a binding of nothing, or of what is no object, is refused too', async () => {
  for (const binding of [
    {},
    { event: '*' },
    { filter: 'id=eq.1' },
    7,
    'public',
    [],
    { schema: 5, table: {} },
  ]) {
    const client = await rawClient(server)
    const joined = await client.join('realtime:x', { postgres_changes: [binding] })
    expect(joined.payload).toMatchObject({ status: 'ok' })
    const { payload } = await client.next(({ event }) => event === 'system')
    expect(payload.message).toMatch(/^No subscription params provided/)
    client.socket.terminate()
  }
})

test('a channel that waits for its bindings is refused by them', async () => {
  const options = { config: { postgres_changes_options: { wait: true } } }
  const channel = bea.client.channel('waits', options)
  channel.on('postgres_changes', { event: '*', schema: 'public', table: 'nothing' }, () => undefined)
  expect(await subscribed(channel)).toEqual({
    state: 'CHANNEL_ERROR',
    reason: expect.stringMatching(/^RealtimeDisabledForConfiguration: Unable to subscribe/),
  })
  await bea.client.removeChannel(channel)
})
