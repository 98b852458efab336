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
    const [row] = await sql('select private.work_job($1) as removed', [maxRows])
    if (row?.removed === 0) return batches
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

/** A post of Ada's with a photo, a topic and a tag, liked, commented and saved by many. */
async function popularPost(): Promise<string> {
  const id = randomUUID()
  const photos = [photoOf(await addObjects(sql, ada))]
  await as(ada, 'select create_post($1, $2, $3, $4)', [
    id,
    'Fog over #weir with @ben',
    'Weir',
    JSON.stringify(photos),
  ])
  await sql(`insert into likes (post_id, user_id) select $1, id from ${CROWD}`, [id])
  await sql(`insert into comments (post_id, user_id, content) select $1, id, 'boo' from ${CROWD}`, [id])
  await sql(`insert into saved_posts (post_id, user_id) select $1, id from ${CROWD}`, [id])
  return id
}

describe('FEED-11 a popular post', () => {
  test('is not looked for in each notification of a member while it is cleaned up', async () => {
    const [kept, post] = [await popularPost(), await popularPost()]
    await as(ada, 'select delete_posts(array[$1]::uuid[])', [post])
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
    await as(ada, 'select delete_posts(array[$1]::uuid[])', [kept])
    await workOff()
    expect(await jobs()).toEqual([])
  })

  test('disappears at once for everybody, its author too, and is cleaned up in batches', async () => {
    const kept = await community.post(ada, 'Stays')
    const post = await popularPost()
    await as(fan, 'insert into follows (follower_id, following_id) values ($1, $2)', [fan, ada])
    expect(await shown(ben, [post])).toContain('posts')
    const [before] = await as(
      ada,
      'select count(*)::integer as groups from notification_groups() where post_id = $1',
      [post],
    )
    expect(before).toEqual({ groups: 2 })

    await as(ada, 'select delete_posts(array[$1]::uuid[])', [post])
    expect(await jobs()).toEqual([{ kind: 'account', error: null }])
    for (const member of [ada, fan]) expect(await shown(member, [post])).toEqual([])
    // Only the row of their own that says that they are tagged.
    expect(await shown(ben, [post])).toEqual(['post_tags'])
    expect(await as(ada, 'select id from posts')).toEqual([{ id: kept }])
    expect(await as(fan, 'select id from following_posts()')).toEqual([{ id: kept }])
    expect(await as(fan, 'select id from explore_posts()')).toEqual([])
    expect(await as(fan, `select id from search_posts('fog')`)).toEqual([])
    expect(await as(fan, `select topic from search_topics('weir')`)).toEqual([])
    expect(await as(ada, 'select from notification_groups() where post_id = $1', [post])).toEqual([])
    expect(await as(ada, 'select unread_notifications() as unread')).toEqual([{ unread: 1 }])
    expect(await sql('select post_count from profiles where id = $1', [ada])).toEqual([{ post_count: 1 }])
    expect(await count('private.post_words where post_id = $1', [post])).toBe(0)
    // Nothing refers to its objects, so its author's app may remove them.
    expect(await count('post_photos where user_id = $1', [ada])).toBe(0)
    await expect(
      as(ben, 'insert into likes (post_id, user_id) values ($1, $2)', [post, ben]),
    ).rejects.toEqual(refusal('42501'))
    await expect(
      as(ben, `insert into comments (post_id, user_id, content) values ($1, $2, 'boo')`, [post, ben]),
    ).rejects.toEqual(refusal('42501'))
    expect(await as(ada, `update posts set content = 'back' where id = $1 returning id`, [post])).toEqual([])

    expect(await workOff()).toBeGreaterThan(1)
    expect(await jobs()).toEqual([])
    for (const table of ['likes', 'comments', 'saved_posts', 'notifications'])
      expect([table, await count(`${table} where post_id = $1`, [post])]).toEqual([table, 0])
    expect(await count(`profiles where username like 'removed%'`)).toBe(0)
    expect(await count('private.withdrawn_notifications')).toBe(0)
    expect(await inconsistencies()).toEqual({})
  })

  test('cannot be removed by others, nor a second time', async () => {
    const post = await popularPost()
    await as(ben, 'select delete_posts(array[$1]::uuid[])', [post])
    expect(await jobs()).toEqual([])
    await as(ada, 'select delete_posts(array[$1]::uuid[])', [post])
    await as(ada, 'select delete_posts(array[$1]::uuid[])', [post])
    expect(await jobs()).toHaveLength(1)
    expect(await sql('select post_count from profiles where id = $1', [ada])).toEqual([{ post_count: 0 }])
  })

  test('its id cannot be used again while it is cleaned up', async () => {
    const post = await popularPost()
    await as(ada, 'select delete_posts(array[$1]::uuid[])', [post])
    await expect(
      as(ada, `insert into posts (id, user_id, content) values ($1, $2, 'again')`, [post, ada]),
    ).rejects.toEqual(refusal('23505'))
  })

  test('with fewer than 200 rows is deleted in the call', async () => {
    const post = await community.post(ada, 'Quiet')
    await sql(`insert into likes (post_id, user_id) select $1, id from ${CROWD} limit 40`, [post])
    await sql(
      `insert into comments (post_id, user_id, content) select $1, id, 'boo' from ${CROWD} limit 20`,
      [post],
    )
    await as(ada, 'select delete_posts(array[$1]::uuid[])', [post])
    expect([await jobs(), await count('posts where id = $1', [post])]).toEqual([[], 0])
  })

  test('counts the rows below its comments', async () => {
    const post = await community.post(ada, 'Quiet')
    const [comment] = await sql(
      `insert into comments (post_id, user_id, content) values ($1, $2, 'boo') returning id`,
      [post, ben],
    )
    await sql(`insert into comment_likes (comment_id, user_id) select $1, id from ${CROWD}`, [comment?.id])
    await as(ada, 'select delete_posts(array[$1]::uuid[])', [post])
    expect(await jobs()).toHaveLength(1)
    await workOff()
    expect(await count('comment_likes')).toBe(0)
  })
})

