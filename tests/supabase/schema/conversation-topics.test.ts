import { beforeEach, describe, expect, test } from 'vitest'
import { openCommunity } from './support/community'
import { type MemberState, makeGroup as makeGroupOf, putInto as putMemberInto } from './support/groups'

const { community, ada, ben, cleo, dan } = await openCommunity('ada', 'ben', 'cleo', 'dan')

beforeEach(async () => {
  await community.sql`delete from conversations`
  await community.sql`delete from blocks`
})

const putInto = (group: string, member: string, state: MemberState) =>
  putMemberInto(community.sql, group, member, state)

/** Ada's group with Ben and Cleo. */
async function makeGroup(): Promise<string> {
  const group = await makeGroupOf(community.sql, ada)
  await putInto(group, ben, 'in')
  await putInto(group, cleo, 'in')
  return group
}
/** A pair of Ada and Ben in which both have written. */
async function makePair(): Promise<string> {
  const [row] = await community.as(ada)`insert into conversations (participant_1, participant_2)
    values (${ada}, ${ben}) returning id`
  for (const sender of [ada, ben]) await write(sender, String(row?.id))
  return String(row?.id)
}
async function write(sender: string, place: string): Promise<string> {
  const [row] = await community.as(sender)`insert into messages (conversation_id, sender_id, content)
    values (${place}, ${sender}, 'hello') returning id`
  return String(row?.id)
}
const epochOf = async (id: string) =>
  Number((await community.sql`select epoch from conversations where id = ${id}`)[0]?.epoch)

/** The topics of a conversation that a member may join, of all epochs up to the third after the present one. */
async function topicsOf(member: string, id: string): Promise<string[]> {
  const rows = await community.as(member)`
    select topic from (
      select kind || ':' || ${id} || ':' || epoch as topic
      from unnest(array['conversation', 'room']) as kind, generate_series(0, ${(await epochOf(id)) + 3}) as epoch
    ) as all_topics where private.may_join(topic) order by 1`
  return rows.map(({ topic }) => String(topic).replace(id, 'it'))
}

interface Sent {
  topic: string
  event: string
  payload: { table: string; type: string; ids: string[]; own?: boolean; rows?: unknown }
}
/** What is broadcast meanwhile. */
async function broadcastsOf(act: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = []
  const stop = await community.pg.listen('realtime_broadcasts', (text) => sent.push(JSON.parse(text)))
  await act()
  await stop()
  return sent
}
const countsOf = async (act: () => Promise<unknown>) =>
  (await broadcastsOf(act)).map(({ topic, payload }) => `${topic.split(':')[0]} ${payload.table}`).sort()

describe('the topics of a group', () => {
  test.each<[MemberState, string[]]>([
    ['in', ['conversation:it:0', 'room:it:0']],
    ['invited', []],
    ['left', []],
    ['removed', []],
  ])('are open to who is %s: %j', async (state, topics) => {
    const group = await makeGroupOf(community.sql, ada)
    await putInto(group, ben, state)
    expect(await topicsOf(ben, group)).toEqual(topics)
    expect(await topicsOf(dan, group)).toEqual([])
  })

  test.each<MemberState>(['left', 'removed', 'invited'])(
    'have a new epoch once somebody is %s, who may join none',
    async (state) => {
      const group = await makeGroup()
      expect(await epochOf(group)).toBe(0)
      await putInto(group, ben, state)
      expect(await epochOf(group)).toBe(1)
      expect(await topicsOf(ben, group)).toEqual([])
      expect(await topicsOf(cleo, group)).toEqual(['conversation:it:1', 'room:it:1'])
      // Who was no longer in ends no more rights.
      if (state !== 'removed') await putInto(group, ben, 'removed')
      expect(await epochOf(group)).toBe(1)
      await putInto(group, ben, 'in')
      expect(await topicsOf(ben, group)).toEqual(['conversation:it:1', 'room:it:1'])
    },
  )

  test('have a new epoch, and the group another version, once the row of a member is gone', async () => {
    const group = await makeGroup()
    const [before] = await community.sql`select version from conversations where id = ${group}`
    await community.sql`delete from conversation_members where conversation_id = ${group} and member_id = ${ben}`
    const [after] = await community.sql`select version, epoch from conversations where id = ${group}`
    expect(after).toEqual({ version: Number(before?.version) + 1, epoch: 1 })
    expect(await topicsOf(ben, group)).toEqual([])
  })

  test('SET-05 are not for presence while the Activity Status is off', async () => {
    const group = await makeGroup()
    await community.as(ben)`update profiles set show_activity_status = false where id = ${ben}`
    expect(await topicsOf(ben, group)).toEqual(['conversation:it:0'])
    await community.as(ben)`update profiles set show_activity_status = true where id = ${ben}`
    expect(await topicsOf(ben, group)).toEqual(['conversation:it:0', 'room:it:0'])
  })

  test.each([
    '',
    'conversation',
    'room:',
    'room:it',
    'room:it:',
    'room:it:-1',
    'room:it:00',
    'room:it:0 ',
    'room:it:0:0',
    'member:it:0',
    'room:it:99999999999',
    'ROOM:it:0',
    ' room:it:0',
  ])('are written in one way: %j is none', async (form) => {
    const group = await makeGroup()
    const topic = form.replace('it', group)
    expect(await community.as(ada)`select private.may_join(${topic}) as may`).toEqual([{ may: false }])
  })
})

