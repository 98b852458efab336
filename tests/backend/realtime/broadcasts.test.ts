import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { STORED_COLUMNS } from '#/renderer/features/messages/message'
import { NOTIFICATION_COLUMNS } from '#/renderer/features/notifications/queries'
import { waitForDelivery } from '#tests/backend/realtime/follow'
import { rawClient } from '#tests/backend/realtime/raw-client'
import { type Member, mustSubscribe, sendMessage, startWithMembers } from '#tests/backend/realtime/support'

const { server, ada, bea, cyd, conversation } = await startWithMembers()
const { pg, exclusive } = server.backend

interface ReceivedBroadcast {
  event: string
  payload: { table: string; type: string; ids: string[]; own: boolean; rows?: { id: string }[] }
  meta?: { id: string }
}

/** Joins a private channel, by default the member's own, as a member and returns its broadcasts. */
async function listen({ client, id }: Member, topic = `member:${id}`): Promise<ReceivedBroadcast[]> {
  const broadcasts: ReceivedBroadcast[] = []
  const channel = client.channel(topic, { config: { private: true } })
  onTestFinished(() => client.removeChannel(channel).then(() => undefined))
  channel.on('broadcast', { event: '*' }, (message) =>
    broadcasts.push(message as unknown as ReceivedBroadcast),
  )
  await mustSubscribe(channel)
  return broadcasts
}

const INSERT =
  'insert into messages (conversation_id, sender_id, content) select $1, $2, text from unnest($3::text[]) as text'

