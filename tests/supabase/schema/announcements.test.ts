import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Action, comment, follow, like, publish, remove, unlike } from './support/actions'
import { hold, openSessions, type Sessions } from './support/sessions'

let sessions: Sessions
beforeAll(async () => {
  sessions = await openSessions()
  // As hosted: broadcasts are rows.
  await sessions.sql.unsafe(`
    drop function realtime.stores_no_broadcasts();
    create table public.sent (number bigint generated always as identity, topic text, event text, payload jsonb);
    create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
      language sql security definer as $$ insert into public.sent (topic, event, payload) values (topic, event, payload) $$`)
})
afterAll(() => sessions.close())
beforeEach(() => sessions.sql`truncate public.sent, private.waiting_broadcasts, private.announcements`)

const holdAs = (member: string, work: Action) => hold((held) => sessions.as(member, held), work)
/** Does it without waiting for anybody. */
const atOnce = (member: string, work: Action) =>
  sessions.as(member, async (tx) => {
    await tx`set local lock_timeout = '10s'`
    await work(tx)
  })
async function settle(member: string): Promise<number | null> {
  const [row] = await sessions.as(member, (tx) => tx`select settle() as again`)
  return row?.again
}
/** Two seconds later. */
const later = () => sessions.sql`update private.announcements set sent_at = sent_at - interval '2 seconds'`
const waiting = () => sessions.sql`select from private.waiting_broadcasts`
/** What was sent to a member, as `table TYPE number of ids`, one text for each broadcast. */
async function sentTo(member: string): Promise<string[]> {
  const rows =
    await sessions.sql`select payload from sent where topic = ${`member:${member}`} order by number`
  return rows.map(({ payload: { also = [], ...first } }) =>
    [first, ...also].map(({ table, type, ids }) => `${table} ${type} ${ids.length}`).join(', '),
  )
}
const notified = async (member: string) =>
  (await sessions.sql`select from notifications where user_id = ${member}`).length

let joined = 0
const join = () => sessions.join(`n.${++joined}`)
async function joinWithPost() {
  const [id, post] = [await join(), randomUUID()]
  await sessions.as(id, publish(post, id))
  return { id, post }
}