describe('FEED-11 a long thread', () => {
  test('disappears at once with its replies, and the counts are right afterwards', async () => {
    const post = await community.post(ada, 'Thread')
    const [comment] = await sql(
      `insert into comments (post_id, user_id, content) values ($1, $2, 'boo') returning id`,
      [post, ben],
    )
    const id = String(comment?.id)
    await sql(
      `insert into comments (post_id, user_id, content, parent_id) select $1, id, 'hey', $2 from ${CROWD}`,
      [post, id],
    )
    expect(await shown(ada, [id])).toEqual(['comments', 'notifications'])
    await as(ben, 'select delete_comments(array[$1]::uuid[])', [id])
    for (const member of [ada, ben, fan]) expect(await shown(member, [id])).toEqual([])
    expect(await as(ada, 'select id from comments where post_id = $1', [post])).toEqual([])
    await workOff()
    expect(await count('comments')).toBe(0)
    expect(await sql('select comment_count from posts where id = $1', [post])).toEqual([{ comment_count: 0 }])
    expect(await inconsistencies()).toEqual({})
  })
})

test('FEED-11 what is removed hides nothing of others with the same id, which a member may choose in another table', async () => {
  const post = await community.post(ada, 'Stays')
  const [comment] = await sql(
    `insert into comments (post_id, user_id, content) values ($1, $2, 'boo') returning id`,
    [post, fan],
  )
  const [reply] = await sql(
    `insert into comments (post_id, user_id, content, parent_id) select $1, id, 'hey', $2 from ${CROWD} limit 1 returning id`,
    [post, comment?.id],
  )
  const seen = async () => ({
    comments: await as(ada, 'select id from comments where post_id = $1 order by created_at, id', [post]),
    notifications: await as(ada, 'select id from notifications order by id'),
    groups: await as(ada, 'select id from notification_groups()'),
    unread: await as(ada, 'select unread_notifications()'),
    ofFan: await as(fan, 'select id from notification_groups()'),
  })
  const before = await seen()
  expect(before.comments).toEqual([{ id: comment?.id }, { id: reply?.id }])
  expect(before.groups.length + before.ofFan.length).toBeGreaterThan(1)

  await as(ben, `insert into posts (id, user_id, content) values ($1, $2, 'mine')`, [comment?.id, ben])
  await sql(`insert into likes (post_id, user_id) select $1, id from ${CROWD}`, [comment?.id])
  const own = await community.post(ben, 'Mine too')
  await as(ben, `insert into comments (id, post_id, user_id, content) values ($1, $2, $3, 'mine')`, [
    post,
    own,
    ben,
  ])
  await sql(`insert into comment_likes (comment_id, user_id) select $1, id from ${CROWD}`, [post])
  await as(ben, 'select delete_posts(array[$1]::uuid[]), delete_comments(array[$2]::uuid[])', [
    comment?.id,
    post,
  ])
  expect(await jobs()).toHaveLength(2)
  expect(await seen()).toEqual(before)
})

