import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { words } from '#tests/words'
import { openCommunity } from './support/community'

const { community, ada, ben } = await openCommunity('ada', 'ben')

/** Tables whose rows get an id with time. */
const WITH_TIME = words(`
  comments conversations message_media messages notifications post_media posts reports stories
`)

/** The milliseconds since 1970 at the start of an id with time: RFC 9562, section 5.7. */
const timeOf = (id: unknown) => Number.parseInt(String(id).replaceAll('-', '').slice(0, 12), 16)

describe('a new id', () => {
  test('has version 7, the variant of RFC 9562 and the time, and the rest is random', async () => {
    const before = Date.now()
    const rows = await community.as(ada, 'select private.new_id() as id from generate_series(1, 2000)')
    const after = Date.now()
    const ids = rows.map(({ id }) => String(id))
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(timeOf(id)).toBeGreaterThanOrEqual(before - 1)
      expect(timeOf(id)).toBeLessThanOrEqual(after + 1)
    }
    expect(new Set(ids.map((id) => id.slice(15))).size).toBe(2000)
    // Each of the 74 random bits is set in about half of them.
    const bits = ids.map((id) => BigInt(`0x${id.slice(15, 18)}${id.slice(20, 23)}${id.slice(24)}`))
    for (let bit = 0n; bit < 72n; bit += 1n) {
      const set = bits.filter((one) => ((one >> bit) & 1n) === 1n).length
      expect(set, `bit ${bit}`).toBeGreaterThan(800)
      expect(set, `bit ${bit}`).toBeLessThan(1200)
    }
  })

  test('is the default of these tables, of no other column, and no function makes others', async () => {
    const defaults = await community.sql(
      `select c.relname as name, pg_get_expr(d.adbin, d.adrelid) as value from pg_attrdef d
       join pg_class c on c.oid = d.adrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.adnum
       where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
         and pg_get_expr(d.adbin, d.adrelid) ~ '_uuid|new_id' order by 1`,
    )
    expect(defaults).toEqual(WITH_TIME.map((name) => ({ name, value: 'private.new_id()' })))
    const makers = await community.sql(
      `select proname as name from pg_proc where prosrc ~ 'new_id\\(\\)|gen_random_uuid\\(\\)'
       and pronamespace in ('public'::regnamespace, 'private'::regnamespace) order by 1`,
    )
    // hold_items() makes the member of removed posts; the others only begin at a random place.
    const others = ['hold_items', 'settle_announcements', 'settle_counts']
    expect(makers.map(({ name }) => name).toSorted()).toEqual(
      ['add_notifications', 'new_id', ...others].toSorted(),
    )
  })

  test('is that of a like, a comment, a message and what notifies of them', async () => {
    const [post] = await community.as(ada)`insert into posts (user_id, content) values (${ada}, 'a post')
      returning id`
    await community.as(ben)`insert into likes (user_id, post_id) values (${ben}, ${post?.id})`
    const [comment] = await community.as(ben)`insert into comments (user_id, post_id, content)
      values (${ben}, ${post?.id}, 'hm') returning id`
    const notes = await community.as(ada, 'select id, type from notifications order by type')
    expect(notes.map(({ type }) => type)).toEqual(['comment', 'like'])
    for (const { id } of [post, comment, ...notes].map((row) => row ?? {})) expect(String(id)[14]).toBe('7')
  })
})

/** Ids of clients whose clocks are decades behind and ahead, and a random one. */
const WRONG = ['00000000-0001-7000-8000-000000000001', 'fffffffe-ffff-7000-8000-000000000001', randomUUID()]

describe('nothing relies on the time in an id', () => {
  test('FEED-02 posts, comments and messages from clients with wrong clocks are listed in the order in which they came', async () => {
    const order = [WRONG[1], WRONG[0], WRONG[2]]
    await community.sql('delete from posts')
    await community.as(ben)`insert into follows (follower_id, following_id) values (${ben}, ${ada})`
    for (const id of order)
      await community.as(ada)`insert into posts (id, user_id, content) values (${id}, ${ada}, 'a post')`
    const feed = await community.as(ada, 'select id from posts order by created_at, id')
    expect(feed.map(({ id }) => id)).toEqual(order)
    const followed = await community.as(ben, 'select id from following_posts()')
    expect(followed.map(({ id }) => id)).toEqual(order.toReversed())

    const [chat] = await community.as(ada)`insert into conversations (participant_1, participant_2)
      values (${ada}, ${ben}) returning id`
    for (const id of order)
      await community.as(ada)`insert into messages (id, conversation_id, sender_id, content)
        values (${id}, ${chat?.id}, ${ada}, 'hi there')`
    const [latest] = await community.as(ada, 'select last_message_at from conversations')
    const found = await community.as(ada, `select id, created_at from search_messages('there')`)
    expect(found.map(({ id }) => id)).toEqual(order.toReversed())
    expect(found[0]?.created_at).toEqual(latest?.last_message_at)
  })

  /** Functions that order by an id alone for another reason than a lock. */
  const ALLOWED = [
    // A walk through all members or objects, in any order.
    'delete_read_notifications',
    'waiting_members',
    'waiting_objects',
    // Numbers of rows that the database counts up, not UUIDs.
    'former_email_owner',
    'record_account_change',
    'record_session_end',
    'restore_email',
    // The rows of several members, whose order is the same for all writers.
    'block_members',
    'notify_comment',
    'withdraw_notifications',
  ]

  test('no function or policy compares ids without the time before them, and orders by ids alone only to lock in one order', async () => {
    const texts = await community.sql(
      `select proname as name, prosrc as text from pg_proc
       where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
       union all
       select policyname, concat_ws(' ', qual, with_check) from pg_policies where schemaname in ('public', 'private', 'storage')
       union all
       select viewname, definition from pg_views where schemaname in ('public', 'private')`,
    )
    const found = texts.filter(({ text }) => comparesIds(String(text))).map(({ name }) => String(name))
    expect(found.toSorted()).toEqual(ALLOWED.toSorted())
  })

  test.each([
    'select id from posts order by id desc limit 30',
    'select p.id from posts p order by p.id',
    'select id from posts where id < before_id',
    'select 1 from messages m where m.id >= $1',
    'select max(id) from posts',
    'select id from posts where (id, created_at) < ($1, $2)',
  ])('refuses %s', (text) => {
    expect(comparesIds(text)).toBe(true)
  })

  test.each([
    'select id from posts order by created_at desc, id desc limit 30',
    'perform 1 from posts p where p.id = any (ids) order by p.id for no key update',
    'select id from posts where (created_at, id) < ($1, $2)',
    'select id from posts where id = $1 and id <> $2',
  ])('allows %s', (text) => {
    expect(comparesIds(text)).toBe(false)
  })
})

/** Whether a statement compares ids, or orders by them, without a time before them. An order for locks is allowed. */
function comparesIds(text: string): boolean {
  const id = String.raw`\b(?:\w+\.)?(?:\w+_)?id\b`
  const compared = new RegExp(
    `${id}\\s*[<>](?!>)|(?<![<>])[<>]=?\\s*${id}|\\(${id}[^()]*\\)\\s*[<>](?!>)|\\b(?:min|max)\\(${id}\\)`,
    'i',
  )
  const ordered = new RegExp(`order by ${id}(?![^;()]*\\bfor (?:no key )?(?:update|share))`, 'i')
  return compared.test(text) || ordered.test(text)
}
