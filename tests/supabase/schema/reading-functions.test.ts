import { beforeAll, expect, test } from 'vitest'
import { READING_FUNCTIONS } from '#/renderer/lib/server/reading-functions'
import { CLAIMS, claimsOf, openCommunity, refusal } from './support/community'

const { community, ada, ben, cleo, dan } = await openCommunity('ada', 'ben', 'cleo', 'dan', 'eve')

const CALLED = [...READING_FUNCTIONS, 'setup_status']

/** What a function returns to a member in a read-only transaction, in which PostgREST runs a GET, and in which a replica runs everything. */
const callByGet = (call: string) =>
  community.pg.transaction(async (tx) => {
    await tx.exec('set transaction read only')
    await tx.query(CLAIMS, [claimsOf(ada), ada])
    return (await tx.query(`select * from ${call}`)).rows
  })

beforeAll(async () => {
  const act = (member: string, sql: string, ...parameters: unknown[]) => community.as(member, sql, parameters)
  await act(ada, 'insert into follows (follower_id, following_id) values ($1, $2)', ada, ben)
  await community.post(ben, 'Harbour at dawn #fog')
  const own = await community.post(ada, 'Dunes')
  await act(ben, 'insert into likes (user_id, post_id) values ($1, $2)', ben, own)
  await act(dan, 'insert into conversations (participant_1, participant_2) values ($1, $2)', dan, ada)
  await act(
    dan,
    `insert into messages (conversation_id, sender_id, content) select id, $1, 'hi' from conversations`,
    dan,
  )
  await act(ada, 'insert into conversations (participant_1, participant_2) values ($1, $2)', ada, ben)
  await act(ada, 'insert into mutes (muter_id, muted_id) values ($1, $2)', ada, dan)
  await act(ada, 'select block_members(array[$1]::uuid[])', cleo)
})

test.each(CALLED)('%s writes nothing: a replica answers it', async (name) => {
  const rows = await callByGet(`${name}()`)
  const isEmpty = ['explore_posts', 'new_sign_ins'].includes(name)
  expect(rows.length > 0).toBe(!isEmpty)
})

test('a function that writes is refused there', async () => {
  for (const call of ['touch_activity()', 'settle()', `block_members(array['${ben}']::uuid[])`])
    await expect(callByGet(call), call).rejects.toEqual(refusal('25006'))
})

test('what they take has one form in an address and in a body, and may be left out: no null, list or object', async () => {
  const rows = await community.sql`
    select distinct format_type(type, null) as type from pg_proc p, unnest(p.proargtypes::oid[]) as type
     where p.pronamespace = 'public'::regnamespace and p.proname = any (${CALLED}) order by 1`
  expect(rows.map(({ type }) => type)).toEqual(['boolean', 'text', 'timestamp with time zone', 'uuid'])
  const needed = await community.sql`select proname from pg_proc
     where pronamespace = 'public'::regnamespace and proname = any (${CALLED}) and pronargs > pronargdefaults`
  expect(needed).toEqual([])
})