describe('likes and follows of a member', () => {
  test('FEED-08 NOTE-01 a like is announced at once, and nothing is written down', async () => {
    const [ada, ben] = [await joinWithPost(), await join()]
    await sessions.as(ben, like(ben, ada.post))
    expect(await sentTo(ada.id)).toEqual(['notifications INSERT 1'])
    expect(await sentTo(ben)).toEqual(['likes INSERT 1'])
    expect(await waiting()).toEqual([])
    expect(await settle(ben)).toBeNull()
  })

  test('FEED-08 NOTE-01 what follows within two seconds is one broadcast, without cron and another writer', async () => {
    const [ada, ben, cem, dan] = [await joinWithPost(), await join(), await join(), await join()]
    await sessions.as(ben, like(ben, ada.post))
    await sessions.as(cem, like(cem, ada.post))
    await sessions.as(dan, follow(dan, ada.id))
    expect(await sentTo(ada.id)).toEqual(['notifications INSERT 1'])
    // The list has them already.
    expect(await notified(ada.id)).toBe(3)
    const again = await settle(cem)
    expect(again).toBeGreaterThanOrEqual(200)
    expect(again).toBeLessThanOrEqual(2000)
    await later()
    expect(await settle(cem)).toBeNull()
    expect(await sentTo(ada.id)).toEqual(['notifications INSERT 1', 'notifications INSERT 2'])
    expect(await settle(dan)).toBeNull()
    expect(await sentTo(ada.id)).toHaveLength(2)
  })

  test('FEED-08 NOTE-01 the next like takes what waits with it', async () => {
    const [ada, ben, cem, dan] = [await joinWithPost(), await join(), await join(), await join()]
    for (const member of [ben, cem]) await sessions.as(member, like(member, ada.post))
    await later()
    await sessions.as(dan, like(dan, ada.post))
    expect(await sentTo(ada.id)).toEqual(['notifications INSERT 1', 'notifications INSERT 2'])
    expect(await waiting()).toEqual([])
  })

  test('FEED-08 NOTE-01 a like does not wait for one that is being announced', async () => {
    const [ada, ben, cem] = [await joinWithPost(), await join(), await join()]
    const first = await holdAs(ben, like(ben, ada.post))
    await atOnce(cem, like(cem, ada.post))
    expect(await settle(cem)).toBe(200)
    await first.commit()
    expect(await settle(cem)).toBeGreaterThan(200)
    await later()
    expect(await settle(cem)).toBeNull()
    expect(await sentTo(ada.id)).toEqual(['notifications INSERT 1', 'notifications INSERT 1'])
  })

  test('FEED-08 NOTE-01 is called again soon for one that is being announced after months', async () => {
    const [ada, ben, cem] = [await joinWithPost(), await join(), await join()]
    await sessions.as(ben, like(ben, ada.post))
    await sessions.sql`update private.announcements set sent_at = sent_at - interval '90 days'`
    const first = await holdAs(ben, unlike(ben))
    await atOnce(cem, like(cem, ada.post))
    expect(await settle(cem)).toBe(200)
    await first.commit()
  })

  test('FEED-08 NOTE-01 members who were added without triggers are called too', async () => {
    const [ada, ben] = [await joinWithPost(), await join()]
    await sessions.sql`truncate private.announcements`
    await sessions.as(ben, like(ben, ada.post))
    expect(await settle(ben)).toBeNull()
    expect(await sentTo(ada.id)).toEqual(['notifications INSERT 1'])
  })

  test('FEED-08 NOTE-01 two apps announce what waits once', async () => {
    const [ada, ben, cem] = [await joinWithPost(), await join(), await join()]
    for (const member of [ben, cem]) await sessions.as(member, like(member, ada.post))
    await later()
    const settling = await holdAs(ben, (tx) => tx`select settle()`)
    expect(await settle(cem)).toBeGreaterThanOrEqual(1000)
    await settling.commit()
    expect(await settle(cem)).toBeNull()
    expect(await sentTo(ada.id)).toHaveLength(2)
  })

  test('FEED-08 NOTE-01 one that fails leaves the turn to the next', async () => {
    const [ada, ben, cem] = [await joinWithPost(), await join(), await join()]
    const failing = sessions.as(ben, async (tx) => {
      await like(ben, ada.post)(tx)
      throw new Error('fails')
    })
    await expect(failing).rejects.toThrow('fails')
    await sessions.as(cem, like(cem, ada.post))
    expect(await sentTo(ada.id)).toEqual(['notifications INSERT 1'])
  })

  test('FEED-08 of a like that comes and goes only the last is announced', async () => {
    const [ada, ben] = [await joinWithPost(), await join()]
    for (const act of [like(ben, ada.post), unlike(ben), like(ben, ada.post), unlike(ben)]) {
      await sessions.as(ben, act)
    }
    await later()
    expect(await settle(ben)).toBeNull()
    expect(await sentTo(ada.id)).toEqual(['notifications INSERT 1', 'notifications DELETE 1'])
    expect(await sentTo(ben)).toEqual(['likes INSERT 1', 'likes DELETE 1'])
    expect(await notified(ada.id)).toBe(0)
  })

  test('FEED-08 NOTE-01 own likes and those of others are one broadcast', async () => {
    const [ada, ben] = [await joinWithPost(), await joinWithPost()]
    await sessions.as(ada.id, like(ada.id, ben.post))
    await sessions.as(ben.id, like(ben.id, ada.post))
    await sessions.as(ada.id, unlike(ada.id))
    await later()
    expect(await settle(ada.id)).toBeNull()
    expect(await sentTo(ada.id)).toEqual(['likes INSERT 1', 'notifications INSERT 1, likes DELETE 1'])
  })

  test('FEED-08 NOTE-01 apps that read only the first notice see new notifications', async () => {
    const [ada, ben, cem] = [await joinWithPost(), await joinWithPost(), await join()]
    await sessions.as(cem, like(cem, ada.post))
    await sessions.as(ada.id, like(ada.id, ben.post))
    await sessions.as(cem, unlike(cem))
    await sessions.as(ben.id, follow(ben.id, ada.id))
    await later()
    expect(await settle(ada.id)).toBeNull()
    expect((await sentTo(ada.id)).at(-1)).toBe(
      'notifications INSERT 1, notifications DELETE 1, likes INSERT 1',
    )
  })

  test('FEED-08 announcing to many members takes no entries of the lock table', async () => {
    const ben = await join()
    const crowd = Array.from({ length: 300 }, () => randomUUID())
    await sessions.sql`insert into auth.users (id, email) select id, id || '@example.com' from unnest(${crowd}::uuid[]) as id`
    await sessions.sql`insert into profiles (id, username)
      select id, 'c' || left(replace(id::text, '-', ''), 20) from unnest(${crowd}::uuid[]) as id`
    await sessions.sql`insert into posts (user_id, content) select id, 'post' from unnest(${crowd}::uuid[]) as id`
    const locks = () => sessions.sql`select from pg_locks where locktype = 'advisory'`
    const liking = await holdAs(
      ben,
      (tx) =>
        tx`insert into likes (post_id, user_id) select id, ${ben} from posts where user_id = any (${crowd}::uuid[])`,
    )
    // Those of the pairs, which a block waits for.
    expect(await locks()).toHaveLength(300)
    await liking.commit()
    expect(await sessions.sql`select from sent where payload ->> 'table' = 'notifications'`).toHaveLength(300)
    const unliking = await holdAs(ben, unlike(ben))
    expect(await locks()).toEqual([])
    await unliking.commit()
  })

  test('FEED-08 a broadcast has at most 100 ids of a kind', async () => {
    const [ada, ben] = [await join(), await join()]
    await sessions.sql`insert into posts (user_id, content) select ${ada}, 'post' from generate_series(1, 150)`
    await sessions.as(
      ben,
      (tx) => tx`insert into likes (post_id, user_id)
      select id, ${ben} from posts where user_id = ${ada} limit 1`,
    )
    await sessions.as(
      ben,
      (tx) => tx`insert into likes (post_id, user_id)
      select id, ${ben} from posts where user_id = ${ada} on conflict do nothing`,
    )
    await later()
    expect(await settle(ben)).toBeNull()
    expect(await sentTo(ada)).toEqual(['notifications INSERT 1', 'notifications INSERT 100'])
  })

  test('SET-03 what waits for a member goes with the account', async () => {
    const [ada, ben, cem] = [await joinWithPost(), await join(), await join()]
    for (const member of [ben, cem]) await sessions.as(member, like(member, ada.post))
    await sessions.as(ada.id, (tx) => tx`select delete_account()`)
    expect(await sessions.sql`select from private.waiting_broadcasts where member_id = ${ada.id}`).toEqual([])
    expect(await sessions.sql`select from private.announcements where member_id = ${ada.id}`).toEqual([])
  })
})

