import { expect, test } from 'vitest'
import { MESSAGE_SEARCH, TEXT_LIMITS } from '#/shared/limits'
import { openCommunity } from './support/community'
import { makeGroup, putInto } from './support/groups'

const { community, ada, ben, cleo, dora, eve } = await openCommunity('ada', 'ben', 'cleo', 'dora', 'eve')

/** Starts a conversation of Ada with a member and adds messages, a second apart, from both in turns. */
async function talk(other: string, contents: readonly string[]): Promise<string> {
  const [row] = await community.as(ada)`insert into conversations (id, participant_1, participant_2)
    values (gen_random_uuid(), ${ada}, ${other}) returning id`
  await community.sql`insert into messages (conversation_id, sender_id, content, created_at)
     select ${row?.id}, case when n % 2 = 0 then ${ada}::uuid else ${other}::uuid end, content, timestamptz '2026-01-01' + n * interval '1 second'
     from unnest(${contents}::text[]) with ordinality as said (content, n)`
  return String(row?.id)
}

const withBen = await talk(ben, [
  'Der Übergang am Fluss',
  'the RIVER at dawn',
  '100 % cotton',
  'a river again',
])
const withCleo = await talk(
  cleo,
  Array.from({ length: 2_100 }, (_, n) => (n === 0 ? 'The first river' : `Number ${n}`)),
)

const search = (member: string, query: string, ...rest: unknown[]) => {
  const more = rest.map((_, index) => `, $${index + 2}`).join('')
  return community.as(member, `select * from search_messages($1${more})`, [query, ...rest])
}
const matches = async (member: string, query: string, ...rest: unknown[]) =>
  (await search(member, query, ...rest)).filter(({ is_match }) => is_match).map(({ content }) => content)

test('MSG-14 finds messages of the member by a part of their text, newest first, ignoring case', async () => {
  expect(await matches(ben, 'river')).toEqual(['a river again', 'the RIVER at dawn'])
  expect(await matches(ada, 'RIVER', withBen)).toEqual(['a river again', 'the RIVER at dawn'])
  expect(await matches(ben, ' 100 % ')).toEqual(['100 % cotton'])
  expect(await matches(ben, 'r_ver')).toEqual([])
  for (const query of ['r', ' r ', '', 'x'.repeat(101)]) expect(await search(ben, query)).toEqual([])
})

test('MSG-14 finds nothing in conversations of others, or in messages that were unsent', async () => {
  expect(await matches(cleo, 'dawn')).toEqual([])
  expect(await matches(cleo, 'dawn', withBen)).toEqual([])
  const unsend = `update messages set deleted_at = now() where content = 'the RIVER at dawn'`
  await community.sql(unsend)
  expect(await matches(ben, 'river')).toEqual(['a river again'])
})

test('MSG-14 reads 2,000 messages at a time and says where to read on', async () => {
  const first = await search(cleo, 'first river')
  expect(first).toEqual([expect.objectContaining({ is_match: false, is_last_read: true, content: '' })])
  const [{ created_at, id } = {}] = first
  expect(await matches(cleo, 'first river', null, created_at, id)).toEqual(['The first river'])
  expect(await matches(ada, 'first river', withCleo, created_at, id)).toEqual(['The first river'])
  const page = await search(cleo, 'Number')
  expect(page).toHaveLength(MESSAGE_SEARCH.page)
  expect(page.every(({ is_match, is_last_read }) => is_match && !is_last_read)).toBe(true)
})

test('MSG-14 reads 200,000 bytes of text at a time, so that the longest messages are searched in time', async () => {
  // U+FDFA is three bytes, and eighteen characters of a key: the most expensive text.
  const longest = '\ufdfa'.repeat(TEXT_LIMITS.message)
  const withDora = await talk(dora, [
    'The first river',
    ...Array.from({ length: 40 }, (_, n) => `${n}${longest.slice(2)}`),
  ])
  const read: string[] = []
  let after: unknown[] = []
  for (;;) {
    const rows = await search(dora, 'first river', withDora, ...after)
    const last = rows.at(-1)
    read.push(...rows.filter(({ is_match }) => is_match).map(({ content }) => String(content)))
    if (last?.is_last_read !== true) break
    const [{ number = 0 } = {}] = await community.sql`select count(*)::integer as number from messages
      where conversation_id = ${withDora} and created_at > ${last.created_at}`
    // 17 of 11,996 bytes.
    expect(Number(number) % 17).toBe(16)
    after = [last.created_at, last.id]
  }
  expect(after).not.toEqual([])
  expect(read).toEqual(['The first river'])
})

