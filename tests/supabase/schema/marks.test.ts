import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { readReplaced } from '#/backend/database/migrations'
import { MESSAGES_MARKED } from '#/shared/limits'
import { openCommunity, refusal } from './support/community'
import { inBulk } from './support/crowd'
import { makeGroup, putInto } from './support/groups'
import { findInconsistencies } from './support/inconsistencies'
import { MIGRATIONS } from './support/migrated-database'

const { community, ada, ben, cleo } = await openCommunity('ada', 'ben', 'cleo')
const FAR = '2100-01-01'
let conversation: string

beforeEach(async () => {
  await community.sql`delete from conversations`
  await community.sql`update profiles set read_receipts = true`
  const [row] = await community.as(ada)`insert into conversations (participant_1, participant_2)
    values (${ada}, ${ben}) returning id`
  conversation = String(row?.id)
  await community.as(
    ben,
  )`update conversation_views set folder = 'inbox' where conversation_id = ${conversation}`
})

interface Sent {
  id: string
  created_at: string
}

async function send(sender = ada, place = conversation): Promise<Sent> {
  const [row] = await community.as(sender)`insert into messages (conversation_id, sender_id, content)
    values (${place}, ${sender}, 'hello') returning id`
  const [stored] = await community.sql`select id, created_at::text from messages where id = ${row?.id}`
  return stored as unknown as Sent
}

/** Marks as a member up to a message, by default Ben and all. Returns whether more are left. */
async function mark(until: Partial<Sent> = {}, member = ben, place = conversation): Promise<unknown> {
  const { created_at = FAR, id = randomUUID() } = until
  const [row] = await community.as(member)`select mark_read(${place}, ${created_at}, ${id}) as more`
  return row?.more
}

/** The own mark of a member, the shown one, and whether something is unread. */
async function marksOf(member = ben, place = conversation) {
  const [row] = await community.sql`select v.mark_id, m.read_id, v.unread
    from conversation_views v join conversation_members m using (conversation_id, member_id)
    where v.conversation_id = ${place} and v.member_id = ${member}`
  return row
}
const seen = (message: Sent) => ({ mark_id: message.id, read_id: message.id, unread: false })
const readIds = async () =>
  (
    await community.sql`select id from messages where read and read_at is not null order by created_at, id`
  ).map(({ id }) => id)