test('STORY-09 a story with many viewers disappears at once, and its objects are free', async () => {
  const story = randomUUID()
  const [full, , grid] = await addObjects(sql, ada)
  await as(
    ada,
    `insert into stories (id, user_id, media_type, media_path, poster_path, thumbhash)
     values ($1, $2, 'image', $3, $4, null)`,
    [story, ada, full, grid],
  )
  await sql(`insert into story_views (story_id, viewer_id) select $1, id from ${CROWD}`, [story])
  expect(await shown(ben, [story])).toEqual(['stories'])
  await as(ada, 'select delete_stories(array[$1]::uuid[])', [story])
  for (const member of [ada, ben]) expect(await shown(member, [story])).toEqual([])
  expect(await sql('select private.is_object_used($1) as used', [full])).toEqual([{ used: false }])
  await workOff()
  expect([await count('stories'), await count('story_views')]).toEqual([0, 0])
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
          await sql(
            'insert into comments (post_id, user_id, content, parent_id) values ($1, $2, $3, $4) returning id',
            [post, author, content, parent],
          )
        )[0]?.id,
      )
    const comment = await write(ben, 'boo', null)
    const [other] = await sql(`select id from ${CROWD} limit 1`)
    const reply = await write(other?.id, 'hey @fan', comment)
    await sql('insert into comment_likes (comment_id, user_id) select $1, id from ' + CROWD, [comment])
    expect(await shown(fan, [reply])).toContain('notifications')
    expect(await shown(ben, [reply])).toContain('notifications')
    return { post, comment, reply }
  }

  async function expectNothing(ids: string[], members: string[]): Promise<void> {
    for (const member of members) {
      expect(await shown(member, ids)).not.toContain('notifications')
      expect(await unread(member)).toBe(0)
      expect(await as(member, 'select id from notification_groups()')).toEqual([])
    }
    await workOff()
    expect(await count('notifications')).toBe(0)
  }

  test('disappear with the comment', async () => {
    const { comment, reply } = await thread()
    await as(ben, 'select delete_comments(array[$1]::uuid[])', [comment])
    expect(await jobs()).toHaveLength(1)
    await expectNothing([comment, reply], [ada, ben, fan])
  })

  test('leave their group to an older one about a comment that stays', async () => {
    const { post, comment } = await thread()
    const latest = `select id, comment_id, created_at from notifications where user_id = $1 and type = 'comment' order by created_at desc limit 1`
    const [kept] = await sql(
      `insert into comments (post_id, user_id, content) values ($1, $2, 'stays') returning id as comment_id`,
      [post, fan],
    )
    await sql(`update notifications set created_at = created_at - interval '1 hour' where comment_id = $1`, [
      kept?.comment_id,
    ])
    const [lost] = await sql(latest, [ada])
    expect(lost?.comment_id).not.toBe(kept?.comment_id)
    await as(ben, 'select delete_comments(array[$1]::uuid[])', [comment])
    const groups = (at: unknown, id: unknown) =>
      as(ada, 'select comment_id, actor_count from notification_groups($1, $2)', [at, id])
    const left = [{ ...kept, actor_count: 1 }]
    expect(await groups(null, null)).toEqual(left)
    expect(await groups(lost?.created_at, lost?.id)).toEqual(left)
    expect(await unread(ada)).toBe(1)
  })

  test('disappear with the post', async () => {
    const { post, comment, reply } = await thread()
    await as(ada, 'select delete_posts(array[$1]::uuid[])', [post])
    expect(await jobs()).toHaveLength(1)
    await expectNothing([post, comment, reply], [ada, ben, fan])
  })

  test('disappear with the account, and others stay', async () => {
    const id = await community.join('nova')
    const post = await community.post(id, 'Thread')
    await sql(`insert into likes (post_id, user_id) select $1, id from ${CROWD}`, [post])
    await sql(`insert into comments (post_id, user_id, content) values ($1, $2, 'hey @fan')`, [post, ben])
    expect(await unread(fan)).toBe(1)
    await as(id, 'select delete_account()')
    expect(await jobs()).toHaveLength(1)
    await as(ben, 'insert into follows (follower_id, following_id) values ($1, $2)', [ben, fan])
    expect(await unread(fan)).toBe(1)
    expect(await as(fan, 'select type from notification_groups()')).toEqual([{ type: 'follow' }])
    await as(ben, 'delete from follows where follower_id = $1 and following_id = $2', [ben, fan])
    await expectNothing([post], [fan])
  })
})