describe('a change of rows', () => {
  test('MSG-05 MSG-10 of a message is broadcast to its sender and its recipient, with the row if it is new', async () => {
    const [toAda, toBea, toCyd] = [await listen(ada), await listen(bea), await listen(cyd)]
    const id = await sendMessage(ada, conversation, 'a secret')
    const { data: row } = await bea.client.from('messages').select(STORED_COLUMNS).eq('id', id).single()
    await bea.client.from('messages').update({ read: true }).eq('id', id)
    await vi.waitFor(() => expect([toAda.length, toBea.length]).toEqual([2, 2]))
    await waitForDelivery(server, cyd)
    for (const [broadcasts, isAda] of [
      [toAda, true],
      [toBea, false],
    ] as const) {
      expect(broadcasts.map(({ event, payload }) => ({ event, ...payload }))).toEqual([
        {
          event: 'change',
          table: 'messages',
          type: 'INSERT',
          ids: [id],
          own: isAda,
          rows: [{ ...row, recipient_id: bea.id }],
        },
        { event: 'change', table: 'messages', type: 'UPDATE', ids: [id], own: !isAda },
      ])
      expect(broadcasts[0]?.meta?.id).toMatch(/^[\da-f-]{36}$/)
    }
    expect(toCyd).toEqual([])
  })

  test('MSG-11 of a reaction is broadcast to both as a change of its message, and once when the message is unsent', async () => {
    const id = await sendMessage(ada, conversation, 'to react to')
    const [toAda, toBea, toCyd] = [await listen(ada), await listen(bea), await listen(cyd)]
    const reactions = bea.client.from('message_reactions')
    const own = { message_id: id, member_id: bea.id }
    const writes = [
      () => reactions.insert({ ...own, emoji: '👍' }),
      () => reactions.update({ emoji: '🔥' }).match(own),
      () => reactions.delete().match(own),
      () => reactions.insert({ ...own, emoji: '😂' }),
      () => ada.client.from('messages').update({ deleted_at: new Date().toISOString() }).eq('id', id),
    ]
    for (const write of writes) expect((await write()).error).toBeNull()
    await vi.waitFor(() => expect([toAda.length, toBea.length]).toEqual([5, 5]))
    await waitForDelivery(server, cyd)
    for (const [broadcasts, isAda] of [
      [toAda, true],
      [toBea, false],
    ] as const)
      expect(broadcasts.map(({ payload }) => payload)).toEqual(
        writes.map((_, at) => ({ table: 'messages', type: 'UPDATE', ids: [id], own: (at === 4) === isAda })),
      )
    expect(toCyd).toEqual([])
  })

  test('MSG-14 a delivery is broadcast to the sender, once for a burst of messages', async () => {
    for (let count = 0; count < 3; count += 1) await sendMessage(ada, conversation, 'one of three')
    const [toAda, toBea] = [await listen(ada), await listen(bea)]
    expect((await bea.client.rpc('mark_delivered')).error).toBeNull()
    expect((await bea.client.rpc('mark_delivered')).error).toBeNull()
    await vi.waitFor(() => expect(toAda).toHaveLength(1))
    await waitForDelivery(server, bea)
    expect([toAda[0]?.payload, toBea]).toEqual([
      { table: 'conversation_views', type: 'UPDATE', ids: [conversation], own: false },
      [],
    ])
    expect(toAda).toHaveLength(1)
  })

  test('NOTE-03 of a new or deleted notification is broadcast to its recipient, of a read one to nobody', async () => {
    const [toAda, toCyd] = [await listen(ada), await listen(cyd)]
    await cyd.client.from('follows').insert({ follower_id: cyd.id, following_id: ada.id })
    await vi.waitFor(() => expect(toAda).toHaveLength(1))
    const { data } = await ada.client.from('notifications').select(NOTIFICATION_COLUMNS).single()
    expect(toAda[0]?.payload).toEqual({
      table: 'notifications',
      type: 'INSERT',
      ids: [data?.id],
      own: false,
      rows: [data],
    })
    await ada.client.from('notifications').update({ read: true }).eq('id', data?.id)
    await cyd.client.from('follows').delete().eq('following_id', ada.id)
    await waitForDelivery(server, ada)
    expect(toAda.slice(1).map(({ payload }) => payload)).toEqual([
      { table: 'notifications', type: 'DELETE', ids: [data?.id], own: false },
    ])
    expect(toCyd).toEqual([])
  })

  test('NAV-02 a withdrawn like, a deleted comment and a deleted post each tell the author whose notification is gone', async () => {
    const post = crypto.randomUUID()
    await ada.client.from('posts').insert({ id: post, user_id: ada.id, content: 'Low tide' }).throwOnError()
    const like = { post_id: post, user_id: bea.id }
    const comment = { id: crypto.randomUUID(), ...like, content: 'Fog' }
    const notified = async () =>
      (await ada.client.from('notifications').select('id').eq('post_id', post)).data?.map(({ id }) => id)
    const toAda = await listen(ada)
    const deletions = () => toAda.flatMap(({ payload }) => (payload.type === 'DELETE' ? [payload.ids] : []))
    const expected: unknown[] = []
    for (const [write, undo] of [
      [
        () => bea.client.from('likes').insert(like),
        () => bea.client.from('likes').delete().eq('post_id', post),
      ],
      [
        () => bea.client.from('comments').insert(comment),
        () => bea.client.rpc('delete_comments', { ids: [comment.id] }),
      ],
      [() => bea.client.from('likes').insert(like), () => ada.client.rpc('delete_posts', { ids: [post] })],
    ] as const) {
      await write().throwOnError()
      expected.push(await notified())
      await undo().throwOnError()
      await vi.waitFor(() => expect(deletions()).toEqual(expected))
    }
  })

  test('FEED-15 the deletion of a post is broadcast to those who have it open, before their channel closes', async () => {
    const post = crypto.randomUUID()
    await ada.client.from('posts').insert({ id: post, user_id: ada.id, content: 'Low tide' }).throwOnError()
    const broadcasts = await listen(bea, `post:${post}`)
    await ada.client.rpc('delete_posts', { ids: [post] }).throwOnError()
    await vi.waitFor(() =>
      expect(broadcasts.map(({ payload }) => payload)).toEqual([
        { table: 'posts', type: 'DELETE', ids: [post] },
      ]),
    )
  })

  test('FEED-04 a like and its removal are broadcast to the other devices of their member', async () => {
    const post = crypto.randomUUID()
    await ada.client.from('posts').insert({ id: post, user_id: ada.id, content: 'Low tide' }).throwOnError()
    const [toBea, toCyd] = [await listen(bea), await listen(cyd)]
    await bea.client.from('likes').insert({ post_id: post, user_id: bea.id }).throwOnError()
    await bea.client.from('likes').delete().eq('post_id', post).throwOnError()
    await vi.waitFor(() => expect(toBea).toHaveLength(2))
    expect(toBea.map(({ payload }) => payload)).toEqual([
      { table: 'likes', type: 'INSERT', ids: [post], own: true },
      { table: 'likes', type: 'DELETE', ids: [post], own: true },
    ])
    expect(toCyd).toEqual([])
    // With its post the like is gone for everybody.
    await bea.client.from('likes').insert({ post_id: post, user_id: bea.id }).throwOnError()
    await ada.client.rpc('delete_posts', { ids: [post] }).throwOnError()
    await waitForDelivery(server, bea)
    expect(toBea).toHaveLength(3)
  })

  test('MSG-01 SET-03 a deleted account tells the other member of each conversation, and those it had notified', async () => {
    const dee = await server.member('dee')
    const id = await server.conversation(dee, bea)
    await dee.client.from('follows').insert({ follower_id: dee.id, following_id: bea.id }).throwOnError()
    const toBea = await listen(bea)
    await exclusive(() => pg.query('delete from auth.users where id = $1', [dee.id]))
    await vi.waitFor(() => expect(toBea).toHaveLength(2))
    expect(new Set(toBea.map(({ payload: { table, type } }) => `${table} ${type}`))).toEqual(
      new Set(['conversations DELETE', 'notifications DELETE']),
    )
    expect(toBea.find(({ payload }) => payload.table === 'conversations')?.payload.ids).toEqual([id])
  })

  test('of a large deletion is one broadcast for each member, with at most a hundred ids', async () => {
    const toAda = await listen(ada)
    await exclusive(() =>
      pg.query(
        `insert into notifications (user_id, actor_id, type, message)
         select $1, $2, 'other', n::text from generate_series(1, 300) as n`,
        [ada.id, cyd.id],
      ),
    )
    await exclusive(() =>
      pg.query(`delete from notifications where user_id = $1 and type = 'other'`, [ada.id]),
    )
    await waitForDelivery(server, ada)
    const deletions = toAda.filter(({ payload }) => payload.type === 'DELETE')
    expect(deletions.map(({ payload }) => payload.ids.length)).toEqual([100])
  })

  test('of many rows in one statement is one broadcast for each hundred', async () => {
    const broadcasts = await listen(bea)
    const texts = Array.from({ length: 120 }, (_, number) => `number ${number}`)
    await exclusive(() => pg.query(INSERT, [conversation, ada.id, texts]))
    await vi.waitFor(() => expect(broadcasts.map(({ payload }) => payload.ids.length)).toEqual([100, 20]))
    expect(new Set(broadcasts.flatMap(({ payload }) => payload.ids)).size).toBe(120)
  })

  test('FEED-15 of comments is broadcast once to the readers of their post, with at most eighty ids', async () => {
    const post = crypto.randomUUID()
    await ada.client.from('posts').insert({ id: post, user_id: ada.id, content: 'Low tide' }).throwOnError()
    const broadcasts = await listen(bea, `post:${post}`)
    const ids = Array.from({ length: 100 }, () => crypto.randomUUID()).toSorted()
    const [thread = ''] = ids
    const insert = `insert into comments (id, post_id, user_id, content, parent_id)
      select id, $1, $2, 'Fog', $3 from unnest($4::uuid[]) as id`
    const add = (parent: string | null, rows: string[]) =>
      exclusive(() => pg.query(insert, [post, ada.id, parent, rows]))
    await add(null, ids)
    const replies = [crypto.randomUUID(), crypto.randomUUID()].toSorted()
    await add(thread, replies)
    await exclusive(() => pg.query('delete from comments where id = any ($1)', [replies]))
    await vi.waitFor(() => expect(broadcasts).toHaveLength(3))
    const change = { table: 'comments', threads: [thread] }
    expect(broadcasts.map(({ payload }) => payload)).toEqual([
      { ...change, type: 'INSERT', ids: ids.slice(0, 80), threads: null },
      { ...change, type: 'INSERT', ids: replies },
      { ...change, type: 'DELETE', ids: replies },
    ])
  })

  test('is broadcast by its id alone if its row is large, or not of a new row', async () => {
    const broadcasts = await listen(bea)
    // In UTF-8 a letter of this text takes two bytes.
    for (const [text, length] of [
      ['a', 4_000],
      ['ä', 4_000],
    ] as const) {
      await sendMessage(ada, conversation, text.repeat(length))
    }
    await exclusive(() => pg.query(INSERT, [conversation, ada.id, ['a'.repeat(2_500), 'a'.repeat(2_500)]]))
    await exclusive(() => pg.query(INSERT, [conversation, ada.id, ['a'.repeat(4_000), 'a'.repeat(4_000)]]))
    await exclusive(() => pg.exec(`update messages set read = true where content = repeat('a', 2500)`))
    await vi.waitFor(() => expect(broadcasts).toHaveLength(5))
    expect(broadcasts.map(({ payload: { ids, rows } }) => [ids.length, rows?.length])).toEqual([
      [1, 1],
      [1, undefined],
      [2, 2],
      [2, undefined],
      [2, undefined],
    ])
    const { ids, rows } = broadcasts[2]?.payload ?? {}
    expect(new Set(rows?.map(({ id }) => id))).toEqual(new Set(ids))
  })

  test('SAFE-01 is broadcast by its id alone if a block hides the actor of a notification', async () => {
    const broadcasts = await listen(cyd)
    const notify = () =>
      exclusive(() =>
        pg.query(
          `insert into notifications (user_id, actor_id, type, message)
            values ($1, $2, 'other', 'seen'), ($1, $3, 'other', 'hidden')`,
          [cyd.id, bea.id, ada.id],
        ),
      )
    for (const [blocker, blocked] of [
      [cyd, ada],
      [ada, cyd],
    ] as const) {
      await blocker.client.rpc('block_members', { ids: [blocked.id] })
      await notify()
      await blocker.client.from('blocks').delete().eq('blocked_id', blocked.id)
      await exclusive(() => pg.exec('delete from notifications'))
    }
    const inserted = () => broadcasts.filter(({ payload }) => payload.type === 'INSERT')
    await vi.waitFor(() => expect(inserted()).toHaveLength(2))
    expect(inserted().map(({ payload: { ids, rows } }) => [ids.length, rows])).toEqual([
      [2, [expect.objectContaining({ message: 'seen' })]],
      [2, [expect.objectContaining({ message: 'seen' })]],
    ])
  })

  test('is broadcast by its id alone on servers that store broadcasts', async () => {
    const broadcasts = await listen(bea)
    const rename = (from: string, to: string) =>
      exclusive(() => pg.exec(`alter function realtime.${from}() rename to ${to}`))
    await rename('stores_no_broadcasts', 'renamed')
    onTestFinished(() => rename('renamed', 'stores_no_broadcasts').then(() => undefined))
    await sendMessage(ada, conversation, 'a secret')
    await vi.waitFor(() => expect(broadcasts).toHaveLength(1))
    expect(broadcasts[0]?.payload).not.toHaveProperty('rows')
    expect(JSON.stringify(broadcasts)).not.toContain('secret')
  })

  test('that is rolled back is not broadcast', async () => {
    const broadcasts = await listen(bea)
    await exclusive(() =>
      pg.transaction(async (tx) => {
        await tx.query(INSERT, [conversation, ada.id, ['undone']])
        await tx.rollback()
      }),
    )
    const id = await sendMessage(ada, conversation, 'kept')
    await vi.waitFor(() => expect(broadcasts.map(({ payload }) => payload.ids)).toEqual([[id]]))
  })

  test('costs Realtime no query, however many members are online', async () => {
    /** Sends a message from Ada and returns how many queries Realtime made, without the insert. */
    const countQueries = async () => {
      const spies = [vi.spyOn(pg, 'query'), vi.spyOn(pg, 'transaction'), vi.spyOn(pg, 'exec')] as const
      try {
        await exclusive(() => pg.query(INSERT, [conversation, ada.id, ['counted']]))
        await server.backend.realtime.settled()
        return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0) - 1
      } finally {
        for (const spy of spies) spy.mockRestore()
      }
    }
    const broadcasts = await listen(bea)
    expect(await countQueries()).toBe(0)
    const token = await server.token({ sub: cyd.id })
    for (let others = 0; others < 15; others += 1) {
      const client = await rawClient(server)
      onTestFinished(() => client.socket.terminate())
      const joined = await client.join(`realtime:member:${cyd.id}`, { private: true }, token)
      expect(joined.payload.status).toBe('ok')
    }
    expect(await countQueries()).toBe(0)
    await vi.waitFor(() => expect(broadcasts).toHaveLength(2))
  })
})

