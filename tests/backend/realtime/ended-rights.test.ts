import { expect, onTestFinished, test, vi } from 'vitest'
import { waitForDelivery } from '#tests/backend/realtime/follow'
import { type Member, startWithMembers, subscribed } from '#tests/backend/realtime/support'
import { asQuery } from '#tests/statement'
import { makeGroup as makeGroupOf, putInto } from '#tests/supabase/schema/support/groups'

const { server, ada: reader, bea: keeper, cyd: commenter } = await startWithMembers()
const { pg, exclusive } = server.backend
/** As the operator: members cannot make groups yet. */
const sql = asQuery((text, parameters) =>
  exclusive(async () => (await pg.query<Record<string, unknown>>(text, parameters)).rows),
)

const PRIVATE = { config: { private: true } } as const

const setPrivate = ({ client, id }: Member, isPrivate: boolean) =>
  client.from('profiles').update({ is_private: isPrivate }).eq('id', id).throwOnError()
/** As the operator, who can make anybody follow a private account. */
const follow = (follower: Member, author: Member) =>
  exclusive(() =>
    pg.query('insert into follows (follower_id, following_id) values ($1, $2)', [follower.id, author.id]),
  )
const unfollow = (by: Member, follower: Member, author: Member) =>
  by.client
    .from('follows')
    .delete()
    .match({ follower_id: follower.id, following_id: author.id })
    .throwOnError()
const block = ({ client }: Member, blocked: Member) =>
  client.rpc('block_members', { ids: [blocked.id] }).throwOnError()
const post = async ({ client, id: author }: Member): Promise<string> => {
  const id = crypto.randomUUID()
  await client.from('posts').insert({ id, user_id: author, content: 'Low tide' }).throwOnError()
  return id
}
/** As the operator, so that every author can comment on every post. */
const comment = async ({ id: author }: Member, onPost: string): Promise<string> => {
  const id = crypto.randomUUID()
  const sql = `insert into comments (id, post_id, user_id, content) values ($1, $2, $3, 'Fog')`
  await exclusive(() => pg.query(sql, [id, onPost, author]))
  return id
}

/** Joins a private channel as a member. `heard` are the ids of its broadcasts. */
async function join(
  { client }: Member,
  topic: string,
): Promise<{ heard: string[]; states: string[]; isClosed(): boolean }> {
  const heard: string[] = []
  const states: string[] = []
  const channel = client.channel(topic, PRIVATE)
  onTestFinished(() => client.removeChannel(channel).then(() => undefined))
  channel.on('broadcast', { event: '*' }, ({ payload }) => heard.push(...payload.ids))
  await new Promise<void>((resolve) => {
    channel.subscribe((state) => {
      states.push(state)
      resolve()
    })
  })
  expect(states).toEqual(['SUBSCRIBED'])
  return { heard, states, isClosed: () => states.includes('CLOSED') }
}

/** A fresh private account with a post that `reader` and `keeper` follow and watch. */
async function watchPost(username: string) {
  const author = await server.member(username)
  await setPrivate(author, true)
  await Promise.all([follow(reader, author), follow(keeper, author)])
  const id = await post(author)
  return {
    author,
    id,
    lost: await join(reader, `post:${id}`),
    kept: await join(keeper, `post:${id}`),
  }
}

test.each<[string, string, (author: Member) => PromiseLike<unknown>]>([
  [
    'PROF-04 a member who unfollows a private account',
    'unfollowed',
    (author) => unfollow(reader, reader, author),
  ],
  [
    'PROF-04 a removed follower of a private account',
    'remover',
    (author) => unfollow(author, reader, author),
  ],
  ['SAFE-01 a member after the author has blocked them', 'blocker', (author) => block(author, reader)],
  ['SAFE-01 a member who blocks the author', 'blocked', (author) => block(reader, author)],
])('%s leaves the channel of the open post, and others stay', async (_, name, lose) => {
  const { author, id, lost, kept } = await watchPost(name)
  await lose(author)
  await server.backend.realtime.settled()
  await vi.waitFor(() => expect(lost.isClosed()).toBe(true))
  const written = await comment(keeper, id)
  await vi.waitFor(() => expect(kept.heard).toEqual([written]))
  expect([lost.heard, kept.isClosed()]).toEqual([[], false])
})

test('nothing is sent between the loss of a right and the check', async () => {
  const { author } = await watchPost('gap')
  // Rights are checked one after the other: the last channel waits.
  for (const other of [await post(author), await post(author)]) await join(reader, `post:${other}`)
  const id = await post(author)
  const [lost, kept] = [await join(reader, `post:${id}`), await join(keeper, `post:${id}`)]
  await exclusive(async () => {
    await pg.query('delete from follows where follower_id = $1 and following_id = $2', [reader.id, author.id])
    await pg.query(`insert into comments (post_id, user_id, content) values ($1, $2, 'Fog')`, [id, keeper.id])
  })
  await vi.waitFor(() => expect(kept.heard).toHaveLength(1))
  await vi.waitFor(() => expect(lost.isClosed()).toBe(true))
  expect(lost.heard).toEqual([])
})

