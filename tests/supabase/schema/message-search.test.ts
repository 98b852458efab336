import { expect, test } from 'vitest'
import { MESSAGE_SEARCH, TEXT_LIMITS } from '#/shared/limits'
import { openCommunity } from './support/community'

const { community, ada, ben, cleo, dora } = await openCommunity('ada', 'ben', 'cleo', 'dora')

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