/** Adds messages of members in turns to a group, a step of time apart. */
async function say(
  group: string,
  members: readonly string[],
  count: number,
  from: string,
  step: string,
): Promise<void> {
  await community.sql(
    `insert into messages (conversation_id, sender_id, content, created_at)
     select $1, ($2::uuid[])[1 + n % cardinality($2::uuid[])], 'Harbour ' || n, $3::timestamptz + n * $4::interval
     from generate_series(0, $5::integer - 1) as n`,
    [group, members, from, step, count],
  )
}

/** A group of Ada with Ben, Cleo and the member, from November on. */
async function groupWith(member: string): Promise<string> {
  const group = await makeGroup(community.sql, ada)
  for (const one of [ben, cleo, member]) await putInto(community.sql, group, one, 'in')
  return group
}

const NEWEST = { created_at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

test('MSG-14 finds messages of groups: of others from joining on while the member is in, and own ones', async () => {
  const [own, former] = [await groupWith(dora), await groupWith(dora)]
  await say(own, [ada, dora], 2, '2026-10-01', '1 hour')
  await say(own, [ben, dora], 2, '2026-11-05', '1 hour')
  await say(former, [ben, dora], 2, '2026-11-06', '1 hour')
  await putInto(community.sql, former, dora, 'left')
  const found = async () =>
    (await search(dora, 'harbour'))
      .filter(({ is_match }) => is_match)
      .map(({ sender_id, content, conversation_id }) => [
        conversation_id === own ? 'own' : 'former',
        sender_id === dora ? 'mine' : 'others',
        content,
      ])
  const all = [
    ['former', 'mine', 'Harbour 1'],
    ['own', 'mine', 'Harbour 1'],
    ['own', 'others', 'Harbour 0'],
    ['own', 'mine', 'Harbour 1'],
  ]
  expect(await found()).toEqual(all)
  // In one group too, where she has joined after her first message.
  const inOwn = async () => (await matches(dora, 'harbour', own)).length
  expect(await inOwn()).toBe(3)
  await putInto(community.sql, own, dora, 'left')
  expect(await inOwn()).toBe(2)
  await putInto(community.sql, own, dora, 'in')
  await community.sql`update conversation_views set cleared_at = '2026-11-05'
    where member_id = ${dora} and conversation_id = ${own}`
  // The first one was sent at that time.
  expect(await found()).toEqual(all.slice(0, 2))
  expect(await inOwn()).toBe(1)
  await community.sql`update conversation_views set cleared_at = null where member_id = ${dora}`
  await community.sql`insert into private.jobs (kind, subject_id) values ('account', ${ben})`
  expect(await found()).toEqual(all.filter(([, sender]) => sender === 'mine'))
  await community.sql`delete from private.jobs where subject_id = ${ben}`
})

test('MSG-14 of groups the 2,000 newest messages before any time are read, however they are spread', async () => {
  const groups = await Promise.all(Array.from({ length: 4 }, () => groupWith(eve)))
  const [dense = '', busy = '', quiet = '', gone = ''] = groups
  await say(dense, [ada, ben, eve], 2_500, '2026-11-10', '1 second')
  await say(busy, [ben, cleo], 900, '2026-11-10', '3 seconds')
  // All at one time.
  await say(busy, [ada, cleo], 700, '2026-11-10 00:30', '0 seconds')
  await say(quiet, [ada], 5, '2026-11-09', '6 hours')
  await say(gone, [ada, ben], 300, '2026-11-10', '5 seconds')
  await putInto(community.sql, gone, eve, 'left')
  const pair = await talk(eve, ['Hello'])
  await say(pair, [ada, eve], 600, '2026-11-10', '7 seconds')
  const places = await community.as(
    eve,
    `select created_at, id from (
       select created_at, id, row_number() over (order by created_at desc, id desc) as place from messages
     ) as placed where place in (1, 400, 2500, 4400)`,
  )
  expect(places).toHaveLength(4)
  for (const { created_at, id } of [NEWEST, ...places]) {
    const before = [created_at, id]
    // By the policies of messages alone.
    const newest = (more: string) =>
      community.as(
        eve,
        `select id from messages where (created_at, id) < ($1, $2) ${more} order by created_at desc, id desc limit 2000`,
        before,
      )
    const inGroups = `select id from private.newest_in_groups($1, $2) order by created_at desc, id desc`
    expect(await community.as(eve, inGroups, before)).toEqual(
      await newest(`and conversation_id <> '${pair}'`),
    )
    const last = (await newest('')).at(1_999)
    expect((await search(eve, 'zzyzx', null, created_at, id)).map((row) => ({ id: row.id }))).toEqual(
      last === undefined ? [] : [last],
    )
  }
})