test.each<[string, string, (author: Member) => PromiseLike<unknown>]>([
  ['goes private', 'shy', (author) => setPrivate(author, true)],
  [
    'has a post whose audience the operator changes',
    'moderated',
    ({ id }) => exclusive(() => pg.query(`update posts set audience = 'followers' where user_id = $1`, [id])),
  ],
])(
  'SET-04 strangers leave the channels of an account that %s; its author and followers stay',
  async (_, name, hide) => {
    const author = await server.member(name)
    await follow(keeper, author)
    const id = await post(author)
    const topic = `post:${id}`
    const [stranger, kept, own] = [
      await join(reader, topic),
      await join(keeper, topic),
      await join(author, topic),
    ]
    const before = await comment(commenter, id)
    await vi.waitFor(() => expect(stranger.heard).toEqual([before]))
    await hide(author)
    await vi.waitFor(() => expect(stranger.isClosed()).toBe(true))
    const after = await comment(keeper, id)
    await vi.waitFor(() =>
      expect([kept.heard, own.heard]).toEqual([
        [before, after],
        [before, after],
      ]),
    )
    expect([stranger.heard, kept.isClosed(), own.isClosed()]).toEqual([[before], false, false])
  },
)

test.each<[string, string, (author: Member, id: string) => PromiseLike<unknown>]>([
  ['FEED-11 a post', 'tidy', ({ client }, id) => client.rpc('delete_posts', { ids: [id] }).throwOnError()],
  ['SET-03 an account', 'gone', ({ client }) => client.rpc('delete_account').throwOnError()],
])('everybody leaves the channel when %s is deleted, and stays in others', async (_, name, remove) => {
  const { author, id, lost, kept } = await watchPost(name)
  const other = await join(reader, `member:${reader.id}`)
  await remove(author, id)
  await vi.waitFor(() => expect([lost.isClosed(), kept.isClosed()]).toEqual([true, true]))
  await waitForDelivery(server, reader)
  expect(other.isClosed()).toBe(false)
})

test('FEED-15 everybody but its author leaves the channel of a post that is hidden', async () => {
  const { author, id, lost, kept } = await watchPost('concealed')
  const own = await join(author, `post:${id}`)
  await exclusive(() =>
    pg.query(`select private.set_item_state('public.posts', array[$1::uuid], 'hidden')`, [id]),
  )
  await vi.waitFor(() => expect([lost.isClosed(), kept.isClosed()]).toEqual([true, true]))
  await waitForDelivery(server, author)
  expect(own.isClosed()).toBe(false)
})

test('SET-03 the other member leaves the channel of a conversation when an account is deleted', async () => {
  const leaver = await server.member('leaver')
  const channel = await join(reader, `room:${await server.conversation(reader, leaver)}:0`)
  await leaver.client.rpc('delete_account').throwOnError()
  await vi.waitFor(() => expect(channel.isClosed()).toBe(true))
})

/** The group of `keeper` with `reader`. */
async function makeGroup(): Promise<string> {
  const group = await makeGroupOf(sql, keeper.id)
  await putInto(sql, group, reader.id, 'in')
  return group
}
const write = async ({ client, id }: Member, group: string): Promise<string> => {
  const message = crypto.randomUUID()
  await client
    .from('messages')
    .insert({ id: message, conversation_id: group, sender_id: id, content: 'Fog' })
    .throwOnError()
  return message
}

test.each<[string, (group: string) => Promise<unknown>]>([
  ['is removed from', (group) => putInto(sql, group, reader.id, 'removed')],
  ['leaves', (group) => putInto(sql, group, reader.id, 'left')],
  [
    'has no row any more in',
    (group) =>
      sql`delete from conversation_members where conversation_id = ${group} and member_id = ${reader.id}`,
  ],
])('who %s a group leaves its channels within two seconds, and hears nothing of later', async (_, lose) => {
  const group = await makeGroup()
  const topics = (epoch: number) => [`conversation:${group}:${epoch}`, `room:${group}:${epoch}`] as const
  const [told, room] = topics(0)
  const lost = [await join(reader, told), await join(reader, room)]
  const kept = await join(keeper, told)
  const first = await write(reader, group)
  await vi.waitFor(() => expect([lost[0]?.heard, kept.heard]).toEqual([[first], [first]]))
  await lose(group)
  await vi.waitFor(() => expect(lost.map((channel) => channel.isClosed())).toEqual([true, true]), 2_000)
  // Who is still in learns of the next epoch in the old one.
  await vi.waitFor(() => expect(kept.heard).toEqual([first, group]))
  const next = await join(keeper, topics(1)[0])
  const second = await write(keeper, group)
  await vi.waitFor(() => expect(next.heard).toEqual([second]))
  expect(kept.heard).toEqual([first, group])
  expect(lost[0]?.heard).not.toContain(second)
  for (const topic of [...topics(0), ...topics(1), ...topics(2)])
    expect(await subscribed(reader.client.channel(topic, PRIVATE))).toMatchObject({ state: 'CHANNEL_ERROR' })
  await reader.client.removeAllChannels()
})

