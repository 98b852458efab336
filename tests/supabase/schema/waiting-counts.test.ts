import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Action, comment, follow, like, publish, unfollow, unlike } from './support/actions'
import { hold, openSessions, type Sessions, type Tx } from './support/sessions'

let sessions: Sessions
beforeAll(async () => {
  sessions = await openSessions()
})
afterAll(() => sessions.close())
beforeEach(() => sessions.sql`select private.settle_waiting()`)

const holdAs = (member: string, work: Action) => hold((held) => sessions.as(member, held), work)
/** Holds a row, as a writer of its counters does until its end. */
const holdRow = (table: string, id: string) =>
  hold(
    (held) => sessions.sql.begin(held),
    (tx) => tx`select from ${tx(table)} where id = ${id} for no key update`,
  )

/** Does it without waiting for anybody. */
const atOnce = (member: string, work: Action) =>
  sessions.as(member, async (tx) => {
    await tx`set local lock_timeout = '10s'`
    await work(tx)
  })

const settle = async (member?: string) => {
  const [row] =
    member === undefined
      ? await sessions.sql`select private.settle_waiting() as again`
      : await sessions.as(member, (tx) => tx`select settle() as again`)
  return row?.again
}
const waiting = () => sessions.sql`select counter, change from private.count_changes order by counter, change`
async function likesOf(post: string) {
  const [row] =
    await sessions.sql`select like_count, shown_like_count(p) as shown from posts p where id = ${post}`
  return [row?.like_count, row?.shown]
}

let joined = 0
const join = () => sessions.join(`w.${++joined}`)
async function joinWithPost() {
  const [id, post] = [await join(), randomUUID()]
  await sessions.as(id, publish(post, id))
  return { id, post }
}

describe('a counter whose row is free', () => {
  test('FEED-04 is right at once, and nothing is written down', async () => {
    const [{ post }, ben] = [await joinWithPost(), await join()]
    await sessions.as(ben, like(ben, post))
    expect(await likesOf(post)).toEqual([1, 1])
    expect(await waiting()).toEqual([])
    await sessions.as(ben, unlike(ben))
    expect(await likesOf(post)).toEqual([0, 0])
    expect(await waiting()).toEqual([])
  })
})