describe('the room of a pair', () => {
  test('MSG-10 SAFE-01 is open to both until a block, which gives it a new epoch', async () => {
    const pair = await makePair()
    for (const member of [ada, ben]) expect(await topicsOf(member, pair)).toEqual(['room:it:0'])
    await community.as(ben, `select block_members(array['${ada}'::uuid])`)
    expect(await epochOf(pair)).toBe(1)
    for (const member of [ada, ben]) expect(await topicsOf(member, pair)).toEqual([])
    await community.as(ben)`delete from blocks where blocked_id = ${ada}`
    for (const member of [ada, ben]) expect(await topicsOf(member, pair)).toEqual(['room:it:1'])
  })

  test('SAFE-01 of others keeps its epoch, and so do groups of the two', async () => {
    const [group, pair] = [await makeGroup(), await makePair()]
    await community.as(ben, `select block_members(array['${cleo}'::uuid, '${dan}'::uuid])`)
    expect([await epochOf(group), await epochOf(pair)]).toEqual([0, 0])
  })
})

describe('is broadcast', () => {
  const GROUP = ['conversation messages']
  const PAIR = ['member messages', 'member messages']

  test('MSG-05 once for a message of a group, its edit, a reaction and when it is unsent, and twice in a pair', async () => {
    const [group, pair] = [await makeGroup(), await makePair()]
    for (const [place, expected] of [
      [group, GROUP],
      [pair, PAIR],
    ] as const) {
      let id = ''
      const act = async () => {
        id = await write(ada, place)
      }
      expect(await countsOf(act)).toEqual(expected)
      expect(
        await countsOf(() => community.as(ada)`update messages set content = 'hi' where id = ${id}`),
      ).toEqual(expected)
      const react = () =>
        community.as(
          ben,
        )`insert into message_reactions (message_id, member_id, emoji) values (${id}, ${ben}, '🔥')`
      expect(await countsOf(react)).toEqual(expected)
      const changed = () =>
        community.as(ben)`update message_reactions set emoji = '👍' where message_id = ${id}`
      expect(await countsOf(changed)).toEqual(expected)
      expect(
        await countsOf(() => community.as(ben)`delete from message_reactions where message_id = ${id}`),
      ).toEqual(expected)
      expect(
        await countsOf(() => community.as(ada)`update messages set deleted_at = now() where id = ${id}`),
      ).toEqual(expected)
    }
  })

  test('MSG-05 once to the reader’s other devices when a group is read, and twice when a pair is', async () => {
    const [group, pair] = [await makeGroup(), await makePair()]
    for (const [place, expected] of [
      [group, ['member conversation_views']],
      [pair, PAIR],
    ] as const) {
      await write(ada, place)
      const mark = () => community.as(ben)`select mark_read(${place}, '2100-01-01', ${place})`
      expect(await countsOf(mark)).toEqual(expected)
    }
  })

  test('MSG-14 nothing when messages of a group arrive, and once when those of a pair do', async () => {
    const [group, pair] = [await makeGroup(), await makePair()]
    await community.as(ben, 'select mark_delivered()')
    for (const [place, expected] of [
      [group, []],
      [pair, ['member conversation_views']],
    ] as const) {
      await write(ada, place)
      expect(await countsOf(() => community.as(ben, 'select mark_delivered()'))).toEqual(expected)
    }
  })

  test('a change of members once in the group, and once to the member', async () => {
    const group = await makeGroup()
    const expected = ['conversation conversations', 'member conversation_views']
    for (const state of ['invited', 'in', 'left', 'in', 'removed'] as const)
      expect([state, await countsOf(() => putInto(group, dan, state))]).toEqual([state, expected])
    // Also to a member who has cleared it, so that it is in no folder.
    await community.as(ben)`update conversation_views set cleared_at = now() where conversation_id = ${group}`
    expect(await countsOf(() => putInto(group, ben, 'removed'))).toEqual(expected)
  })

  test('SAFE-01 nothing for a block, of which the other is not told', async () => {
    await makePair()
    expect(await countsOf(() => community.as(ben, `select block_members(array['${ada}'::uuid])`))).toEqual([])
  })

  test('with ids only, and who is removed hears nothing of the next epoch', async () => {
    const group = await makeGroup()
    let first = ''
    let second = ''
    const sent = await broadcastsOf(async () => {
      first = await write(ben, group)
      await putInto(group, ben, 'removed')
      second = await write(ada, group)
    })
    expect(sent.filter(({ topic }) => topic.startsWith('conversation:'))).toEqual([
      {
        id: expect.any(String),
        topic: `conversation:${group}:0`,
        event: 'change',
        payload: { table: 'messages', type: 'INSERT', ids: [first] },
      },
      {
        id: expect.any(String),
        topic: `conversation:${group}:0`,
        event: 'change',
        payload: { table: 'conversations', type: 'UPDATE', ids: [group] },
      },
      {
        id: expect.any(String),
        topic: `conversation:${group}:1`,
        event: 'change',
        payload: { table: 'messages', type: 'INSERT', ids: [second] },
      },
    ])
  })

  test('only of the latest five hundred messages of a statement, a hundred ids at a time and in order', async () => {
    const group = await makeGroup()
    const sent = await broadcastsOf(
      () =>
        community.sql`insert into messages (conversation_id, sender_id, content)
        select ${group}, ${ada}, number::text from generate_series(1, 620) as number`,
    )
    const stored =
      await community.sql`select id from messages where conversation_id = ${group} order by created_at desc, id desc limit 500`
    const inserts = sent.filter(({ payload }) => payload.type === 'INSERT')
    expect(inserts.map(({ payload }) => payload.ids.length)).toEqual([100, 100, 100, 100, 100])
    expect(inserts.flatMap(({ payload }) => payload.ids)).toEqual(stored.map(({ id }) => id).reverse())
  })
})