describe('the channel of a member', () => {
  test('cannot be joined by another member or a visitor, and nobody can broadcast in it', async () => {
    const broadcasts = await listen(bea)
    const client = await rawClient(server)
    onTestFinished(() => client.socket.terminate())
    const topic = `realtime:member:${bea.id}`
    const token = await server.token({ sub: cyd.id })
    for (const given of [token, undefined, server.backend.publishableKey]) {
      expect((await client.join(topic, { private: true }, given)).payload).toEqual({
        status: 'error',
        response: {
          reason: `Unauthorized: You do not have permissions to read from this Channel topic: member:${bea.id}`,
        },
      })
    }
    const forged = { table: 'messages', type: 'INSERT', ids: [crypto.randomUUID()] }
    // A public channel of the same name is another channel.
    const open = await client.join(topic, {}, token)
    client.broadcast(topic, open.ref, 'forged', 'change', forged)
    const refusal = {
      status: 'error',
      response: { reason: 'Unauthorized: You may not broadcast in this channel' },
    }
    expect((await client.next(({ ref }) => ref === 'forged')).payload).toEqual(refusal)
    // Nor can Bea herself.
    const own = await client.join(topic, { private: true }, await server.token({ sub: bea.id }))
    client.broadcast(topic, own.ref, 'own', 'change', forged)
    expect((await client.next(({ ref }) => ref === 'own')).payload).toEqual(refusal)
    const id = await sendMessage(ada, conversation, 'real')
    await vi.waitFor(() => expect(broadcasts.map(({ payload }) => payload.ids)).toEqual([[id]]))
  })

  test('carries nothing that members send through the database', async () => {
    const roles = ['anon', 'authenticated']
    const callable = `select role from unnest($1::text[]) as role
      where has_function_privilege(role, 'realtime.send(jsonb, text, text, boolean)', 'execute')
        or has_function_privilege(role, 'private.broadcast_change(text, text, uuid, uuid[], jsonb)', 'execute')`
    expect((await exclusive(() => pg.query(callable, [roles]))).rows).toEqual([])
    for (const schema of ['public', 'realtime', 'private']) {
      const { error } = await cyd.client
        .schema(schema)
        .rpc('send', { payload: {}, event: 'change', topic: `member:${bea.id}`, private: true })
      expect(error?.code).toMatch(/^PGRST(106|202)$/)
    }
  })
})