describe('a counter whose row somebody holds', () => {
  test('SAFE-07 FEED-04 FEED-08 does not make a like wait, and shows it', async () => {
    const [{ post }, ben, cem] = [await joinWithPost(), await join(), await join()]
    const first = await holdAs(ben, like(ben, post))
    await atOnce(cem, like(cem, post))
    expect(await likesOf(post)).toEqual([0, 1])
    await first.commit()
    expect(await likesOf(post)).toEqual([1, 2])
    expect(await settle(cem)).toBeNull()
    expect(await likesOf(post)).toEqual([2, 2])
    expect(await waiting()).toEqual([])
  })

  test('FEED-04 is added up by the next writer who finds it free', async () => {
    const [{ post }, ben, cem] = [await joinWithPost(), await join(), await join()]
    const held = await holdRow('posts', post)
    await atOnce(ben, like(ben, post))
    await held.commit()
    await sessions.as(cem, like(cem, post))
    expect(await likesOf(post)).toEqual([2, 2])
    expect(await waiting()).toEqual([])
  })

  test('FEED-04 is added up once, by whom of two callers is first', async () => {
    const [{ post }, ben, cem] = [await joinWithPost(), await join(), await join()]
    const held = await holdRow('posts', post)
    await atOnce(ben, like(ben, post))
    await held.commit()
    const settling = await holdAs(ben, (tx) => tx`select settle()`)
    const again = await settle(cem)
    expect(again).toBeGreaterThanOrEqual(1000)
    expect(again).toBeLessThanOrEqual(2000)
    await settling.commit()
    expect(await settle(cem)).toBeNull()
    expect(await likesOf(post)).toEqual([1, 1])
  })

  test('FEED-04 only one caller adds up at a time, and the other one holds no row', async () => {
    const [ada, { post }, ben] = [await joinWithPost(), await joinWithPost(), await join()]
    const settling = await holdAs(ben, (tx) => tx`select settle()`)
    const held = await holdRow('posts', post)
    await atOnce(ben, like(ben, post))
    await held.commit()
    const other = await holdAs(ada.id, (tx) => tx`select settle()`)
    await sessions.as(ada.id, like(ada.id, post))
    expect(await likesOf(post)).toEqual([2, 2])
    for (const one of [settling, other]) await one.commit()
  })

  test('FEED-04 is added up in steps of 10,000, and is right meanwhile', async () => {
    const [{ post }, ben] = [await joinWithPost(), await join()]
    await sessions.sql`insert into private.count_changes (item, counter, change)
      select ${post}, counter, 1 from generate_series(1, 12000), unnest(array['likes', 'comments']) as counter`
    await sessions.as(ben, like(ben, post))
    expect(await likesOf(post)).toEqual([1, 12_001])
    expect(await waiting()).toHaveLength(14_000)
    expect(await settle(ben)).toBe(200)
    expect(await waiting()).toHaveLength(4000)
    expect(await settle(ben)).toBeNull()
    expect(await likesOf(post)).toEqual([12_001, 12_001])
    await sessions.sql`select private.recount(${[post]})`
  })

  test('FEED-04 keeps what others did when the holder fails', async () => {
    const [{ post }, ben, cem] = [await joinWithPost(), await join(), await join()]
    const fail = async (work: (tx: Tx) => Promise<void>) => {
      await sessions.as(ben, async (tx) => {
        await work(tx)
        throw new Error('the holder fails')
      })
    }
    const failing = await hold(fail, like(ben, post))
    await atOnce(cem, like(cem, post))
    await expect(failing.commit()).rejects.toThrow('the holder fails')
    expect(await likesOf(post)).toEqual([0, 1])
    expect(await settle()).toBeNull()
    expect(await likesOf(post)).toEqual([1, 1])
  })

  test('FEED-04 FEED-08 counts likes that come and go meanwhile, in any order', async () => {
    const [{ post }, ben, cem] = [await joinWithPost(), await join(), await join()]
    await sessions.as(ben, like(ben, post))
    const held = await holdRow('posts', post)
    await atOnce(ben, unlike(ben))
    await atOnce(cem, like(cem, post))
    await atOnce(cem, unlike(cem))
    await atOnce(cem, like(cem, post))
    expect(await likesOf(post)).toEqual([1, 1])
    expect(await settle()).toBe(200)
    await held.commit()
    expect(await settle()).toBeNull()
    expect(await likesOf(post)).toEqual([1, 1])
    expect(await waiting()).toEqual([])
  })

  test('FEED-07 FEED-16 FEED-19 counts comments, replies and their likes', async () => {
    const [{ id, post }, ben] = [await joinWithPost(), await join()]
    const thread = randomUUID()
    await sessions.as(
      id,
      (tx) =>
        tx`insert into comments (id, user_id, post_id, content) values (${thread}, ${id}, ${post}, 'hm')`,
    )
    const held = [await holdRow('posts', post), await holdRow('comments', thread)]
    await atOnce(
      ben,
      (tx) => tx`
        insert into comments (user_id, post_id, parent_id, content) values (${ben}, ${post}, ${thread}, 'hm')`,
    )
    await atOnce(ben, (tx) => tx`insert into comment_likes (user_id, comment_id) values (${ben}, ${thread})`)
    const counts = () => sessions.sql`
      select p.comment_count, shown_comment_count(p) as comments, c.reply_count, shown_reply_count(c) as replies,
        c.like_count, shown_like_count(c) as likes
      from posts p join comments c on c.post_id = p.id where c.id = ${thread}`
    expect(await counts()).toEqual([
      { comment_count: 1, comments: 2, reply_count: 0, replies: 1, like_count: 0, likes: 1 },
    ])
    for (const one of held) await one.commit()
    expect(await settle(ben)).toBeNull()
    expect(await counts()).toEqual([
      { comment_count: 2, comments: 2, reply_count: 1, replies: 1, like_count: 1, likes: 1 },
    ])
  })

  test('PROF-02 PROF-04 counts followers, the followed and posts', async () => {
    const [ada, ben] = [await join(), await join()]
    const held = [await holdRow('profiles', ada), await holdRow('profiles', ben)]
    await atOnce(ben, follow(ben, ada))
    const counts = () => sessions.sql`
      select follower_count, shown_follower_count(p) as followers, following_count, shown_following_count(p) as following
      from profiles p where id in (${ada}, ${ben}) order by shown_follower_count(p)`
    expect(await counts()).toEqual([
      { follower_count: 0, followers: 0, following_count: 0, following: 1 },
      { follower_count: 0, followers: 1, following_count: 0, following: 0 },
    ])
    for (const one of held) await one.commit()
    expect(await settle()).toBeNull()
    expect(await counts()).toEqual([
      { follower_count: 0, followers: 0, following_count: 1, following: 1 },
      { follower_count: 1, followers: 1, following_count: 0, following: 0 },
    ])
    const post = randomUUID()
    await sessions.as(ada, publish(post, ada))
    const removed = await holdRow('profiles', ada)
    await atOnce(ada, (tx) => tx`select delete_posts(${[post]})`)
    await atOnce(ben, unfollow(ben))
    const shown = () =>
      sessions.sql`select post_count, shown_post_count(p) as posts, shown_follower_count(p) as followers
        from profiles p where id = ${ada}`
    expect(await shown()).toEqual([{ post_count: 1, posts: 0, followers: 0 }])
    await removed.commit()
    expect(await settle()).toBeNull()
    expect(await shown()).toEqual([{ post_count: 0, posts: 0, followers: 0 }])
  })

  test('FEED-11 is forgotten with its post', async () => {
    const [{ id, post }, ben] = [await joinWithPost(), await join()]
    const held = await holdRow('posts', post)
    await atOnce(ben, comment(ben, post))
    await held.commit()
    await sessions.as(id, (tx) => tx`select delete_posts(${[post]})`)
    const leaving = await hold(
      (tx) => sessions.sql.begin(tx),
      (tx) => tx`select from private.count_changes for update`,
    )
    // A second caller does not wait for the first.
    expect(await settle()).toBe(200)
    await leaving.commit()
    expect(await settle()).toBeNull()
    expect(await waiting()).toEqual([])
  })

  test('FEED-04 does not keep more than 200 others waiting', async () => {
    const [ada, ben] = [await join(), await join()]
    await sessions.sql`
      insert into posts (id, user_id, content)
      select overlay(gen_random_uuid()::text placing case when n <= 120 then '0' else 'f' end from 1 for 1)::uuid, ${ada}, 'post'
      from generate_series(1, 260) as n`
    const held = await hold(
      (tx) => sessions.sql.begin(tx),
      (tx) => tx`select from posts where user_id = ${ada} for no key update`,
    )
    await atOnce(
      ben,
      (tx) => tx`insert into likes (post_id, user_id) select id, ${ben} from posts where user_id = ${ada}`,
    )
    expect(await waiting()).toHaveLength(260)
    await held.commit()
    const lower = await hold(
      (tx) => sessions.sql.begin(tx),
      (tx) =>
        tx`select from posts where user_id = ${ada} and id < '10000000-0000-0000-0000-000000000000' for no key update`,
    )
    let calls = 0
    while ((await waiting()).length > 120) {
      expect(await settle()).toBe(200)
      expect(++calls).toBeLessThan(50)
    }
    await lower.commit()
    while ((await settle()) !== null) expect(++calls).toBeLessThan(50)
    expect(await waiting()).toEqual([])
    expect(
      await sessions.sql`select count(*)::integer as posts from posts where user_id = ${ada} and like_count = 1`,
    ).toEqual([{ posts: 260 }])
  })
})

