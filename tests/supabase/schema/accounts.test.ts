import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { SEARCH_LIMIT } from '#tests/shared/database-limits'
import { addObjects, photoOf } from '#tests/supabase/objects'
import { addAccount, openCommunity, refusal } from './support/community'

const { community, ada, ben } = await openCommunity('ada', 'ben')

/** The row counts of every table that members may read, as seen by `query`. */
async function countAll(
  query: (sql: string) => Promise<Record<string, unknown>[]>,
): Promise<Record<string, number>> {
  const tables = await community.sql(
    `select relname from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'
       and has_table_privilege('authenticated', oid, 'select')
     order by relname`,
  )
  const counts = await Promise.all(
    tables.map(async ({ relname }) => {
      const [row] = await query(`select count(*)::integer as rows from ${String(relname)}`)
      return [String(relname), Number(row?.rows)] as const
    }),
  )
  return Object.fromEntries(counts)
}

/** Creates a row by or about a member in every table. */
async function createAllRows(member: string): Promise<void> {
  const post = await community.post(ben, 'ben with @ghost')
  const own = await community.post(member, 'ghost with @ben')
  const act = (sql: string, parameters: unknown[]) => community.as(member, sql, parameters)
  const photos = [photoOf(await addObjects(community.sql, member))]
  await act('select create_post($1, $2, null, $3)', [randomUUID(), 'A photo', JSON.stringify(photos)])
  await act('insert into likes (post_id, user_id) values ($1, $2)', [post, member])
  await act('insert into saved_posts (post_id, user_id) values ($1, $2)', [post, member])
  await act(`insert into comments (post_id, user_id, content) values ($1, $2, 'boo')`, [post, member])
  await act('insert into comment_likes (comment_id, user_id) select id, $1 from comments', [member])
  await act('insert into follows (follower_id, following_id) values ($1, $2)', [member, ben])
  await act('select touch_activity()', [])
  await act(
    `insert into stories (user_id, media_url, media_type) values ($1, 'data:image/png;base64,AAAA', 'image')`,
    [member],
  )
  await act('insert into conversations (participant_1, participant_2) values ($1, $2)', [member, ben])
  await act(
    `insert into messages (conversation_id, sender_id, content)
     select id, $1, 'boo' from conversations where participant_1 = $1`,
    [member],
  )
  await act(
    `insert into message_media (conversation_id, sender_id, image_url)
     select id, $1, 'data:image/png;base64,AAAA' from conversations where participant_1 = $1`,
    [member],
  )
  await act(
    `insert into message_reactions (message_id, member_id, emoji) select id, $1, '👍' from messages`,
    [member],
  )
  const shy = await community.join('shy', { isPrivate: true })
  await act('insert into follow_requests (requester_id, target_id) values ($1, $2)', [member, shy])
  await community.as(ben)`insert into likes (post_id, user_id) values (${own}, ${ben})`
  const rude = await community.join('rude')
  await act('insert into mutes (muter_id, muted_id) values ($1, $2)', [member, shy])
  await act(`insert into hashtag_follows (follower_id, tag) values ($1, 'fog')`, [member])
  await act(`update posts set location = 'Weir' where user_id = $1`, [member])
  await act('select block_members(array[$1]::uuid[])', [rude])
  await act(`insert into reports (reporter_id, member_id, reason) values ($1, $2, 'spam')`, [member, ben])
  await community.as(ben)`insert into reports (reporter_id, member_id, reason)
    values (${ben}, ${member}, 'spam')`
  await community.as(ben)`insert into story_views (story_id, viewer_id) select id, ${ben} from stories`
}

describe('SET-03 deleting an account', () => {
  test('removes the auth user and all its rows', async () => {
    const ghost = await community.join('ghost')
    await createAllRows(ghost)
    const before = await countAll((sql) => community.as(ghost, sql))
    for (const [table, rows] of Object.entries(before)) expect([table, rows > 0]).toEqual([table, true])

    await community.as(ghost, 'select delete_account()')
    expect(await community.sql`select id from auth.users where id = ${ghost}`).toEqual([])
    expect(await countAll(community.sql)).toEqual({
      activity: 0,
      blocks: 0,
      comment_likes: 0,
      comments: 0,
      conversation_members: 0,
      conversations: 0,
      conversation_views: 0,
      follow_requests: 0,
      follows: 0,
      hashtag_follows: 0,
      likes: 0,
      message_media: 0,
      message_reactions: 0,
      messages: 0,
      mutes: 0,
      notifications: 0,
      post_media: 0,
      post_tags: 0,
      post_topics: 0,
      posts: 1,
      profiles: 4,
      saved_posts: 0,
      stories: 0,
      story_views: 0,
    })
    expect(await community.sql('select id from reports')).toEqual([])
  })

  test('is refused without a session', async () => {
    await expect(community.sql('select public.delete_account()')).rejects.toEqual(refusal('PT401'))
    await expect(community.sql('select public.clear_account()')).rejects.toEqual(refusal('PT401'))
  })

  test('clears in calls of about 100 ms what refers to objects, and leaves the rest to the deletion', async () => {
    const clear = async (id: string) => {
      const [row] = await community.as(id, 'select clear_account() as is_cleared')
      return row?.is_cleared
    }
    const posts = async (id: string) =>
      Number((await community.sql`select count(*) from posts where user_id = ${id}`)[0]?.count)
    const large = await community.join('large')
    await community.post(large, 'No photo')
    for (let n = 0; n < 25; n++) {
      const photos = JSON.stringify([photoOf(await addObjects(community.sql, large))])
      await community.as(large, 'select create_post($1, $2, null, $3)', [randomUUID(), `Photo ${n}`, photos])
    }
    const bens = await posts(ben)
    // Simulates large posts: one batch takes longer than the time limit of a call, and less than the 500 ms after which the server ends it.
    await community.sql(`create function pg_temp.slow() returns trigger language plpgsql as
      'begin perform pg_sleep(0.12); return old; end'`)
    await community.sql(
      'create trigger slow before delete on posts for each row execute function pg_temp.slow()',
    )
    expect([await clear(large), await posts(large)]).toEqual([false, 25])
    expect([await clear(large), await posts(large)]).toEqual([false, 24])
    await community.sql('drop trigger slow on posts')
    // A busy machine may need several.
    while ((await clear(large)) === false);
    expect(await posts(large)).toBe(1)
    expect([await clear(large), await posts(large)]).toEqual([true, 1])
    expect([await clear(ben), await posts(ben)]).toEqual([true, bens])
    await community.as(large, 'select delete_account()')
    expect(await posts(large)).toBe(0)
  })
})

