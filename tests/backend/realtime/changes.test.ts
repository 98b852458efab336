import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Event, follow, type Row, waitForDelivery } from '#tests/backend/realtime/follow'
import { type Member, sendMessage, startWithMembers } from '#tests/backend/realtime/support'

const { server, ada, bea, cyd, conversation } = await startWithMembers()

describe('a change', () => {
  test('MSG-05 a new message is delivered to its sender and its recipient, with the columns that they may read', async () => {
    const to = await follow(bea, { table: 'messages', filter: `conversation_id=eq.${conversation}` })
    const of = await follow(ada, { table: 'messages', filter: `conversation_id=eq.${conversation}` })
    expect(to.systemMessages).toEqual(['ok: Subscribed to PostgreSQL'])
    const id = await sendMessage(ada, conversation, 'hello "ünï" 💙')
    await vi.waitFor(() => expect([to.delivered[0]?.length, of.delivered[0]?.length]).toEqual([1, 1]))
    const { data } = await bea.client.from('messages').select('*').eq('id', id).single()
    const expected = {
      eventType: 'INSERT',
      schema: 'public',
      table: 'messages',
      errors: null,
      new: data,
      old: {},
    }
    expect(to.delivered[0]?.[0]).toMatchObject(expected)
    expect(of.delivered[0]?.[0]).toMatchObject(expected)
    const at = to.delivered[0]?.[0]?.commit_timestamp ?? ''
    expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000)
  })

  test('NOTE-03 a notification is delivered to its recipient, a deletion to nobody', async () => {
    const { delivered } = await follow(ada, { table: 'notifications', filter: `user_id=eq.${ada.id}` })
    await cyd.client.from('follows').insert({ follower_id: cyd.id, following_id: ada.id })
    await vi.waitFor(() => expect(delivered[0]).toHaveLength(1))
    expect(delivered[0]?.[0]?.new).toMatchObject({
      type: 'follow',
      actor_id: cyd.id,
      user_id: ada.id,
      read: false,
    })
    await cyd.client.from('follows').delete().eq('following_id', ada.id)
    await waitForDelivery(server, ada)
    expect(delivered[0]).toHaveLength(1)
  })

  test('MSG-05 a burst is delivered completely and in order, also between bursts of other members', async () => {
    const { delivered } = await follow(bea, {
      table: 'messages',
      filter: `conversation_id=eq.${conversation}`,
    })
    const texts = Array.from({ length: 300 }, (_, number) => `number ${number}`)
    const { exclusive, pg } = server.backend
    const insert = `insert into messages (conversation_id, sender_id, content)
      select $1, $2, text from unnest($3::text[]) as text`
    // A statement may take one second.
    for (let from = 0; from < texts.length; from += 100) {
      await exclusive(() => pg.query(insert, [conversation, ada.id, texts.slice(from, from + 100)]))
    }
    await vi.waitFor(() => expect(delivered[0]).toHaveLength(texts.length), { timeout: 120_000 })
    // Rows of one statement have the same time, and come in the order of lists.
    const list = 'select content from messages where content = any ($1) order by created_at, id'
    const { rows } = await exclusive(() => pg.query<{ content: string }>(list, [texts]))
    expect(delivered[0]?.map((event) => (event.new as Row).content)).toEqual(
      rows.map(({ content }) => content),
    )
  })

  test('a rolled back row is not delivered, nor one that is deleted before it is read', async () => {
    const { delivered } = await follow(bea, {
      table: 'messages',
      filter: `conversation_id=eq.${conversation}`,
    })
    const { exclusive, pg } = server.backend
    const insert = 'insert into messages (id, conversation_id, sender_id, content) values ($1, $2, $3, $4)'
    const [undone, gone] = [crypto.randomUUID(), crypto.randomUUID()]
    await exclusive(async () => {
      await pg.transaction(async (tx) => {
        await tx.query(insert, [undone, conversation, ada.id, 'undone'])
        await tx.rollback()
      })
      await pg.query(insert, [gone, conversation, ada.id, 'gone'])
      await pg.query('delete from messages where id = $1', [gone])
    })
    const last = await sendMessage(ada, conversation, 'last')
    await vi.waitFor(() => expect(delivered[0]?.map((event) => (event.new as Row).id)).toEqual([last]))
  })
})

describe('errors', () => {
  /** Subscribes to new messages and records the states of the channel after the join. */
  async function watchMessages({ client }: Member): Promise<{ states: string[]; delivered: Event[] }> {
    const states: string[] = []
    const delivered: Event[] = []
    const channel = client.channel('watched')
    onTestFinished(() => client.removeChannel(channel).then(() => undefined))
    const filter = `conversation_id=eq.${conversation}`
    const messages = { event: 'INSERT', schema: 'public', table: 'messages', filter } as const
    channel.on<Row>('postgres_changes', messages, (event) => delivered.push(event))
    channel.subscribe((state) => states.push(state))
    await vi.waitFor(() => expect(states).toEqual(['SUBSCRIBED']))
    return { states, delivered }
  }

  test('a policy error closes the channel of the affected member, and others still get the row', async () => {
    const { states, delivered } = await watchMessages(bea)
    const of = await follow(ada, {
      table: 'messages',
      filter: `conversation_id=eq.${conversation}`,
    })
    const { exclusive, pg } = server.backend
    await exclusive(() =>
      pg.exec(`create policy fails on public.messages as restrictive for select to authenticated
        using (case when (select auth.uid()) = '${bea.id}' then 1 / (length(content) - length(content)) = 1 else true end)`),
    )
    try {
      await sendMessage(ada, conversation, 'half seen').catch(() => undefined)
      await vi.waitFor(() => expect(of.delivered[0]).toHaveLength(1))
      await server.backend.realtime.settled()
      await vi.waitFor(() => expect(states.slice(0, 2)).toEqual(['SUBSCRIBED', 'CHANNEL_ERROR']))
      expect(delivered).toEqual([])
      expect(server.log.at(-1)).toBe('warn New rows could not be read for a subscriber: 22012')
    } finally {
      await exclusive(() => pg.exec('drop policy fails on public.messages'))
    }
  })

  test('MSG-08 changes that cannot be read close the channel, so that the client refetches', async () => {
    const { states, delivered } = await watchMessages(bea)
    vi.spyOn(server.backend.pg, 'transaction').mockRejectedValueOnce(new Error('no more memory'))
    const { exclusive, pg } = server.backend
    const insert = 'insert into messages (conversation_id, sender_id, content) values ($1, $2, $3)'
    await exclusive(() => pg.query(insert, [conversation, ada.id, 'missed']))
    await vi.waitFor(() => expect(states).toEqual(['SUBSCRIBED', 'CHANNEL_ERROR', 'SUBSCRIBED']), {
      timeout: 60_000,
    })
    await sendMessage(ada, conversation, 'delivered')
    await vi.waitFor(() =>
      expect(delivered.map((event) => (event.new as Row).content)).toEqual(['delivered']),
    )
    expect(server.log).toContain('warn New rows could not be read for a subscriber: no more memory')
  })
})
