import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { CLAIMS, claimsOf, openOwnCommunity } from './support/community'
import { inBulk } from './support/crowd'

const UNREAD = 5_000
/** Maximum number of ids per broadcast, and of messages in all broadcasts of a statement. */
const BROADCAST = { ids: 100, messages: 500 }
const MARK_READ = `update messages set read = true
  where conversation_id = $1 and recipient_id = $2 and not read and created_at <= $3`

const { community, ada, ben } = await openOwnCommunity('ada', 'ben')
let conversation: string

/** Adds unread messages from Ada to Ben, one per second. */
beforeAll(async () => {
  const [row] = await community.sql`insert into conversations (participant_1, participant_2)
    values (${ada}, ${ben}) returning id`
  conversation = String(row?.id)
  await community.sql(`update conversation_views set accepted = true, folder = 'inbox', unread = true`)
  await inBulk(community, async () => {
    await community.sql`insert into messages (conversation_id, sender_id, recipient_id, content, created_at)
       select ${conversation}, ${ada}, ${ben}, 'hello', timestamptz '2026-01-01' + n * interval '1 second'
       from generate_series(1, ${UNREAD}::integer) as n`
  })
})

const broadcast = z.object({
  topic: z.string(),
  payload: z.object({ table: z.string(), ids: z.string().array() }),
})

test('MSG-05 one statement marks 5,000 messages as read, in work that grows with their number', async () => {
  const broadcasts: z.infer<typeof broadcast>[] = []
  const stop = await community.pg.listen('realtime_broadcasts', (text) => {
    broadcasts.push(broadcast.parse(JSON.parse(text)))
  })
  // PostgreSQL keeps the plans of the first statement, which marks one message.
  const plans = await plansWhile(`
    update messages set read = true where created_at = '2026-01-01T00:00:01Z'`)
  broadcasts.length = 0
  await community.as(ben, MARK_READ, [conversation, ben, '2026-12-31'])
  await stop()

  const [left] = await community.sql(
    `select count(*) filter (where not read)::integer as unread, count(*) filter (where read_at is null)::integer as untimed
     from messages`,
  )
  expect(left).toEqual({ unread: 0, untimed: 0 })
  expect(await community.as(ben, 'select unread from conversation_views')).toEqual([{ unread: false }])

  // Comparing each message with each other one would take 25 million comparisons.
  const joins = plans.filter(
    (plan) => plan.split('{NAMEDTUPLESTORESCAN').length > 2 && /\{NESTLOOP/.test(plan),
  )
  expect(plans.filter((plan) => plan.includes('{NAMEDTUPLESTORESCAN')).length).toBeGreaterThan(0)
  expect(joins).toEqual([])

  for (const member of [ada, ben]) {
    const own = broadcasts.filter(
      ({ topic, payload }) => topic === `member:${member}` && payload.table === 'messages',
    )
    const ids = own.flatMap(({ payload }) => payload.ids)
    const latest = await community.sql(
      `select array_agg(id order by created_at) as ids from (
         select id, created_at from messages order by created_at desc limit ${BROADCAST.messages}
       ) as latest`,
    )
    expect(own.length).toBe(BROADCAST.messages / BROADCAST.ids)
    expect(ids).toEqual(latest[0]?.ids)
  }
})

/** The plans of the statements of this statement's triggers, as PostgreSQL logs them. */
async function plansWhile(sql: string): Promise<string[]> {
  const plans: string[] = []
  await community.pg.transaction(async (tx) => {
    await tx.query(CLAIMS, [claimsOf(ben), ben])
    await tx.exec(
      'set local debug_print_plan = on; set local debug_pretty_print = off; set local client_min_messages = log',
    )
    await tx.exec(sql, { onNotice: ({ message, detail }) => plans.push(`${message} ${detail}`) })
  })
  return plans
}

test('a message without references takes no space in their indexes', async () => {
  const pages = await community.sql(
    `select indexrelid::regclass::text as index, pg_relation_size(indexrelid) / 8192 as pages
     from pg_index where indrelid = 'messages'::regclass and indpred is not null
       -- Each message of a pair has a recipient.
       and indexrelid::regclass::text !~ 'recipient' order by 1`,
  )
  // One page is that of an empty index.
  expect(pages).toEqual(
    [
      'messages_media_idx',
      'messages_media_key',
      ...['reply_to', 'shared_post', 'shared_profile', 'shared_story', 'story'].map(
        (reference) => `messages_${reference}_idx`,
      ),
    ].map((index) => ({ index, pages: 1 })),
  )
})

test('MSG-05 marking messages again writes and broadcasts nothing, and marking thousands as unread is refused', async () => {
  const broadcasts: string[] = []
  const stop = await community.pg.listen('realtime_broadcasts', (text) => broadcasts.push(text))
  const versions = () =>
    community.sql('select id, read, read_at, xmin::text as version from messages order by id limit 20')
  await community.as(ben, MARK_READ, [conversation, ben, '2026-12-31'])
  const before = await versions()
  broadcasts.length = 0
  for (const member of [ada, ben])
    await community.as(member)`update messages set read = true where conversation_id = ${conversation}`
  await community.sql(`update private.quotas set per_minute = 120 where kind = 'message_changes'`)
  await expect(
    community.as(ben)`update messages set read = false where conversation_id = ${conversation}`,
  ).rejects.toMatchObject({ code: 'PT429' })
  await stop()
  expect(await versions()).toEqual(before)
  expect(broadcasts).toEqual([])
})

test('NOTE-02 marking notifications again, or as unread, writes nothing', async () => {
  const post = await community.post(ada, 'The harbour at six')
  await community.as(ben)`insert into likes (user_id, post_id) values (${ben}, ${post})`
  const versions = () => community.sql('select read, xmin::text as version from notifications')
  await community.as(ada)`update notifications set read = true where user_id = ${ada}`
  const before = await versions()
  expect(before).toMatchObject([{ read: true }])
  for (const read of [true, false])
    await community.as(ada)`update notifications set read = ${read} where user_id = ${ada}`
  expect(await versions()).toEqual(before)
})
