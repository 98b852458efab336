import { randomUUID } from 'node:crypto'
import { App } from '@supabase/lite'
import { expect, onTestFinished, test } from 'vitest'
import { migrate, readMigrations, readReplaced } from '#/backend/database/migrations'
import { SETUP_SQL } from '#/backend/database/setup'
import { openEmpty } from '#tests/backend/support/prepared'
import { openEarlier } from './support/earlier-database'
import { MIGRATIONS } from './support/migrated-database'

test('ACC-04 hashtags from before end at punctuation of their script, with their posts and follows', {
  tags: 'long',
}, async () => {
  const { community, upgrade } = await openEarlier('20261126080100')
  onTestFinished(() => community.close())
  const [ada, ben] = [await community.join('ada'), await community.join('ben')]
  const posts = [
    await community.post(ada, '#برلین، #fog'),
    await community.post(ada, '#برلین'),
    await community.post(ada, '＃東京'),
    await community.post(ada, '#fog only'),
  ]
  await community.sql(`insert into posts (user_id, content, location) values ($1, 'Here', 'تهران، ایران')`, [
    ada,
  ])
  const follow = (tag: string) =>
    community.as(ben, 'insert into hashtag_follows (follower_id, tag) values ($1, $2)', [ben, tag])
  for (const tag of ['برلین،', 'fog', '★']) await follow(tag)
  const counts = async () =>
    (
      await community.as(
        ben,
        `select count_topic_posts('hashtag', tag) as posts, tag
        from (values ('برلین'), ('برلین،'), ('東京'), ('fog')) as asked (tag)`,
      )
    ).map(({ posts: number }) => number)
  expect(await counts()).toEqual([1, 1, 0, 2])
  await upgrade()
  expect(await counts()).toEqual([2, 0, 1, 2])
  expect(
    (await community.as(ben, 'select tag from hashtag_follows order by tag collate "C"')).map(
      ({ tag }) => tag,
    ),
  ).toEqual(['fog', 'برلین', '★'])
  const following = (await community.as(ben, 'select id from following_posts()')).map(({ id }) => id)
  expect(following.sort()).toEqual([posts[0], posts[1], posts[3]].sort())
  const found = async (query: string) =>
    (await community.as(ben, 'select label from search_topics($1)', [query])).map(({ label }) => label)
  expect(await found('برلین')).toEqual(['برلین'])
  expect(await found('تهران ایران')).toEqual(['تهران، ایران'])
  await community.sql('select private.cleanup(1000)')
  expect(await found('東京')).toEqual(['東京'])
})

test('ACC-04 texts from before are found without marks and case, and stay as they were written', {
  tags: 'long',
}, async () => {
  const { community, upgrade } = await openEarlier('20261126120000')
  onTestFinished(() => community.close())
  const [ada, ben] = [await community.join('ada'), await community.join('ben')]
  const [name, place, tag] = ['Zoe\u0308', 'Malmo\u0308', 'cafe\u0301']
  await community.as(ada, 'update profiles set full_name = $2, bio = $2 where id = $1', [ada, name])
  const [post] = await community.as(
    ada,
    'insert into posts (user_id, content, location) values ($1, $2, $3) returning id',
    [ada, `#${tag} #İzmir #ΟΔΟΣ`, place],
  )
  const conversation = randomUUID()
  await community.sql('insert into conversations (id, participant_1, participant_2) values ($1, $2, $3)', [
    conversation,
    ada,
    ben,
  ])
  await community.as(ada, 'insert into messages (conversation_id, sender_id, content) values ($1, $2, $3)', [
    conversation,
    ada,
    name,
  ])
  const follow = 'insert into hashtag_follows (follower_id, tag) values ($1, $2)'
  for (const followed of [tag, 'i̇zmir', 'fog']) await community.as(ben, follow, [ben, followed])
  const rows = async () => [
    await community.sql('select full_name, bio, updated_at from profiles order by id'),
    await community.sql('select content, location, edited_at from posts'),
    await community.sql('select content, edited_at from messages'),
    await community.sql('select id from notifications order by id'),
  ]
  const before = await rows()
  await upgrade()
  expect(await rows()).toEqual(before)

  const found = async (sql: string, query: string) => (await community.as(ben, sql, [query])).length
  for (const query of ['zoe', 'ZOË']) {
    expect(await found('select from search_profiles($1)', query)).toBe(1)
    expect(await found('select from search_messages($1) where is_match', query)).toBe(1)
  }
  for (const query of ['malmo', 'CAFÉ izmir'])
    expect(await found('select from search_posts($1)', query), query).toBe(1)
  for (const query of ['malmo', 'Malmö', '#CAFÉ', '#cafe', '#izmir', '#οδος'])
    expect(await found('select from search_topics($1)', query), query).toBe(1)
  const page = `select count_topic_posts('hashtag', $1) as posts`
  for (const written of ['café', tag, 'İZMİR', 'izmir', 'οδος'])
    expect(await community.as(ben, page, [written]), written).toEqual([{ posts: 1 }])
  expect(
    (await community.as(ben, 'select tag from hashtag_follows order by tag collate "C"')).map(
      (row) => row.tag,
    ),
  ).toEqual(['café', 'fog', 'izmir'])
  expect(await community.as(ben, 'select id from following_posts()')).toEqual([{ id: post?.id }])

  await community.as(ben, 'insert into likes (user_id, post_id) values ($1, $2)', [ben, post?.id])
  await community.as(ada, 'update profiles set is_private = true, full_name = $2 where id = $1', [ada, name])
  expect(await community.sql('select content, like_count from posts')).toEqual([
    { content: `#${tag} #İzmir #ΟΔΟΣ`, like_count: 1 },
  ])
  expect(await community.sql('select full_name from profiles where id = $1', [ada])).toEqual([
    { full_name: name },
  ])
})