test('everybody leaves the channels of a group that is deleted', async () => {
  const group = await makeGroup()
  const channels = [await join(reader, `conversation:${group}:0`), await join(keeper, `room:${group}:0`)]
  await sql`delete from conversations where id = ${group}`
  await vi.waitFor(() => expect(channels.map((channel) => channel.isClosed())).toEqual([true, true]))
})

test('SAFE-01 FEED-15 a member gets no ids of comments, new or deleted, across a block with their author', async () => {
  const { id, lost: fromReader, kept } = await watchPost('host')
  const hidden = await server.member('hidden')
  await block(reader, hidden)
  await block(hidden, commenter)
  const watching = await join(hidden, `post:${await post(keeper)}`)
  const ofHidden = await comment(hidden, id)
  await exclusive(() => pg.query('delete from comments where id = $1', [ofHidden]))
  const ofCommenter = await comment(commenter, id)
  await vi.waitFor(() => expect(kept.heard).toEqual([ofHidden, ofHidden, ofCommenter]))
  await vi.waitFor(() => expect(fromReader.heard).toEqual([ofCommenter]))
  expect(watching.heard).toEqual([])
})

test('a comment whose readers cannot be found makes clients rejoin and refetch', async () => {
  const { id, kept } = await watchPost('unlucky')
  const query = pg.query.bind(pg)
  const spy = vi.spyOn(pg, 'query').mockImplementation((sql, ...rest) => {
    if (sql.includes('from public.blocks')) return Promise.reject(new Error('no memory'))
    return query(sql, ...rest)
  })
  onTestFinished(() => spy.mockRestore())
  await comment(commenter, id)
  await vi.waitFor(() => expect(kept.states).toContain('CHANNEL_ERROR'))
  expect(kept.heard).toEqual([])
})

test('more than a thousand comments at once are all told, in order and with few queries', async () => {
  const { id, kept } = await watchPost('crowded')
  const first = await comment(commenter, id)
  await vi.waitFor(() => expect(kept.heard).toEqual([first]))
  const reads = vi.spyOn(pg, 'query')
  onTestFinished(() => reads.mockRestore())
  const told = Array.from({ length: 1_200 }, () => crypto.randomUUID())
  const sql = `select realtime.send(
    jsonb_build_object('table', 'comments', 'ids', array[id], 'author', $1::text), 'change', $2, true
  ) from unnest($3::text[]) as id`
  await exclusive(() => pg.query(sql, [commenter.id, `post:${id}`, told]))
  await vi.waitFor(() => expect(kept.heard).toEqual([first, ...told]), 10_000)
  expect(reads.mock.calls.length).toBeLessThan(20)
})

test('the loss of a right checks the channels concerned only, and a deletion checks none', async () => {
  const topics: string[] = []
  const authors = await Promise.all(['one', 'two', 'three'].map((name) => server.member(`cost_${name}`)))
  for (const author of authors) {
    await follow(reader, author)
    for (let number = 0; number < 4; number += 1) topics.push(`post:${await post(author)}`)
  }
  const [ofFirst = ''] = topics
  const channels = await Promise.all(topics.flatMap((topic) => [join(reader, topic), join(keeper, topic)]))
  const reads = vi.spyOn(pg, 'transaction')
  onTestFinished(() => reads.mockRestore())
  const readsAfter = async (sql: string, values: string[]) => {
    reads.mockClear()
    await exclusive(() => pg.query(sql, values))
    await server.backend.realtime.settled()
    return reads.mock.calls.length
  }
  const [first, second] = authors
  const ended = await readsAfter('delete from follows where follower_id = $1 and following_id = $2', [
    reader.id,
    first?.id ?? '',
  ])
  // Every post of the author once for each of the two members.
  const hidden = await readsAfter('update profiles set is_private = true where id = $1', [second?.id ?? ''])
  const deleted = await readsAfter('delete from posts where id = $1', [ofFirst.slice('post:'.length)])
  expect({ ended, hidden, deleted }).toEqual({ ended: 4, hidden: 8, deleted: 0 })
  await vi.waitFor(() => expect(channels.filter((channel) => channel.isClosed())).toHaveLength(2 + 4))
})

test('a suspended member leaves every channel, also the own one, and others stay', async () => {
  const id = await post(await server.member('judge'))
  const held = await server.member('held')
  const channels = [await join(held, `post:${id}`), await join(held, `member:${held.id}`)]
  const kept = await join(keeper, `post:${id}`)
  await exclusive(() =>
    pg.query(`insert into private.member_states (member_id, state) values ($1, 'suspended')`, [held.id]),
  )
  await vi.waitFor(() => expect(channels.map((channel) => channel.isClosed())).toEqual([true, true]))
  expect(kept.isClosed()).toBe(false)
})
