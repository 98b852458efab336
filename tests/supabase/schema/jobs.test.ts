import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { addObjects, photoOf } from '#tests/supabase/objects'
import { addAccount, CLAIMS, claimsOf, openOwnCommunity, refusal } from './support/community'
import { findInconsistencies } from './support/inconsistencies'

const PNG = 'data:image/png;base64,AAAA'
/** More rows than are deleted in the call itself. */
const MANY = 230

const { community, ada, ben, fan } = await openOwnCommunity('ada', 'ben', 'fan')
const { as, sql } = community

await sql(
  `with accounts as (insert into auth.users (id, email)
     select gen_random_uuid(), 'crowd' || n || '@example.com' from generate_series(1, ${MANY}) n returning id, email)
   insert into profiles (id, username) select id, split_part(email, '@', 1) from accounts`,
)
const CROWD = `(select id from profiles where username like 'crowd%') as member`

beforeEach(async () => {
  await workOff()
  await sql('delete from posts')
  await sql('delete from stories')
  await sql('delete from notifications')
})

/** Cleans up in batches until nothing is left, and returns how many batches that took. */
async function workOff(maxRows = 50): Promise<number> {
  for (let batches = 0; ; batches++) {
    const [row] = await sql`select private.work_job(${maxRows}) as removed`
    if (row?.removed === 0) return batches
  }
}

/** Calls settle_waiting() as apps and pg_cron do, until nothing is left, and returns how many calls did something. */
async function settleAll(): Promise<number> {
  for (let calls = 0; ; calls++) {
    const [row] = await sql('select private.settle_waiting() as again')
    if (row?.again === null) return calls
  }
}

const jobs = () => sql('select kind, error from private.jobs order by kind')
const count = async (from: string, parameters: unknown[] = []) =>
  Number((await sql(`select count(*) from ${from}`, parameters))[0]?.count)
const inconsistencies = () =>
  findInconsistencies({
    sql: ((parts: TemplateStringsArray) => sql(parts[0] ?? '')) as never,
  })