describe('MSG-04 a message is stored', () => {
  const RESTORE =
    'create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void language plpgsql'
  let body = ''

  async function replaceSend(instead: string | null): Promise<void> {
    const { rows } = await exclusive(() =>
      pg.query<{ prosrc: string }>(`select prosrc from pg_proc where oid = 'realtime.send'::regproc`),
    )
    body = rows[0]?.prosrc ?? ''
    await exclusive(() => pg.exec('drop function realtime.send'))
    if (instead !== null) await exclusive(() => pg.exec(`${RESTORE} as $$${instead}$$`))
  }
  afterEach(async () => {
    await exclusive(() => pg.exec('drop function if exists realtime.send'))
    await exclusive(() => pg.exec(`${RESTORE} as $$${body}$$`))
  })

  test.each([
    ['fails', `begin raise exception 'no partition'; end`],
    ['is missing', null],
  ])('when realtime.send %s', async (_, instead) => {
    await replaceSend(instead)
    const id = await sendMessage(ada, conversation, 'stored')
    const { error } = await bea.client.from('messages').update({ read: true }).eq('id', id)
    expect(error).toBeNull()
    const { data } = await bea.client.from('messages').select('content,read').eq('id', id).single()
    expect(data).toEqual({ content: 'stored', read: true })
  })
})