test('FEED-04 the lowest of all ids, which a member may choose, is added up too', async () => {
  const [ada, ben, post] = [await join(), await join(), '00000000-0000-0000-0000-000000000000']
  await sessions.as(ada, publish(post, ada))
  const held = await holdRow('posts', post)
  await atOnce(ben, like(ben, post))
  await held.commit()
  expect(await settle(ben)).toBeNull()
  expect(await likesOf(post)).toEqual([1, 1])
})

test('nobody but a member adds up', async () => {
  const [{ post }, ben] = [await joinWithPost(), await join()]
  const held = await holdRow('posts', post)
  await atOnce(ben, like(ben, post))
  await held.commit()
  const stranger = await join()
  await sessions.sql`delete from auth.sessions where user_id = ${stranger}`
  expect(await settle(stranger)).toBeNull()
  expect(await waiting()).toEqual([{ counter: 'likes', change: 1 }])
})

describe('a counter that is wrong', () => {
  test('FEED-08 fails no unlike, and is never below zero', async () => {
    const [{ post }, ben] = [await joinWithPost(), await join()]
    await sessions.as(ben, like(ben, post))
    await sessions.sql`update posts set like_count = 0 where id = ${post}`
    await sessions.as(ben, unlike(ben))
    expect(await likesOf(post)).toEqual([0, 0])
  })

  test('is corrected by recount(), beside writers that have not ended', async () => {
    const [{ id, post }, ben, cem, dan] = [await joinWithPost(), await join(), await join(), await join()]
    await sessions.as(ben, like(ben, post))
    await sessions.as(ben, follow(ben, id))
    await sessions.sql`update posts set like_count = 7, comment_count = 3 where id = ${post}`
    await sessions.sql`update profiles set follower_count = 9, post_count = 0 where id = ${id}`
    const blocker = await holdRow('posts', post)
    // It has written its change down, and ends after the recount.
    const writing = await holdAs(cem, like(cem, post))
    await atOnce(dan, like(dan, post))
    await blocker.commit()
    await sessions.sql`select private.recount(${[post, id]})`
    expect(await likesOf(post)).toEqual([2, 2])
    await writing.commit()
    expect(await likesOf(post)).toEqual([2, 3])
    expect(await settle()).toBeNull()
    expect(await likesOf(post)).toEqual([3, 3])
    expect(
      await sessions.sql`
        select comment_count, post_count, follower_count from posts o join profiles p on p.id = o.user_id
        where o.id = ${post}`,
    ).toEqual([{ comment_count: 0, post_count: 1, follower_count: 1 }])
  })

  test('is corrected by recount() after a writer that holds it', async () => {
    const [{ post }, ben] = [await joinWithPost(), await join()]
    await sessions.sql`update posts set like_count = 7 where id = ${post}`
    const writing = await holdAs(ben, like(ben, post))
    const recounting = sessions.sql`select private.recount(${[post]})`.execute()
    await sessions.waitUntilBlocked(1)
    await writing.commit()
    await recounting
    expect(await likesOf(post)).toEqual([1, 1])
  })
})

test('functions that look for what waits do not keep a plan that reads the whole queue', async () => {
  expect(
    await sessions.sql`
      select p.proname as name from pg_proc p
      where p.prosrc ~ 'from private\\.(count_changes)' and p.proname not in ('recount', 'waiting_count')
        and not coalesce(p.proconfig @> array['enable_seqscan=off'], false)`,
  ).toEqual([])
})

test('a writer reads only what it adds up, with the plan of an empty queue', async () => {
  const { post } = await joinWithPost()
  await sessions.sql`vacuum analyze private.count_changes`
  await sessions.sql`insert into private.count_changes (item, counter, change)
    select ${post}, 'likes', 1 from generate_series(1, 200000)`
  const [read] = await sessions.sql.begin(async (tx) => {
    await tx`select private.count_on_posts(array[(${post}::uuid, 'likes', 0)::private.count_change])`
    return tx`select pg_stat_get_xact_tuples_returned('private.count_changes_pkey'::regclass)::integer as entries`
  })
  // The 10,000 changes are found once and removed once.
  expect(read?.entries).toBeGreaterThanOrEqual(10_000)
  expect(read?.entries).toBeLessThan(30_000)
  await sessions.sql`delete from private.count_changes`
})