/** Each table that members may read, and which of its rows show one of these ids to a member. */
async function shown(member: string, ids: string[]): Promise<string[]> {
  const tables = await sql(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and has_table_privilege('authenticated', oid, 'select') order by relname`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await as(
      member,
      `select from ${String(name)} t where exists (select from unnest($1::text[]) id where strpos(to_jsonb(t)::text, id) > 0)`,
      [ids],
    )
    if (rows.length > 0) found.push(String(name))
  }
  return found
}

/** A post of Ada's with a photo, a topic and a tag, liked by many, commented and saved by some. */
async function popularPost(): Promise<string> {
  const id = randomUUID()
  const photos = [photoOf(await addObjects(sql, ada))]
  await as(
    ada,
  )`select create_post(${id}, ${'Fog over #weir with @ben'}, ${'Weir'}, ${JSON.stringify(photos)})`
  await sql(`insert into likes (post_id, user_id) select $1, id from ${CROWD}`, [id])
  await sql(`insert into comments (post_id, user_id, content) select $1, id, 'boo' from ${CROWD} limit 20`, [
    id,
  ])
  await sql(`insert into saved_posts (post_id, user_id) select $1, id from ${CROWD} limit 20`, [id])
  return id
}

describe('FEED-11 a popular post', () => {
  test('is not looked for in each notification of a member while it is cleaned up', {
    tags: 'long',
  }, async () => {
    const [kept, post] = [await popularPost(), await popularPost()]
    await as(ada)`select delete_posts(array[${post}]::uuid[])`
    expect(await count('notifications where post_id = $1', [kept])).toBeGreaterThan(MANY)
    await sql(`set track_functions to 'all'`)
    const calls = await community.pg.transaction(async (tx) => {
      await tx.query(CLAIMS, [claimsOf(ada), ada])
      await tx.query('select * from notification_groups()')
      const { rows } = await tx.query<{ most: number }>(
        'select max(calls)::integer as most from pg_stat_xact_user_functions',
      )
      return rows[0]?.most
    })
    await sql('reset track_functions')
    expect(calls).toBeLessThan(50)
    await as(ada)`select delete_posts(array[${kept}]::uuid[])`
    await workOff()
    expect(await jobs()).toEqual([])
  })

  test('disappears at once for everybody, its author too, and is cleaned up in batches', async () => {
    const kept = await community.post(ada, 'Stays')
    const post = await popularPost()
    await as(fan)`insert into follows (follower_id, following_id) values (${fan}, ${ada})`
    expect(await shown(ben, [post])).toContain('posts')
    const [before] = await as(ada)`select count(*)::integer as groups from notification_groups()
      where post_id = ${post}`
    expect(before).toEqual({ groups: 2 })

    await as(ada)`select delete_posts(array[${post}]::uuid[])`
    expect(await jobs()).toEqual([{ kind: 'account', error: null }])
    for (const member of [ada, ben, fan]) expect(await shown(member, [post])).toEqual([])
    expect(await as(ada, 'select id from posts')).toEqual([{ id: kept }])
    expect(await as(fan, 'select id from following_posts()')).toEqual([{ id: kept }])
    expect(await as(fan, 'select id from explore_posts()')).toEqual([])
    expect(await as(fan, `select id from search_posts('fog')`)).toEqual([])
    expect(await as(fan, `select topic from search_topics('weir')`)).toEqual([])
    expect(await as(ada)`select from notification_groups() where post_id = ${post}`).toEqual([])
    expect(await as(ada, 'select unread_notifications() as unread')).toEqual([{ unread: 1 }])
    expect(await sql`select post_count from profiles where id = ${ada}`).toEqual([{ post_count: 1 }])
    expect(await count('private.post_words where post_id = $1', [post])).toBe(0)
    // Nothing refers to its objects, so its author's app may remove them.
    expect(await count('post_media where user_id = $1', [ada])).toBe(0)
    await expect(as(ben)`insert into likes (post_id, user_id) values (${post}, ${ben})`).rejects.toEqual(
      refusal('42501'),
    )
    await expect(
      as(ben)`insert into comments (post_id, user_id, content) values (${post}, ${ben}, 'boo')`,
    ).rejects.toEqual(refusal('42501'))
    expect(await as(ada)`update posts set content = 'back' where id = ${post} returning id`).toEqual([])

    expect(await workOff()).toBeGreaterThan(1)
    expect(await jobs()).toEqual([])
    for (const table of ['likes', 'comments', 'saved_posts', 'notifications'])
      expect([table, await count(`${table} where post_id = $1`, [post])]).toEqual([table, 0])
    expect(await count(`profiles where username like 'removed%'`)).toBe(0)
    expect(await count('private.withdrawn_notifications')).toBe(0)
    // The holder's name was nobody's, so nobody has to wait for it.
    expect(await count(`private.deleted_usernames where username like 'removed%'`)).toBe(0)
    expect(await inconsistencies()).toEqual({})
  })

  test('takes with it what members did themselves: likes, comments, saves', async () => {
    const post = await popularPost()
    await as(fan)`insert into likes (post_id, user_id) values (${post}, ${fan})`
    await as(fan)`insert into comments (post_id, user_id, content) values (${post}, ${fan}, 'boo')`
    await as(fan)`insert into saved_posts (post_id, user_id) values (${post}, ${fan})`
    expect(await shown(fan, [post])).toEqual(expect.arrayContaining(['comments', 'likes', 'saved_posts']))
    await as(ada)`select delete_posts(array[${post}]::uuid[])`
    expect(await shown(fan, [post])).toEqual([])
  })

  test('cannot be removed by others, nor a second time', async () => {
    const post = await popularPost()
    await as(ben)`select delete_posts(array[${post}]::uuid[])`
    expect(await jobs()).toEqual([])
    await as(ada)`select delete_posts(array[${post}]::uuid[])`
    await as(ada)`select delete_posts(array[${post}]::uuid[])`
    expect(await jobs()).toHaveLength(1)
    expect(await sql`select post_count from profiles where id = ${ada}`).toEqual([{ post_count: 0 }])
  })

  test('its id cannot be used again while it is cleaned up', async () => {
    const post = await popularPost()
    await as(ada)`select delete_posts(array[${post}]::uuid[])`
    await expect(
      as(ada)`insert into posts (id, user_id, content) values (${post}, ${ada}, 'again')`,
    ).rejects.toEqual(refusal('23505'))
  })

  test('with fewer than 200 rows is deleted in the call', async () => {
    const post = await community.post(ada, 'Quiet')
    await sql(`insert into likes (post_id, user_id) select $1, id from ${CROWD} limit 40`, [post])
    await sql(
      `insert into comments (post_id, user_id, content) select $1, id, 'boo' from ${CROWD} limit 20`,
      [post],
    )
    await as(ada)`select delete_posts(array[${post}]::uuid[])`
    expect([await jobs(), await count('posts where id = $1', [post])]).toEqual([[], 0])
  })

  test('counts the rows below its comments', async () => {
    const post = await community.post(ada, 'Quiet')
    const [comment] = await sql`insert into comments (post_id, user_id, content)
      values (${post}, ${ben}, 'boo') returning id`
    await sql(`insert into comment_likes (comment_id, user_id) select $1, id from ${CROWD}`, [comment?.id])
    await as(ada)`select delete_posts(array[${post}]::uuid[])`
    expect(await jobs()).toHaveLength(1)
    await workOff()
    expect(await count('comment_likes')).toBe(0)
  })
})

describe('FEED-11 a long thread', () => {
  test('disappears at once with its replies, and the counts are right afterwards', async () => {
    const post = await community.post(ada, 'Thread')
    const [comment] = await sql`insert into comments (post_id, user_id, content)
      values (${post}, ${ben}, 'boo') returning id`
    const id = String(comment?.id)
    await sql(
      `insert into comments (post_id, user_id, content, parent_id) select $1, id, 'hey', $2 from ${CROWD}`,
      [post, id],
    )
    await as(fan)`insert into comment_likes (comment_id, user_id) values (${id}, ${fan})`
    expect(await shown(fan, [id])).toEqual(['comment_likes', 'comments'])
    expect(await shown(ada, [id])).toContain('notifications')
    await as(ben)`select delete_comments(array[${id}]::uuid[])`
    for (const member of [ada, ben, fan]) expect(await shown(member, [id])).toEqual([])
    expect(await as(ada)`select id from comments where post_id = ${post}`).toEqual([])
    await workOff()
    expect(await count('comments')).toBe(0)
    expect(await sql`select comment_count from posts where id = ${post}`).toEqual([{ comment_count: 0 }])
    expect(await inconsistencies()).toEqual({})
  })
})

test('FEED-11 what is removed hides nothing of others with the same id, which a member may choose in another table', async () => {
  const post = await community.post(ada, 'Stays')
  const [comment] = await sql`insert into comments (post_id, user_id, content) values (${post}, ${fan}, 'boo')
    returning id`
  const [reply] = await sql(
    `insert into comments (post_id, user_id, content, parent_id) select $1, id, 'hey', $2 from ${CROWD} limit 1 returning id`,
    [post, comment?.id],
  )
  const seen = async () => ({
    comments: await as(ada)`select id from comments where post_id = ${post} order by created_at, id`,
    notifications: await as(ada, 'select id from notifications order by id'),
    groups: await as(ada, 'select id from notification_groups()'),
    unread: await as(ada, 'select unread_notifications()'),
    ofFan: await as(fan, 'select id from notification_groups()'),
  })
  const before = await seen()
  expect(before.comments).toEqual([{ id: comment?.id }, { id: reply?.id }])
  expect(before.groups.length + before.ofFan.length).toBeGreaterThan(1)

  await as(ben)`insert into posts (id, user_id, content) values (${comment?.id}, ${ben}, 'mine')`
  await sql(`insert into likes (post_id, user_id) select $1, id from ${CROWD}`, [comment?.id])
  const own = await community.post(ben, 'Mine too')
  await as(ben)`insert into comments (id, post_id, user_id, content) values (${post}, ${own}, ${ben}, 'mine')`
  await sql(`insert into comment_likes (comment_id, user_id) select $1, id from ${CROWD}`, [post])
  await as(ben)`select delete_posts(array[${comment?.id}]::uuid[]), delete_comments(array[${post}]::uuid[])`
  expect(await jobs()).toHaveLength(2)
  expect(await seen()).toEqual(before)
})

test('STORY-09 a story with many viewers disappears at once, and its objects are free', async () => {
  const story = randomUUID()
  const [full, , grid] = await addObjects(sql, ada)
  await as(ada)`insert into stories (id, user_id, media_type, media_path, poster_path, thumbhash)
     values (${story}, ${ada}, 'image', ${full}, ${grid}, null)`
  await sql(`insert into story_views (story_id, viewer_id) select $1, id from ${CROWD}`, [story])
  await as(ben)`insert into story_views (story_id, viewer_id) values (${story}, ${ben})`
  expect(await shown(ben, [story])).toEqual(['stories', 'story_views'])
  await as(ada)`select delete_stories(array[${story}]::uuid[])`
  for (const member of [ada, ben]) expect(await shown(member, [story])).toEqual([])
  expect(await sql`select private.is_object_used(${full}) as used`).toEqual([{ used: false }])
  await workOff()
  expect([await count('stories'), await count('story_views')]).toEqual([0, 0])
})

test('SET-03 a batch of a closed account removes two stories, each of which may have a video in its row', async () => {
  const id = randomUUID()
  await addAccount(community.pg, id, 'films@example.com')
  await sql`insert into profiles (id, username) values (${id}, 'films')`
  await sql(
    `insert into stories (user_id, media_url, media_type) select $1, '${PNG}', 'image' from generate_series(1, 5)`,
    [id],
  )
  const removed = () =>
    sql`select private.remove_dependents('public.profiles', array[${id}::uuid], 50) as rows`
  for (const left of [3, 1, 0]) {
    await removed()
    expect(await count('stories')).toBe(left)
  }
  await sql`delete from profiles where id = ${id}`
})

describe('STORY-01 stories that ended a week ago', () => {
  /** Ended stories of Ada's, each with this many viewers. */
  async function ended(...viewers: number[]): Promise<void> {
    for (const many of viewers) {
      const story = randomUUID()
      await sql(
        `insert into stories (id, user_id, media_url, media_type) values ($1, $2, '${PNG}', 'image')`,
        [story, ada],
      )
      await sql(`insert into story_views (story_id, viewer_id) select $1, id from ${CROWD} limit $2`, [
        story,
        many,
      ])
    }
    await sql(`update stories set expires_at = now() - interval '8 days'`)
  }

  test('are deleted by the next story, and those with very many viewers by a job', async () => {
    await ended(3, MANY, 0)
    await as(ben, `insert into stories (user_id, media_url, media_type) values ($1, '${PNG}', 'image')`, [
      ben,
    ])
    expect(await sql`select from stories where user_id = ${ada}`).toEqual([])
    expect([await jobs(), await count('story_views')]).toEqual([[{ kind: 'account', error: null }], MANY])
    expect(await settleAll()).toBeGreaterThan(0)
    expect([await count('stories'), await count('story_views')]).toEqual([1, 0])
  })

  test('are counted by the cleanup', async () => {
    await ended(3, MANY, 0)
    expect(await sql('select private.delete_expired_stories(2) as removed')).toEqual([{ removed: 2 }])
    expect(await sql('select private.delete_expired_stories(2) as removed')).toEqual([{ removed: 1 }])
    expect(await sql('select private.delete_expired_stories(2) as removed')).toEqual([{ removed: 0 }])
  })
})

describe('SAFE-01 a block of two members with very many rows', () => {
  /** Ada and Ben with everything between the two, and a thread of Ben's below which many others wrote. */
  async function entangled(): Promise<{ thread: string; posts: string }> {
    const posts = `(select id from posts where content like 'Tangle%') as post`
    await sql(
      `insert into posts (user_id, content) select $1, 'Tangle ' || n from generate_series(1, ${MANY}) as n`,
      [ada],
    )
    await sql(`insert into likes (post_id, user_id) select id, $1 from ${posts}`, [ben])
    await sql(`insert into saved_posts (post_id, user_id) select id, $1 from ${posts}`, [ben])
    await sql(`insert into comments (post_id, user_id, content) select id, $1, 'boo' from ${posts}`, [ben])
    const [comment] = await sql`select id from comments where user_id = ${ben} limit 1`
    const thread = String(comment?.id)
    await sql(
      `insert into comments (post_id, user_id, content, parent_id)
       select c.post_id, member.id, 'hey', c.id from comments c, ${CROWD} where c.id = $1`,
      [thread],
    )
    await sql`insert into comment_likes (comment_id, user_id) values (${thread}, ${ada})`
    await sql`insert into follows (follower_id, following_id) values (${ada}, ${ben}), (${ben}, ${ada})`
    return { thread, posts }
  }
  const between = () => sql`select private.weigh_traces(array[${ada}, ${ben}]::uuid[], 10000) as rows`
  const unblock = () => as(ada)`delete from blocks where blocked_id = ${ben}`

  test('hides them from each other and their comments from everybody at once, and removes the rest in batches', async () => {
    const { thread, posts } = await entangled()
    // A like, save and comment for each post, a notification for each like and comment, the replies, and a few others.
    expect(Number((await between())[0]?.rows)).toBeGreaterThan(5 * MANY)
    await as(ada)`select block_members(array[${ben}]::uuid[])`
    expect(await count('private.unfinished_blocks')).toBe(1)
    for (const member of [ada, fan]) expect(await as(member, 'select from comments')).toEqual([])
    expect(await shown(fan, [thread])).toEqual([])
    expect(await count('follows where $1 in (follower_id, following_id)', [ben])).toBe(0)
    expect(await as(ada, 'select from likes')).toEqual([])
    expect(await as(ben, `select from ${posts}`)).toEqual([])
    expect(await settleAll()).toBeGreaterThan(3)
    expect(await between()).toEqual([{ rows: 0 }])
    for (const table of ['private.unfinished_blocks', 'private.jobs', 'comments', 'comment_likes', 'likes'])
      expect([table, await count(table)]).toEqual([table, 0])
    expect(await inconsistencies()).toEqual({})
    await unblock()
  })

  test('removes no more in one batch than it may', { tags: 'long' }, async () => {
    await entangled()
    await as(ada)`select block_members(array[${ben}]::uuid[])`
    const before = Number((await between())[0]?.rows)
    expect(await sql('select private.finish_blocks(20) as went_on')).toEqual([{ went_on: 1 }])
    // Twenty comments, and their notifications, which are counted twice.
    expect(Number((await between())[0]?.rows)).toBeGreaterThanOrEqual(before - 60)
    expect(Number((await between())[0]?.rows)).toBeLessThan(before)
    await settleAll()
    await unblock()
  })

  test('keeps what is left once the member is unblocked', async () => {
    await entangled()
    await as(ada)`select block_members(array[${ben}]::uuid[])`
    const saved = () => count('saved_posts where user_id = $1', [ben])
    const before = await saved()
    expect(before).toBeGreaterThan(0)
    await unblock()
    await settleAll()
    expect(await saved()).toBe(before)
    expect(await count('private.unfinished_blocks')).toBe(0)
  })

  test('with fewer than 200 rows is done in the call: nothing of one is left with the other', async () => {
    const post = await community.post(ada, 'With @ben')
    const thirds = await community.post(fan, 'Of a third member')
    const comment = async (on: string, author: string) =>
      (
        await sql`insert into comments (post_id, user_id, content) values (${on}, ${author}, 'boo')
          returning id`
      )[0]?.id
    await as(ada, `insert into stories (user_id, media_url, media_type) values ($1, '${PNG}', 'image')`, [
      ada,
    ])
    await sql`insert into story_views (story_id, viewer_id) select id, ${ben} from stories`
    for (const [follower, followed] of [
      [ada, ben],
      [ben, ada],
    ])
      await sql`insert into follows (follower_id, following_id) values (${follower}, ${followed})`
    await sql`insert into saved_posts (post_id, user_id) values (${post}, ${ben})`
    await comment(post, ben)
    // A like of a comment is between two members in two ways: by the comment's author, and by the post's.
    const likes: [unknown, string][] = [
      [await comment(thirds, ada), ben],
      [await comment(post, fan), ben],
    ]
    // Those of a third member stay, and so do those that the two gave a third member.
    const kept: [unknown, string][] = [
      [await comment(thirds, fan), ben],
      [likes[0]?.[0], fan],
    ]
    for (const [id, member] of [...likes, ...kept])
      await sql`insert into comment_likes (comment_id, user_id) values (${id}, ${member})`
    await sql`
      with written as (insert into posts (user_id, content) select ${ada}, 'Quiet ' || n from generate_series(1, 25) as n returning id)
       insert into likes (post_id, user_id) select id, ${ben} from written`
    await sql`insert into likes (post_id, user_id) values (${thirds}, ${ben})`
    await as(ada)`select block_members(array[${ben}]::uuid[])`
    expect([await count('private.unfinished_blocks'), await jobs()]).toEqual([0, []])
    expect(await sql('select comment_id, user_id from comment_likes')).toHaveLength(kept.length)
    for (const [id, member] of kept)
      expect(await count('comment_likes where comment_id = $1 and user_id = $2', [id, member])).toBe(1)
    for (const [table, left] of [
      ['likes where user_id', 1],
      ['comments where user_id', 0],
      ['saved_posts where user_id', 0],
      ['story_views where viewer_id', 0],
      ['post_tags where tagged_user_id', 0],
      ['follows where follower_id', 0],
      ['follows where following_id', 0],
      ['notifications where actor_id', 2],
    ] as const)
      expect([table, await count(`${table} = $1`, [ben])]).toEqual([table, left])
    expect(await between()).toEqual([{ rows: 0 }])
    await unblock()
  })

  test('counts the replies of others to a comment', async () => {
    const post = await community.post(ada, 'Thread')
    const [comment] = await sql`insert into comments (post_id, user_id, content)
      values (${post}, ${ben}, 'boo') returning id`
    await sql(
      `insert into comments (post_id, user_id, content, parent_id) select $1, id, 'hey', $2 from ${CROWD}`,
      [post, comment?.id],
    )
    await as(ada)`select block_members(array[${ben}]::uuid[])`
    expect(await as(fan, 'select from comments')).toEqual([])
    expect(await count('comments')).toBe(MANY + 1)
    await settleAll()
    expect([await count('comments'), await count('private.unfinished_blocks')]).toEqual([0, 0])
    await unblock()
  })
})

describe('SET-04 a member with very many requests who goes public', () => {
  async function wanted(name: string): Promise<string> {
    const id = await community.join(name)
    await as(id)`update profiles set is_private = true where id = ${id}`
    await sql(`insert into follow_requests (requester_id, target_id) select id, $1 from ${CROWD}`, [id])
    return id
  }
  const setPrivate = (id: string, isPrivate: boolean) =>
    as(id)`update profiles set is_private = ${isPrivate} where id = ${id}`
  const follows = (id: string) => count('follows where following_id = $1', [id])

  test('accepts the first in the call and the others in batches', async () => {
    const id = await wanted('wanted')
    await setPrivate(id, false)
    expect([await follows(id), await jobs()]).toEqual([200, [{ kind: 'requests', error: null }]])
    // A member who does not wait may follow, and is not made to follow again.
    const [next] = await sql`select requester_id as id from follow_requests where target_id = ${id} limit 1`
    await sql`insert into auth.sessions (id, user_id) values (${next?.id}, ${next?.id})`
    await as(String(next?.id))`insert into follows (follower_id, following_id) values (${next?.id}, ${id})`
    expect(await count('follow_requests where requester_id = $1', [next?.id])).toBe(0)
    expect(await sql('select private.accept_left_requests(10) as went_on')).toEqual([{ went_on: 1 }])
    expect(await follows(id)).toBeLessThanOrEqual(211)
    await settleAll()
    expect([await follows(id), await jobs()]).toEqual([MANY, []])
    expect(await count('notifications where actor_id = $1 and about = $2', [id, 'follow_accepted'])).toBe(
      MANY - 1,
    )
    expect(await inconsistencies()).toEqual({})
  })

  test('and private again keeps the requests that are left', async () => {
    const id = await wanted('fickle')
    await setPrivate(id, false)
    await setPrivate(id, true)
    await settleAll()
    expect([await follows(id), await jobs()]).toEqual([200, []])
    expect(await count('follow_requests where target_id = $1', [id])).toBe(MANY - 200)
    // A second time, both are done.
    await setPrivate(id, false)
    expect([await follows(id), await jobs()]).toEqual([MANY, []])
  })

  test('does not delay what is counted: each call adds up too', async () => {
    const id = await wanted('busy')
    await setPrivate(id, false)
    const post = await community.post(ada, 'Popular')
    await sql`insert into private.count_changes (item, counter, change) values (${post}, 'likes', 3)`
    await sql('select private.settle_waiting()')
    expect(await sql`select like_count from posts where id = ${post}`).toEqual([{ like_count: 3 }])
    await settleAll()
  })

  test('and is deleted leaves no job', async () => {
    const id = await wanted('leaving')
    await setPrivate(id, false)
    await as(id, 'select delete_account()')
    await settleAll()
    expect([await jobs(), await count('follow_requests where target_id = $1', [id])]).toEqual([[], 0])
  })
})

/** The generic plan of the query in a function of the private schema, in which `name` is a parameter, of large tables. */
async function planOf(functionName: string, name: string, type: string, value: string): Promise<string> {
  const [definition] = await sql(`select prosrc from pg_proc where oid = 'private.${functionName}'::regproc`)
  const query = /return query(.*?);/s.exec(String(definition?.prosrc))?.[1]
  await sql(`prepare lost (${type}) as ${query?.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), '$1')}`)
  await sql('set plan_cache_mode = force_generic_plan')
  await sql('set enable_seqscan = off')
  const plan = JSON.stringify(await sql(`explain execute lost (${value})`))
  for (const statement of ['reset plan_cache_mode', 'reset enable_seqscan', 'deallocate lost'])
    await sql(statement)
  return plan
}

test('NOTE-01 each notification is compared with a set of removed accounts, and not with each of thousands', async () => {
  const plan = await planOf('lost_notification_ids', 'removed', 'uuid[]', 'array[gen_random_uuid()]')
  expect(plan.match(/hashed SubPlan/g)).toHaveLength(4)
  expect(plan).not.toContain('ANY ($1)')
})

test('MSG-01 each of thousands of removed accounts is one look-up of a conversation, and compared with nothing', async () => {
  const plan = await planOf('lost_conversation_ids', 'me', 'uuid', 'gen_random_uuid()')
  expect(plan).toContain('Index Scan using conversations_pair_key')
  expect(plan).not.toMatch(/Filter|Join/)
})

describe('ACT-01 notifications of what others wrote below something removed', () => {
  const unread = async (member: string) =>
    (await as(member, 'select unread_notifications() as unread'))[0]?.unread

  /** Ada's post, Ben's comment, and a reply of a member of the crowd that mentions the fan; the ids of all three. */
  async function thread(): Promise<{ post: string; comment: string; reply: string }> {
    const post = await community.post(ada, 'Thread')
    const write = async (author: unknown, content: string, parent: unknown) =>
      String(
        (
          await sql`insert into comments (post_id, user_id, content, parent_id)
            values (${post}, ${author}, ${content}, ${parent}) returning id`
        )[0]?.id,
      )
    const comment = await write(ben, 'boo', null)
    const [other] = await sql(`select id from ${CROWD} limit 1`)
    const reply = await write(other?.id, 'hey @fan', comment)
    await sql(`insert into comment_likes (comment_id, user_id) select $1, id from ${CROWD}`, [comment])
    expect(await shown(fan, [reply])).toContain('notifications')
    expect(await shown(ben, [reply])).toContain('notifications')
    return { post, comment, reply }
  }

  /** Which notifications are lost to a member, with few and with thousands: then what is removed is asked instead. */
  async function expectSameLost(member: string): Promise<void> {
    const lost = () => as(member, 'select distinct id from private.lost_notification_ids() as id order by id')
    const ofFew = await lost()
    expect(ofFew).not.toEqual([])
    await sql`insert into notifications (user_id, actor_id, type, message)
      select ${member}, id, 'other', 'asked' from profiles, generate_series(1, 5) where id <> ${member}`
    expect(await count('notifications where user_id = $1', [member])).toBeGreaterThan(1_001)
    expect(await lost()).toEqual(ofFew)
    await sql`delete from notifications where message = 'asked'`
  }

  async function expectNothing(ids: string[], members: string[]): Promise<void> {
    for (const member of members) {
      await expectSameLost(member)
      expect(await shown(member, ids)).not.toContain('notifications')
      expect(await unread(member)).toBe(0)
      expect(await as(member, 'select id from notification_groups()')).toEqual([])
    }
    await workOff()
    expect(await count('notifications')).toBe(0)
  }

  test('disappear with the comment', async () => {
    const { comment, reply } = await thread()
    await as(ben)`select delete_comments(array[${comment}]::uuid[])`
    expect(await jobs()).toHaveLength(1)
    await expectNothing([comment, reply], [ada, ben, fan])
  })

  test('leave their group to an older one about a comment that stays', async () => {
    const { post, comment } = await thread()
    const latest = `select id, comment_id, created_at from notifications where user_id = $1 and type = 'comment' order by created_at desc limit 1`
    const [kept] = await sql`insert into comments (post_id, user_id, content)
      values (${post}, ${fan}, 'stays') returning id as comment_id`
    await sql`update notifications set created_at = created_at - interval '1 hour'
      where comment_id = ${kept?.comment_id}`
    const [lost] = await sql(latest, [ada])
    expect(lost?.comment_id).not.toBe(kept?.comment_id)
    await as(ben)`select delete_comments(array[${comment}]::uuid[])`
    const groups = (at: unknown, id: unknown) =>
      as(ada)`select comment_id, actor_count from notification_groups(${at}, ${id})`
    const left = [{ ...kept, actor_count: 1 }]
    expect(await groups(null, null)).toEqual(left)
    expect(await groups(lost?.created_at, lost?.id)).toEqual(left)
    expect(await unread(ada)).toBe(1)
  })

  test('disappear with the post', async () => {
    const { post, comment, reply } = await thread()
    await as(ada)`select delete_posts(array[${post}]::uuid[])`
    expect(await jobs()).toHaveLength(1)
    await expectNothing([post, comment, reply], [ada, ben, fan])
  })

  test('disappear with the account, and others stay', async () => {
    const id = await community.join('nova')
    const post = await community.post(id, 'Thread')
    await sql(`insert into likes (post_id, user_id) select $1, id from ${CROWD}`, [post])
    await sql`insert into comments (post_id, user_id, content) values (${post}, ${ben}, 'hey @fan')`
    expect(await unread(fan)).toBe(1)
    await as(id, `insert into stories (user_id, media_url, media_type) values ($1, '${PNG}', 'image')`, [id])
    await sql`insert into notifications (user_id, actor_id, type, story_id)
      select ${fan}, ${ben}, 'mention', id from stories where user_id = ${id}`
    await as(id, 'select delete_account()')
    expect(await jobs()).toHaveLength(1)
    await as(ben)`insert into follows (follower_id, following_id) values (${ben}, ${fan})`
    expect(await unread(fan)).toBe(1)
    expect(await as(fan, 'select type from notification_groups()')).toEqual([{ type: 'follow' }])
    await as(ben)`delete from follows where follower_id = ${ben} and following_id = ${fan}`
    await expectNothing([post], [fan])
  })
})

describe('SET-03 a large account', () => {
  /** A member with everything, whom many follow and with whom Ben has a conversation. */
  async function celebrity(name: string): Promise<string> {
    const id = await community.join(name)
    await sql(`insert into follows (follower_id, following_id) select id, $1 from ${CROWD}`, [id])
    await sql`insert into follows (follower_id, following_id) values (${id}, ${ben}), (${ben}, ${id})`
    const own = await community.post(id, `A #weir with @ben`)
    await sql(`insert into likes (post_id, user_id) select $1, id from ${CROWD} limit 20`, [own])
    await sql`insert into comments (post_id, user_id, content) values (${own}, ${ben}, 'boo')`
    const bens = await community.post(ben, `With @${name}`)
    await sql`insert into likes (post_id, user_id) values (${bens}, ${id})`
    await sql`insert into comments (post_id, user_id, content) values (${bens}, ${id}, 'boo')`
    await as(id, `insert into stories (user_id, media_url, media_type) values ($1, '${PNG}', 'image')`, [id])
    const [conversation] = await as(id)`insert into conversations (participant_1, participant_2)
      values (${id}, ${ben}) returning id`
    for (const sender of [id, ben])
      await as(sender)`insert into messages (conversation_id, sender_id, content)
        values (${conversation?.id}, ${sender}, 'boo weir')`
    await as(fan)`select block_members(array[${id}]::uuid[])`
    return id
  }

  test('disappears at once for everybody, its e-mail address is free, and all of it is cleaned up', async () => {
    const id = await celebrity('star')
    const shy = await community.join('shy')
    await sql`update profiles set is_private = true where id = ${shy}`
    await as(id)`insert into follow_requests (requester_id, target_id) values (${id}, ${shy})`
    expect(await as(shy, 'select from follow_requests')).toHaveLength(1)
    const [conversation] = await sql`select id from conversations where ${id}
      in (participant_1, participant_2)`
    await as(id, 'select delete_account()')
    expect(await jobs()).toEqual([{ kind: 'account', error: null }])
    for (const table of [
      'auth.users where id',
      'auth.sessions where user_id',
      'private.sign_ins where member_id',
    ])
      expect([table, await count(`${table} = $1`, [id])]).toEqual([table, 0])
    const again = randomUUID()
    await addAccount(community.pg, again, 'star@example.com')

    // Own rows that only say what Ben did himself.
    expect(await shown(ben, [id])).toEqual(['follows'])
    expect(await shown(ada, [id])).toEqual([])
    expect(await as(id, 'select id from profiles')).toEqual([])
    expect(await as(ben, 'select id from conversations')).toEqual([])
    expect(await as(ben, 'select id from messages')).toEqual([])
    expect(await as(ben, 'select id from my_conversations()')).toEqual([])
    expect(await as(ben, 'select unread_conversations() as unread')).toEqual([{ unread: 0 }])
    expect(await as(ben, `select id from search_messages('weir')`)).toEqual([])
    expect(await as(ben, 'select from notification_groups() where actor_count > 0')).toEqual([])
    expect(await as(ben, `select id from search_profiles('star')`)).toEqual([])
    expect(await as(ben, `select username from known_usernames('star')`)).toEqual([])
    expect(await as(ada, 'select id from people_to_follow()')).not.toContainEqual({ id })
    expect(await as(fan, 'select id from blocked_members()')).toEqual([])
    expect(await as(shy, 'select from follow_requests')).toEqual([])
    expect(await as(ben, `select id from search_posts('weir')`)).toEqual([])
    expect(await sql(`select username_available('star') as free`)).toEqual([{ free: false }])
    await expect(
      as(ben)`insert into messages (conversation_id, sender_id, content)
        values (${conversation?.id}, ${ben}, 'hey')`,
    ).rejects.toEqual(refusal('PT403'))
    await expect(
      as(ada)`insert into follows (follower_id, following_id) values (${ada}, ${id})`,
    ).rejects.toEqual(refusal('PT404'))

    expect(await workOff()).toBeGreaterThan(0)
    expect(await jobs()).toEqual([])
    expect(await count('profiles where id = $1', [id])).toBe(0)
    expect(await count('conversations')).toBe(0)
    expect(await sql(`select username_available('star') as free`)).toEqual([{ free: false }])
    expect(await inconsistencies()).toEqual({})
    await sql`delete from auth.users where id = ${again}`
  })

  test('is closed in the same way when an operator deletes it, and by the hourly cleanup', async () => {
    const id = await celebrity('moon')
    await sql`update profiles set is_private = true where id = ${id}`
    await as(ada)`insert into follow_requests (requester_id, target_id) values (${ada}, ${id})`
    expect(await shown(ada, [id])).toContain('follow_requests')
    await sql`delete from auth.users where id = ${id}`
    expect(await jobs()).toHaveLength(1)
    expect(await shown(ada, [id])).toEqual([])
    for (let removed: unknown = 1; removed !== 0; )
      removed = (await sql('select private.cleanup(20) as removed'))[0]?.removed
    expect([await jobs(), await count('profiles where id = $1', [id])]).toEqual([[], 0])
  })

  test('is cleaned up by the apps of others where there is no scheduler', async () => {
    const id = await celebrity('comet')
    await as(id, 'select delete_account()')
    expect(await as(id, 'select settle() as again')).toEqual([{ again: null }])
    expect(await count('private.jobs')).toBe(1)
    let calls = 0
    while ((await as(ada, 'select settle() as again'))[0]?.again !== null) calls++
    expect(calls).toBeGreaterThan(0)
    expect(await count('profiles where id = $1', [id])).toBe(0)
    expect(await inconsistencies()).toEqual({})
  })

  test('whose batch fails is tried again later, after others, and shows the error', async () => {
    const [first, second] = [await celebrity('sun'), await celebrity('earth')]
    await sql(`create function pg_temp.fail() returns trigger language plpgsql as
      $$ begin if old.following_id = current_setting('test.failing')::uuid then raise 'broken'; end if; return old; end $$`)
    await sql(`select set_config('test.failing', '${first}', false)`)
    await sql('create trigger fails before delete on follows for each row execute function pg_temp.fail()')
    await as(first, 'select delete_account()')
    await as(second, 'select delete_account()')
    const followers = await count('follows where following_id = $1', [first])
    const [batch] = await sql('select private.work_job(50) as removed')
    expect(batch?.removed).toBeGreaterThan(0)
    expect(await count('follows where following_id = $1', [first])).toBe(followers)
    await workOff()
    expect(await count('profiles where id = $1', [second])).toBe(0)
    expect(
      await sql(
        `select error, tries, not_before between now() + interval '30 seconds' and now() + interval '1 minute' as later
         from private.jobs`,
      ),
    ).toEqual([{ error: 'broken', tries: 1, later: true }])
    await sql('drop trigger fails on follows')
    await sql('update private.jobs set not_before = now()')
    await workOff()
    expect(await jobs()).toEqual([])
    expect(await inconsistencies()).toEqual({})
  })

  test('whose batch takes all the time and fails lets settle() and pg_cron go on with the others', async () => {
    const [first, second] = [await celebrity('tide'), await celebrity('ebb')]
    await sql(`create function pg_temp.take_time() returns trigger language plpgsql as $$ begin
      if old.following_id = current_setting('test.slow')::uuid then perform pg_sleep(0.2); raise 'broken'; end if;
      return old;
    end $$`)
    await sql(`select set_config('test.slow', '${first}', false)`)
    await sql(
      'create trigger takes_time before delete on follows for each row execute function pg_temp.take_time()',
    )
    await as(first, 'select delete_account()')
    await as(second, 'select delete_account()')
    expect(await sql('select private.work_job(50) as removed')).toEqual([{ removed: 1 }])
    expect(await count('profiles where id = $1', [second])).toBe(1)
    await workOff()
    expect(await count('profiles where id = $1', [second])).toBe(0)
    await sql('drop trigger takes_time on follows')
    await sql('update private.jobs set not_before = now()')
    await workOff()
    expect(await inconsistencies()).toEqual({})
  })

  test('a profile needs an account', async () => {
    await expect(sql`insert into profiles (id, username) values (${randomUUID()}, 'nobody')`).rejects.toEqual(
      refusal('23503'),
    )
  })
})