test('ACC-04 disguised websites and invisible texts from before stay', { tags: 'long' }, async () => {
  const { community, upgrade } = await openEarlier('20261126070000')
  onTestFinished(() => community.close())
  const ada = await community.join('ada')
  const [website, blank] = ['https://google.com@example.com', '\u2800']
  await community.as(ada)`update profiles set website = ${website}, full_name = ${blank}, bio = ${blank}
    where id = ${ada}`
  await community.as(ada)`insert into posts (user_id, content, location) values (${ada}, ${blank}, ${blank})`
  const rows = async () => [
    await community.sql('select website, full_name, bio from profiles'),
    await community.sql('select content, location from posts'),
  ]
  const before = await rows()
  expect(before).toEqual([[{ website, full_name: blank, bio: blank }], [{ content: blank, location: blank }]])
  await upgrade()
  expect(await rows()).toEqual(before)
})

test('STORY-02 SET-03 with pg_cron, jobs clean up until nothing is left, and clean its own log', async () => {
  const connection = await openEmpty()
  const pg = connection.driver
  onTestFinished(() => pg.close())
  await new App({ connection, auth: { enabled: true } }).ensureSystemSchema()
  await pg.exec(SETUP_SQL)
  // A minimal fake of pg_cron, with jobs by name.
  await pg.exec(`
    create schema cron;
    create table cron.job (jobname text primary key, schedule text, command text, active boolean default true);
    create table cron.job_run_details (runid bigint primary key, start_time timestamptz, end_time timestamptz);
    insert into cron.job_run_details select n, now() - n * interval '1 hour', null from generate_series(1, 300) as n;
    create function cron.schedule(name text, schedule text, command text) returns bigint language sql as $$
      insert into cron.job values (name, schedule, command)
        on conflict (jobname) do update set schedule = excluded.schedule, command = excluded.command returning 1::bigint
    $$;
    create function cron.unschedule(name text) returns boolean language sql as $$
      delete from cron.job where jobname = name returning true
    $$`)
  await migrate(pg, await readMigrations(MIGRATIONS))
  const { rows } = await pg.query<{ jobname: string; schedule: string; command: string }>(
    'select jobname, schedule, command from cron.job order by jobname',
  )
  expect(rows).toEqual([
    { jobname: 'cleanup', schedule: '17 * * * *', command: expect.stringContaining('private.cleanup(100)') },
    {
      jobname: 'settle',
      schedule: '* * * * *',
      command: expect.stringContaining('private.settle_waiting()'),
    },
  ])
  const state = async () => {
    const found = await pg.query<{ state: string }>(`select setup_status() ->> 'cleanup' as state`)
    return found.rows[0]?.state
  }
  expect(await state()).toBe('scheduled')
  await pg.exec('update cron.job set active = false')
  expect(await state()).toBe('missing')

  // Two batches and a half.
  await pg.exec(`insert into private.deleted_usernames (username, since)
    select 'gone.' || n, now() - interval '31 days' from generate_series(1, 2500) as n`)
  await pg.query(rows[0]?.command ?? '')
  // A removal in several batches.
  await pg.exec(`
    insert into auth.users (id, email) select gen_random_uuid(), n || '@example.com' from generate_series(1, 450) as n;
    insert into profiles (id, username) select id, 'member.' || split_part(email, '@', 1) from auth.users;
    insert into follows (follower_id, following_id) select f.id, t.id from profiles f, profiles t
      where t.username = 'member.1' and f.id <> t.id;
    delete from auth.users where email = '1@example.com'`)
  await pg.query(rows[1]?.command ?? '')
  expect((await pg.query(`select from profiles where username = 'member.1'`)).rows).toEqual([])
  const left = await pg.query(`
    select (select count(*)::integer from private.deleted_usernames where username like 'gone.%') as usernames,
      (select max(runid)::integer from cron.job_run_details) as oldest_run`)
  expect(left.rows).toEqual([{ usernames: 0, oldest_run: 7 * 24 - 1 }])
  // FEED-04: what writers left is added up, also if no app does it.
  await pg.exec(`insert into private.count_changes (item, counter, change)
    select gen_random_uuid(), 'likes', 1 from generate_series(1, 500)`)
  await pg.query(rows[1]?.command ?? '')
  expect((await pg.query('select from private.count_changes')).rows).toEqual([])
  // A call by an operator's own scheduler counts too.
  expect(await state()).toBe('scheduled')
  await pg.exec(`update private.cleanups set called_at = now() - interval '3 hours'`)
  expect(await state()).toBe('missing')
})

test('the setup of this version can be run after each migration of 0.1', { tags: 'long' }, async () => {
  const { community } = await openEarlier('')
  onTestFinished(community.close)
  for (const migration of await readReplaced(MIGRATIONS)) {
    await migrate(community.pg, [migration])
    await community.pg.exec(SETUP_SQL)
  }
})