describe('AUTH-08 creating a profile', () => {
  const account = async () => {
    const id = randomUUID()
    await addAccount(community.pg, id, `${id}@example.com`)
    return id
  }
  const createProfile = (id: string, username: string) =>
    community.as(id)`insert into profiles (id, username, full_name)
      values (${id}, ${username}, ${'Full Name'}) returning id, username, is_private`

  test('returns the row and lets the member read other profiles', async () => {
    const id = await account()
    expect(await community.as(id, 'select id from profiles')).toEqual([])
    expect(await createProfile(id, 'first')).toEqual([{ id, username: 'first', is_private: false }])
    expect((await community.as(id)`select id from profiles where id = ${ada}`).length).toBe(1)
  })

  test('AUTH-09 rejects a taken username and accepts another one afterwards', async () => {
    const id = await account()
    await expect(createProfile(id, 'ada')).rejects.toEqual(refusal('23505'))
    expect(await createProfile(id, 'ada.too')).toMatchObject([{ username: 'ada.too' }])
  })
})

describe('search_profiles', () => {
  const find = async (query: string) =>
    (await community.as(ben)`select username from search_profiles(${query})`).map((row) => row.username)

  test('NAV-03 finds parts of usernames and full names, case-insensitively, best match first, without the member who searches', async () => {
    const names = [
      ['mira', 'Mira Stein'],
      ['almira', 'Al'],
      ['zoe', 'Miranda Zoe'],
      ['noname', 'Admiral Non'],
    ] as const
    for (const [username, fullName] of names) {
      const id = await community.join(username)
      await community.sql`update profiles set full_name = ${fullName} where id = ${id}`
    }
    const found = await find(' MIRA ')
    expect(found.slice(0, 2)).toEqual(['mira', 'zoe'])
    expect(found.slice(2).sort()).toEqual(['almira', 'noname'])
    expect(await find('ben')).toEqual([])
    expect(await find('   ')).toEqual([])
  })

  test('NOTE-05 lists followed members first', async () => {
    await community.join('lena.a')
    const followed = await community.join('lena.b')
    await community.as(ben)`insert into follows (follower_id, following_id) values (${ben}, ${followed})`
    expect(await find('lena')).toEqual(['lena.b', 'lena.a'])
  })

  test('treats special characters in the query literally', async () => {
    const id = await community.join('odd_one')
    await community.sql`update profiles set full_name = ${'50% "off", (it\\him)*'} where id = ${id}`
    for (const query of ['%', '"', '(', ',', '*', '\\', '50% "off", (it\\him)*', 'd_o']) {
      expect([query, await find(query)]).toEqual([query, ['odd_one']])
    }
    expect(await find('od__one')).toEqual([])
  })

  test('MSG-01 returns ten members at most', async () => {
    for (let n = 0; n <= SEARCH_LIMIT; n++) await community.join(`crowd.${n}`)
    expect((await find('crowd')).length).toBe(SEARCH_LIMIT)
    expect((await find('rowd')).length).toBe(SEARCH_LIMIT)
  })
})

describe('known_usernames', () => {
  const known = async (names: string) =>
    (await community.as(ben)`select username from known_usernames(${names})`)
      .map((row) => row.username)
      .toSorted()

  test('NOTE-05 finds current and former usernames of visible members', async () => {
    const moved = await community.join('moved')
    await community.as(moved)`update profiles set username = 'moved.on' where id = ${moved}`
    expect(await known('Ada ben moved moved.on nobody ada')).toEqual(['ada', 'ben', 'moved', 'moved.on'])
    expect(await known('')).toEqual([])
    await community.as(moved)`select block_members(array[${ben}]::uuid[])`
    expect(await known('moved moved.on')).toEqual([])
  })
})