describe('SET-03 the objects of a closed account', () => {
  const waiting = async (most = 100) =>
    (await sql`select name from waiting_objects(${most}) order by name collate "C"`).map(({ name }) => name)
  const status = async () => (await sql('select setup_status() as status'))[0]?.status

  test('wait for the operator, who sees how many accounts left some, until the folder is empty', async () => {
    const id = await community.join('photos')
    const keys = [...(await addObjects(sql, id))].toSorted()
    await addObjects(sql, ben)
    await as(id)`update profiles set avatar_path = ${keys[0]} where id = ${id}`
    expect(await status()).toMatchObject({ objects: 0 })
    await as(id, 'select delete_account()')
    expect(await jobs()).toEqual([{ kind: 'objects', error: null }])
    expect(await status()).toMatchObject({ objects: 1 })
    expect(await waiting()).toEqual(keys)
    expect(await waiting(3)).toHaveLength(3)
    await sql`delete from storage.objects where name = any (${keys.slice(1)})`
    await sql('select private.cleanup(10)')
    expect(await waiting()).toEqual(keys.slice(0, 1))
    await sql`delete from storage.objects where name = any (${keys})`
    expect(await waiting()).toEqual([])
    expect([await jobs(), await status()]).toEqual([[], expect.objectContaining({ objects: 0 })])
  })

  test('do not wait while rows refer to them, nor if the account exists', async () => {
    const id = await community.join('many')
    const [avatar, ...others] = await addObjects(sql, id)
    await as(id)`update profiles set avatar_path = ${avatar} where id = ${id}`
    await sql(`insert into follows (follower_id, following_id) select id, $1 from ${CROWD}`, [id])
    await as(id, 'select delete_account()')
    expect(await waiting()).toEqual(others.toSorted())
    await workOff()
    expect(await waiting()).toHaveLength(4)
    await addAccount(community.pg, id, 'again@example.com')
    expect(await waiting()).toEqual([])
    await sql('delete from storage.objects where name like $1', [`${id}/%`])
    await sql('select private.cleanup(10)')
    expect(await jobs()).toEqual([])
  })

  test('are looked for in a few folders at once, in turns', async () => {
    for (const name of ['one', 'two', 'three']) {
      const id = await community.join(`folder.${name}`)
      await addObjects(sql, id)
      await as(id, 'select delete_account()')
    }
    const last = (await sql(`select subject_id as id from private.jobs order by not_before desc limit 1`))[0]
      ?.id
    await sql('delete from storage.objects where name like $1', [`${String(last)}/%`])
    expect(await sql('select private.end_empty_folders(2) as ended')).toEqual([{ ended: 0 }])
    expect(await sql('select private.end_empty_folders(2) as ended')).toEqual([{ ended: 1 }])
    expect(await jobs()).toHaveLength(2)
    await sql('delete from storage.objects')
    expect(await sql('select private.end_empty_folders(2) as ended')).toEqual([{ ended: 2 }])
  })

  test('are shown to no member', async () => {
    for (const call of ['waiting_objects()', 'private.waiting_objects(1)', 'private.work_job(1)'])
      await expect(as(ben, `select from ${call}`)).rejects.toEqual(refusal('42501'))
    await expect(as(ben, 'select from private.jobs')).rejects.toEqual(refusal('42501'))
  })
})

test('every reference to what is removed in batches is one column', async () => {
  // remove_dependents() follows them; whatever it missed would be one large statement at the end.
  expect(
    await sql(`select conname from pg_constraint where contype = 'f' and connamespace::regnamespace::text in ('public', 'private')
      and cardinality(conkey) > 1`),
  ).toEqual([])
})