describe('MSG-05 a mark', () => {
  test('goes up to a message, marks it as read for its sender, and never goes back', async () => {
    const [first, second] = [await send(), await send()]
    expect(await marksOf()).toEqual({ mark_id: null, read_id: null, unread: true })
    expect(await mark(first)).toBe(false)
    expect(await marksOf()).toEqual({ ...seen(first), unread: true })
    expect(await readIds()).toEqual([first.id])
    await mark(second)
    expect(await marksOf()).toEqual(seen(second))
    await mark(first)
    expect(await marksOf()).toEqual(seen(second))
    expect(await readIds()).toEqual([first.id, second.id])
    expect(await findInconsistencies(community)).toEqual({})
  })

  test('never goes beyond the newest message: one that is sent next is unread', async () => {
    const first = await send()
    await mark()
    expect(await marksOf()).toEqual(seen(first))
    const next = await send()
    expect(await marksOf()).toEqual({ ...seen(first), unread: true })
    expect(await readIds()).toEqual([first.id])
    await mark(next)
    expect(await marksOf()).toEqual(seen(next))
  })

  test('stays where the message at it was unsent or deleted', async () => {
    const [first, second] = [await send(), await send()]
    await mark(first)
    await community.as(ada)`update messages set deleted_at = now() where id = ${first.id}`
    await community.sql`delete from messages where id = ${first.id}`
    expect(await marksOf()).toEqual({ ...seen(first), unread: true })
    await community.as(ada)`update messages set deleted_at = now() where id = ${second.id}`
    expect(await marksOf()).toEqual({ ...seen(first), unread: false })
  })

  test('is not set in a conversation of others, in an empty one, or up to nothing', async () => {
    const empty = await mark()
    const message = await send()
    expect([empty, await mark(message, cleo), await mark(message, ben, randomUUID())]).toEqual([
      false,
      false,
      false,
    ])
    await community.as(ben)`select mark_read(${conversation}, null, ${message.id})`
    await community.as(ben)`select mark_read(${conversation}, ${FAR}, null)`
    expect(await marksOf()).toEqual({ mark_id: null, read_id: null, unread: true })
  })

  test('of a request is the reader’s own until it is accepted', async () => {
    const [row] = await community.as(cleo)`insert into conversations (participant_1, participant_2)
      values (${cleo}, ${ben}) returning id`
    const request = String(row?.id)
    const message = await send(cleo, request)
    await mark({}, ben, request)
    expect(await marksOf(ben, request)).toEqual({ mark_id: message.id, read_id: null, unread: false })
    expect(await readIds()).toEqual([])
    await community.as(ben)`update conversation_views set folder = 'inbox' where conversation_id = ${request}`
    await mark({}, ben, request)
    expect(await marksOf(ben, request)).toEqual(seen(message))
    expect(await readIds()).toEqual([message.id])
  })

  test('is the reader’s own while receipts are off, also with the specification’s call', async () => {
    const first = await send()
    await mark()
    await community.sql`update profiles set read_receipts = false where id = ${ben}`
    const second = await send()
    await community.as(ben)`update messages set read = true where conversation_id = ${conversation}`
    expect(await marksOf()).toEqual({ mark_id: first.id, read_id: null, unread: true })
    const broadcasts: string[] = []
    const stop = await community.pg.listen('realtime_broadcasts', (text) => broadcasts.push(text))
    await mark()
    await stop()
    expect(await marksOf()).toEqual({ mark_id: second.id, read_id: null, unread: false })
    expect(await readIds()).toEqual([first.id])
    // Only the reader's other devices learn it.
    expect(
      broadcasts.map((text) => JSON.parse(text)).map(({ topic, payload }) => [topic, payload.table]),
    ).toEqual([[`member:${ben}`, 'conversation_views']])
    // What was read so does not become unread when another is unsent.
    const third = await send()
    await community.as(ada)`update messages set deleted_at = now() where id = ${third.id}`
    expect(await marksOf()).toEqual({ mark_id: second.id, read_id: null, unread: false })
  })

  test.each([
    ['blocks the sender', () => [ben, ada]],
    ['is blocked by the sender', () => [ada, ben]],
  ])('SAFE-01 shows nothing of a reader who %s', async (_, members) => {
    const [blocker, blocked] = members()
    const message = await send()
    await community.as(String(blocker), 'select block_members($1)', [[blocked]])
    await mark()
    await community.as(ben)`update messages set read = true where conversation_id = ${conversation}`
    expect(await marksOf()).toEqual({ mark_id: message.id, read_id: null, unread: false })
    expect(await readIds()).toEqual([])
    await community.sql`delete from blocks`
    await mark()
    expect(await marksOf()).toEqual(seen(message))
    expect(await readIds()).toEqual([message.id])
  })

  test('is raised by the specification’s call, up to the newest message that it marked', async () => {
    const [first, second] = [await send(), await send()]
    const own = await send(ben)
    await community.as(
      ben,
    )`update messages set read = true where conversation_id = ${conversation} and sender_id = ${ada}`
    expect(await marksOf()).toEqual(seen(second))
    await community.as(
      ada,
    )`update messages set read = true where conversation_id = ${conversation} and sender_id = ${ben}`
    expect(await marksOf(ada)).toEqual(seen(own))
    expect(await readIds()).toEqual([first.id, second.id, own.id])
    expect(await findInconsistencies(community)).toEqual({})
  })

  test('of two thousand unread messages is raised at once, and they get read by hundreds, the oldest first', async () => {
    await inBulk(community, async () => {
      await community.sql`insert into messages (conversation_id, sender_id, recipient_id, content, created_at)
        select ${conversation}, ${ada}, ${ben}, 'hello', timestamptz '2026-01-01' + n * interval '1 second'
        from generate_series(1, 2000) as n`
    })
    await community.sql`update conversation_views set unread = true where member_id = ${ben}`
    expect(await mark()).toBe(true)
    const [first] = await community.sql`select count(*) filter (where read)::integer as read,
      max(created_at) filter (where read) < min(created_at) filter (where not read) as oldest_first from messages`
    expect(first).toEqual({ read: MESSAGES_MARKED, oldest_first: true })
    expect(await marksOf()).toMatchObject({ unread: false })
    let calls = 1
    while ((await mark()) === true) calls += 1
    expect(calls).toBe(2_000 / MESSAGES_MARKED)
    expect(await community.sql`select from messages where not read`).toEqual([])
  })

  test('that moves up to an earlier message is told to the reader’s other devices, unless messages tell it', async () => {
    const [first, second] = [await send(), await send()]
    const told = async (work: () => Promise<unknown>) => {
      const broadcasts: string[] = []
      const stop = await community.pg.listen('realtime_broadcasts', (text) => broadcasts.push(text))
      await work()
      await stop()
      return broadcasts
        .map((text) => JSON.parse(text))
        .filter(({ topic }) => topic === `member:${ben}`)
        .map(({ payload }) => payload.table)
    }
    expect(await told(() => mark(first))).toEqual(['messages'])
    await community.as(ben)`update profiles set read_receipts = false where id = ${ben}`
    const third = await send()
    expect(await told(() => mark(second))).toEqual(['conversation_views'])
    expect(await marksOf()).toEqual({ mark_id: second.id, read_id: null, unread: true })
    expect(await told(() => mark(second))).toEqual([])
    expect(await told(() => mark(third))).toEqual(['conversation_views'])
  })

  test('is later than a message that is imported with an earlier time, which is not unread', async () => {
    await send()
    await mark()
    await community.sql`insert into messages (conversation_id, sender_id, content, created_at)
      values (${conversation}, ${ada}, 'imported', '2026-01-01')`
    expect(await marksOf()).toMatchObject({ unread: false })
    const [later] = await community.sql`insert into messages (conversation_id, sender_id, content, created_at)
      values (${conversation}, ${ada}, 'imported', '2099-01-01') returning id`
    expect(await marksOf()).toMatchObject({ unread: true })
    await mark()
    // One from the future: the next one has a later time, and is unread.
    expect(await marksOf()).toMatchObject({ mark_id: later?.id, unread: false })
    const next = await send()
    expect([next.created_at > '2099', await marksOf()]).toMatchObject([
      true,
      { mark_id: later?.id, unread: true },
    ])
    await mark(next)
    expect(await marksOf()).toEqual(seen(next))
  })

  test('counts as other marks do', async () => {
    await community.sql`update private.quotas set per_minute = 2 where kind = 'read_marks'`
    for (let call = 0; call < 2; call += 1) await mark(await send())
    // Nothing changes: nothing is counted.
    await mark()
    await expect(mark(await send())).rejects.toEqual(refusal('PT429'))
    await community.sql`update private.quotas set per_minute = null where kind = 'read_marks'`
    await community.sql`delete from private.quota_usage`
  })
})