describe('SET-03 a large account', () => {
  /** A member with everything, whom many follow and with whom Ben has a conversation. */
  async function celebrity(name: string): Promise<string> {
    const id = await community.join(name)
    await sql(`insert into follows (follower_id, following_id) select id, $1 from ${CROWD}`, [id])
    await sql(`insert into follows (follower_id, following_id) values ($1, $2), ($2, $1)`, [id, ben])
    const own = await community.post(id, `A #weir with @ben`)
    await sql(`insert into likes (post_id, user_id) select $1, id from ${CROWD}`, [own])
    await sql(`insert into comments (post_id, user_id, content) values ($1, $2, 'boo')`, [own, ben])
    const bens = await community.post(ben, `With @${name}`)
    await sql('insert into likes (post_id, user_id) values ($1, $2)', [bens, id])
    await sql(`insert into comments (post_id, user_id, content) values ($1, $2, 'boo')`, [bens, id])
    await as(id, `insert into stories (user_id, media_url, media_type) values ($1, '${PNG}', 'image')`, [id])
    const [conversation] = await as(
      id,
      'insert into conversations (participant_1, participant_2) values ($1, $2) returning id',
      [id, ben],
    )
    for (const sender of [id, ben])
      await as(
        sender,
        `insert into messages (conversation_id, sender_id, content) values ($1, $2, 'boo weir')`,
        [conversation?.id, sender],
      )
    await as(fan, 'select block_members(array[$1]::uuid[])', [id])
    return id
  }

  test('disappears at once for everybody, its e-mail address is free, and all of it is cleaned up', async () => {
    const id = await celebrity('star')
    const shy = await community.join('shy')
    await sql('update profiles set is_private = true where id = $1', [shy])
    await as(id, 'insert into follow_requests (requester_id, target_id) values ($1, $2)', [id, shy])
    expect(await as(shy, 'select from follow_requests')).toHaveLength(1)
    const [conversation] = await sql(
      'select id from conversations where $1 in (participant_1, participant_2)',
      [id],
    )
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
      as(ben, `insert into messages (conversation_id, sender_id, content) values ($1, $2, 'hey')`, [
        conversation?.id,
        ben,
      ]),
    ).rejects.toEqual(refusal('PT403'))
    await expect(
      as(ada, 'insert into follows (follower_id, following_id) values ($1, $2)', [ada, id]),
    ).rejects.toEqual(refusal('PT404'))

    expect(await workOff()).toBeGreaterThan(1)
    expect(await jobs()).toEqual([])
    expect(await count('profiles where id = $1', [id])).toBe(0)
    expect(await count('conversations')).toBe(0)
    expect(await sql(`select username_available('star') as free`)).toEqual([{ free: false }])
    expect(await inconsistencies()).toEqual({})
    await sql('delete from auth.users where id = $1', [again])
  })

  test('is closed in the same way when an operator deletes it, and by the hourly cleanup', async () => {
    const id = await celebrity('moon')
    await sql('update profiles set is_private = true where id = $1', [id])
    await as(ada, 'insert into follow_requests (requester_id, target_id) values ($1, $2)', [ada, id])
    expect(await shown(ada, [id])).toContain('follow_requests')
    await sql('delete from auth.users where id = $1', [id])
    expect(await jobs()).toHaveLength(1)
    expect(await shown(ada, [id])).toEqual([])
    for (let removed: unknown = 1; removed !== 0; )
      removed = (await sql('select private.cleanup(20) as removed'))[0]?.removed
    expect([await jobs(), await count('profiles where id = $1', [id])]).toEqual([[], 0])
  })

  test('is cleaned up by the apps of others where there is no scheduler', async () => {
    const id = await celebrity('comet')
    await as(id, 'select delete_account()')
    await expect(as(id, 'select work_off()')).rejects.toEqual(refusal('PT401'))
    let calls = 0
    while ((await as(ada, 'select work_off() as more'))[0]?.more === true) calls++
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
    expect(await sql('select private.work_job(50) as removed')).toEqual([{ removed: 0 }])
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

  test('a profile needs an account', async () => {
    await expect(
      sql(`insert into profiles (id, username) values ($1, 'nobody')`, [randomUUID()]),
    ).rejects.toEqual(refusal('23503'))
  })
})

describe('SET-03 the objects of a closed account', () => {
  const waiting = async (most = 100) =>
    (await sql('select name from waiting_objects($1) order by name collate "C"', [most])).map(
      ({ name }) => name,
    )
  const status = async () => (await sql('select setup_status() as status'))[0]?.status

  test('wait for the operator, who sees how many accounts left some, until the folder is empty', async () => {
    const id = await community.join('photos')
    const keys = [...(await addObjects(sql, id))].toSorted()
    await addObjects(sql, ben)
    await as(id, 'update profiles set avatar_path = $2 where id = $1', [id, keys[0]])
    expect(await status()).toMatchObject({ objects: 0 })
    await as(id, 'select delete_account()')
    expect(await jobs()).toEqual([{ kind: 'objects', error: null }])
    expect(await status()).toMatchObject({ objects: 1 })
    expect(await waiting()).toEqual(keys)
    expect(await waiting(3)).toHaveLength(3)
    await sql('delete from storage.objects where name = any ($1)', [keys.slice(1)])
    await sql('select private.cleanup(10)')
    expect(await waiting()).toEqual(keys.slice(0, 1))
    await sql('delete from storage.objects where name = any ($1)', [keys])
    expect(await waiting()).toEqual([])
    expect([await jobs(), await status()]).toEqual([[], expect.objectContaining({ objects: 0 })])
  })

  test('do not wait while rows refer to them, nor if the account exists', async () => {
    const id = await community.join('many')
    const [avatar, ...others] = await addObjects(sql, id)
    await as(id, 'update profiles set avatar_path = $2 where id = $1', [id, avatar])
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