test('FEED-07 SET-04 comments and requests are broadcast at once, however many', async () => {
  const [ada, ben] = [await joinWithPost(), await join()]
  for (let n = 0; n < 3; n++) await sessions.as(ben, comment(ben, ada.post))
  expect(await sentTo(ada.id)).toEqual(Array.from({ length: 3 }, () => 'notifications INSERT 1'))
  await sessions.as(ada.id, (tx) => tx`update profiles set is_private = true where id = ${ada.id}`)
  await sessions.as(
    ben,
    (tx) => tx`insert into follow_requests (requester_id, target_id) values (${ben}, ${ada.id})`,
  )
  expect(await sentTo(ada.id)).toHaveLength(4)
  expect(await waiting()).toEqual([])
})

test('MSG-04 messages are broadcast at once while a member gets likes', async () => {
  const [ada, ben, cem] = [await joinWithPost(), await join(), await join()]
  for (const member of [ben, cem]) await sessions.as(member, like(member, ada.post))
  const id = randomUUID()
  await sessions.as(
    ben,
    (tx) =>
      tx`insert into conversations (id, participant_1, participant_2) values (${id}, ${ben}, ${ada.id})`,
  )
  await sessions.as(
    ben,
    (tx) => tx`insert into messages (conversation_id, sender_id, content) values (${id}, ${ben}, 'hi')`,
  )
  expect((await sentTo(ada.id)).filter((text) => text.startsWith('messages'))).toEqual(['messages INSERT 1'])
  expect(await waiting()).toHaveLength(1)
})

test('FEED-08 a like does not depend on Realtime', async () => {
  const [ada, ben] = [await joinWithPost(), await join()]
  await sessions.sql`alter table sent rename to sent_before`
  try {
    await sessions.as(ben, like(ben, ada.post))
  } finally {
    await sessions.sql`alter table sent_before rename to sent`
  }
  expect(await notified(ada.id)).toBe(1)
  expect(await waiting()).toEqual([])
})

test('FEED-08 NOTE-01 servers of one machine broadcast at once, as they store nothing', async () => {
  const [ada, ben, cem] = [await joinWithPost(), await join(), await join()]
  await sessions.sql.unsafe(
    `create function realtime.stores_no_broadcasts() returns boolean language sql as 'select true'`,
  )
  try {
    for (const member of [ben, cem]) await sessions.as(member, like(member, ada.post))
  } finally {
    await sessions.sql.unsafe('drop function realtime.stores_no_broadcasts()')
  }
  expect(await sentTo(ada.id)).toEqual(['notifications INSERT 1', 'notifications INSERT 1'])
})

test('FEED-11 the removal of a large post and of a long thread is broadcast at once, as that of small ones', async () => {
  const [ada, ben] = [await joinWithPost(), await join()]
  const thread = randomUUID()
  await sessions.sql`insert into comments (id, post_id, user_id, content) values (${thread}, ${ada.post}, ${ben}, 'hm')`
  await sessions.sql`insert into comments (post_id, user_id, content, parent_id)
    select ${ada.post}, ${ben}, 'hm', ${thread} from generate_series(1, 210)`
  await sessions.sql`insert into comments (post_id, user_id, content)
    select ${ada.post}, ${ben}, 'hm' from generate_series(1, 210)`
  await sessions.sql`truncate sent`
  const sent = () =>
    sessions.sql`select event, payload from sent where topic = ${`post:${ada.post}`} order by number`
  await sessions.as(ben, (tx) => tx`select delete_comments(array[${thread}]::uuid[])`)
  await sessions.as(ada.id, remove(ada.post))
  expect(await sent()).toEqual([
    { event: 'change', payload: { table: 'comments', type: 'DELETE', ids: [thread], threads: [] } },
    { event: 'change', payload: { table: 'posts', type: 'DELETE', ids: [ada.post] } },
  ])
  await sessions.workOff()
})