describe('MSG-05 receipts', () => {
  const receipts = (isOn: boolean, member = ben) =>
    community.as(member)`update profiles set read_receipts = ${isOn} where id = ${ben}`

  test('are turned off by the member only: from then on no mark is shown, and the own one is as before', async () => {
    const first = await send()
    await mark()
    await receipts(false, ada)
    expect(await marksOf()).toEqual(seen(first))
    await receipts(false)
    expect(await marksOf()).toEqual({ mark_id: first.id, read_id: null, unread: false })
    const second = await send()
    expect(await marksOf()).toEqual({ mark_id: first.id, read_id: null, unread: true })
    const badge = async () => (await community.as(ben)`select unread_conversations() as unread`)[0]?.unread
    expect(await badge()).toBe(1)
    await mark()
    await community.as(ben)`update messages set read = true where conversation_id = ${conversation}`
    expect(await marksOf()).toEqual({ mark_id: second.id, read_id: null, unread: false })
    // What the sender saw before stays seen.
    expect([await readIds(), await badge()]).toEqual([[first.id], 0])
    expect(await findInconsistencies(community)).toEqual({})
    await receipts(true)
    expect(await marksOf()).toEqual({ mark_id: second.id, read_id: null, unread: false })
    const third = await send()
    await mark()
    expect(await marksOf()).toEqual(seen(third))
    expect(await readIds()).toEqual([first.id, second.id, third.id])
    expect(await findInconsistencies(community)).toEqual({})
  })

  test('of a member with ten thousand conversations are cleared by two hundreds, unless they are turned on again', async () => {
    await inBulk(community, async () => {
      await community.sql`insert into conversations (id, kind, name)
        select gen_random_uuid(), 'group', 'one of many' from generate_series(1, 10000)`
      await community.sql`insert into conversation_members (conversation_id, member_id, joined_at, read_at, read_id)
        select id, ${ben}, now(), now(), id from conversations where kind = 'group'`
    })
    const shown = async () =>
      (
        await community.sql`select count(*)::integer as shown from conversation_members where read_at is not null`
      )[0]?.shown
    const jobs = () => community.sql`select kind, subject_id from private.jobs`
    await receipts(false)
    expect([await shown(), await jobs()]).toEqual([9_800, [{ kind: 'receipts', subject_id: ben }]])
    const settle = async () => (await community.sql`select private.settle_waiting() as again`)[0]?.again
    expect([await settle(), await shown()]).toEqual([200, 9_600])
    await receipts(true)
    expect([await settle(), await settle(), await shown(), await jobs()]).toEqual([200, null, 9_600, []])
    await receipts(false)
    let calls = 0
    while ((await settle()) !== null) calls += 1
    expect([calls, await shown(), await jobs()]).toEqual([9_400 / 200, 0, []])
  })
})

test('MSG-05 an update without a filter leaves own messages as they are where the member has no view any more', async () => {
  const group = await makeGroup(community.sql, ada)
  await putInto(community.sql, group, ben, 'in')
  const own = await send(ben, group)
  await community.sql`delete from conversation_members where conversation_id = ${group} and member_id = ${ben}`
  await community.as(ben)`update messages set read = true`
  expect(await community.sql`select read, read_at from messages where id = ${own.id}`).toEqual([
    { read: false, read_at: null },
  ])
})

describe('MSG-05 a mark in a group', () => {
  test('is shown to its members, and its messages stay as they are', async () => {
    const group = await makeGroup(community.sql, ada)
    await putInto(community.sql, group, ben, 'in')
    const message = await send(ada, group)
    await mark({}, ben, group)
    expect(await marksOf(ben, group)).toEqual(seen(message))
    expect(await readIds()).toEqual([])
    expect(
      await community.as(
        ada,
      )`select read_id from conversation_members where conversation_id = ${group} and member_id = ${ben}`,
    ).toEqual([{ read_id: message.id }])
    expect(await community.as(ada)`select mark_id from conversation_views where member_id = ${ben}`).toEqual(
      [],
    )
  })

  test.each(['invited', 'left', 'removed'] as const)('is not raised by who is %s', async (state) => {
    const group = await makeGroup(community.sql, ada)
    await putInto(community.sql, group, ben, 'in')
    await send(ben, group)
    await putInto(community.sql, group, ben, state)
    await send(ada, group)
    expect(await mark({}, ben, group)).toBe(false)
    expect(await marksOf(ben, group)).toEqual({ mark_id: null, read_id: null, unread: false })
  })
})

test('MSG-05 what was read before there were marks has them after the upgrade', async () => {
  const [first, _second, third] = [await send(), await send(), await send()]
  await community.as(ben)`update messages set read = true where id in (${first.id}, ${third.id})`
  await community.sql`update conversation_views set mark_at = null, mark_id = null`
  await community.sql`update conversation_members set read_at = null, read_id = null`
  const replaced = await readReplaced(MIGRATIONS)
  await community.pg.exec(replaced.find(({ name }) => name === 'marks_of_read_messages')?.sql ?? '')
  // The second is unread still, so the own mark is before it.
  expect(await marksOf()).toMatchObject({ mark_id: first.id, read_id: third.id })
  expect(await marksOf(ada)).toMatchObject({ mark_id: null, read_id: null })
})
