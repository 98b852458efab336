import { randomUUID } from 'node:crypto'
import type { PGlite } from '@electric-sql/pglite'
import { App } from '@supabase/lite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#/backend/database/connection'
import { migrate, readMigrations } from '#/backend/database/migrations'
import { SETUP_SQL } from '#/backend/database/setup'
import { type Community, communityOn } from './support/community'
import { MIGRATIONS } from './support/migrated-database'

const open: Community[] = []
afterAll(() => Promise.all(open.map((community) => community.close())))

/** Before blocking; every community begins with a copy of it. */
const OLDEST = '20261121001300'

let oldest: File | Blob
beforeAll(async () => {
  const connection = await openDatabase('memory://')
  await new App({ connection, auth: { enabled: true } }).ensureSystemSchema()
  await connection.driver.exec(SETUP_SQL)
  await migrateTo(connection.driver, OLDEST)
  oldest = await connection.driver.dumpDataDir('none')
  await connection.close()
})

async function migrateTo(pg: PGlite, version: string): Promise<void> {
  const migrations = await readMigrations(MIGRATIONS)
  await migrate(
    pg,
    migrations.filter((migration) => migration.version <= version),
  )
}

/** A data folder as it was when this migration was the last. */
async function communityAt(version: string): Promise<Community> {
  const { driver } = await openDatabase('memory://', { content: oldest })
  await migrateTo(driver, version)
  const community = communityOn(driver)
  open.push(community)
  return community
}

test('SAFE-01 a folder from before blocking keeps all rows, and its members can block', async () => {
  const community = await communityAt(OLDEST)
  const [ada, ben] = [await community.join('ada'), await community.join('ben')]
  const post = await community.post(ada, 'From before, with @ben')
  const conversation = randomUUID()
  const writes: [string, string, string[]][] = [
    [ben, 'insert into follows (follower_id, following_id) values ($1, $2)', [ben, ada]],
    [ben, 'insert into likes (user_id, post_id) values ($1, $2)', [ben, post]],
    [ben, `insert into comments (user_id, post_id, content) values ($1, $2, 'old')`, [ben, post]],
    [
      ada,
      'insert into conversations (id, participant_1, participant_2) values ($1, $2, $3)',
      [conversation, ada, ben],
    ],
    [
      ada,
      `insert into messages (conversation_id, sender_id, content) values ($1, $2, 'hello')`,
      [conversation, ada],
    ],
  ]
  for (const [member, sql, parameters] of writes) await community.as(member, sql, parameters)
  const rowsOf = async (member: string) => {
    const rows: Record<string, number> = {}
    for (const table of ['profiles', 'posts', 'likes', 'comments', 'post_tags', 'follows', 'messages']) {
      const [counted] = await community.as(member, `select count(*)::integer as rows from ${table}`)
      rows[table] = Number(counted?.rows)
    }
    return rows
  }
  const before = await rowsOf(ben)
  expect(Object.values(before)).toEqual([2, 1, 1, 1, 1, 1, 1])

  await migrate(community.pg, await readMigrations(MIGRATIONS))
  expect(await rowsOf(ben)).toEqual(before)

  await community.as(ada, 'insert into blocks (blocker_id, blocked_id) values ($1, $2)', [ada, ben])
  expect(Object.values(await rowsOf(ben))).toEqual([1, 0, 0, 0, 0, 0, 1])
  expect(Object.values(await rowsOf(ada))).toEqual([1, 1, 0, 0, 0, 0, 1])
})

test('NOTE-01 a folder from before acceptance notifications keeps its requests apart, and reads answered ones as before', {
  tags: 'long',
}, async () => {
  const community = await communityAt('20261121001700')
  const secret = await community.join('secret', { isPrivate: true })
  const [ben, cleo, dan] = [
    await community.join('ben'),
    await community.join('cleo'),
    await community.join('dan'),
  ]
  for (const asker of [ben, cleo, dan]) {
    await community.as(asker, 'insert into follow_requests (requester_id, target_id) values ($1, $2)', [
      asker,
      secret,
    ])
  }
  await community.as(secret, 'select accept_follow_request($1)', [dan])
  const told = (member: string) =>
    community.as(
      member,
      'select type, actor_id, message, read from notifications where user_id = $1 order by created_at, actor_id',
      [member],
    )
  await community.as(secret, 'update notifications set read = true where actor_id = $1', [ben])
  const before = await told(secret)
  expect(before).toHaveLength(3)

  await migrate(community.pg, await readMigrations(MIGRATIONS))
  expect(await told(secret)).toEqual(before)
  expect(await told(dan)).toEqual([])
  const about = await community.as(
    secret,
    'select actor_id, about from notifications order by about, actor_id',
  )
  expect(about).toEqual([
    ...[ben, cleo].sort().map((actor_id) => ({ actor_id, about: 'follow_request' })),
    { actor_id: dan, about: null },
  ])

  await community.as(ben, 'delete from follow_requests where requester_id = $1', [ben])
  await community.as(secret, 'select accept_follow_request($1)', [cleo])
  expect((await told(secret)).map(({ type }) => type)).toEqual(['follow', 'follow'])
  expect(await told(cleo)).toMatchObject([{ actor_id: secret, message: 'accepted your request to follow' }])
  // A follow from before ends as every other.
  await community.as(dan, 'delete from follows where follower_id = $1', [dan])
  expect((await told(secret)).map(({ actor_id }) => actor_id)).toEqual([cleo])
})

test('SET-05 MSG-01 FEED-11 a folder from before the limits for strangers keeps its conversations, likes and notifications', {
  tags: 'long',
}, async () => {
  const community = await communityAt('20261121001700')
  const [ada, ben, cleo] = [
    await community.join('ada'),
    await community.join('ben'),
    await community.join('cleo'),
  ]
  const post = await community.post(ada, 'From before')
  await community.as(ben, 'insert into likes (user_id, post_id) values ($1, $2)', [ben, post])
  const begin = async (one: string, other: string) => {
    const id = randomUUID()
    await community.as(
      one,
      'insert into conversations (id, participant_1, participant_2) values ($1, $2, $3)',
      [id, one, other],
    )
    return id
  }
  const say = (member: string, conversation: string) =>
    community.as(
      member,
      `insert into messages (conversation_id, sender_id, content) values ($1, $2, 'hello')`,
      [conversation, member],
    )
  const [answered, empty, asked] = [await begin(ada, ben), await begin(cleo, ada), await begin(ben, cleo)]
  for (const member of [ada, ben]) await say(member, answered)
  await say(cleo, asked)
  for (const member of [ada, ben, cleo]) await community.as(member, 'select touch_activity()')
  await community.as(ada, 'update profiles set is_private = true where id = $1', [ada])
  const told = () =>
    community.as(
      ada,
      'select id, user_id, actor_id, type, post_id, message, read, created_at from notifications',
    )
  const before = await told()

  await migrate(community.pg, await readMigrations(MIGRATIONS))
  expect(await told()).toEqual(before)
  const flags = await community.sql(
    'select id, started_by, participant_1_wrote as one, participant_2_wrote as two from conversations',
  )
  expect(flags).toHaveLength(3)
  for (const row of [
    { id: answered, started_by: null, one: true, two: true },
    { id: empty, started_by: null, one: false, two: false },
    { id: asked, started_by: null, one: false, two: true },
  ]) {
    expect(flags).toContainEqual(row)
  }
  const sees = async (member: string) => [
    (await community.as(member, 'select id from my_conversations()')).map(({ id }) => id).sort(),
    (await community.as(member, 'select user_id from activity')).map(({ user_id }) => user_id).sort(),
  ]
  // Who began the empty one is not known any more; whoever begins it again finds it.
  expect(await sees(ada)).toEqual([[answered], [ada, ben].sort()])
  expect(await sees(ben)).toEqual([[answered, asked].sort(), [ada, ben, cleo].sort()])
  expect(await sees(cleo)).toEqual([[asked], [cleo]])

  await community.as(ben, 'delete from likes where user_id = $1', [ben])
  expect(await community.sql('select like_count from posts where id = $1', [post])).toEqual([
    { like_count: 0 },
  ])
  expect(await told()).toEqual([])
})

test('STORY-02 where there is pg_cron, old stories are removed every hour by a command that works', async () => {
  const { pg } = await communityAt(OLDEST)
  // What pg_cron offers, as far as a migration calls it: a job is known by its name.
  await pg.exec(`
    create schema cron;
    create table cron.job (jobname text primary key, schedule text, command text);
    create function cron.schedule(name text, schedule text, command text) returns bigint language sql as $$
      insert into cron.job values (name, schedule, command) returning 1::bigint
    $$`)
  await migrate(pg, await readMigrations(MIGRATIONS))
  const { rows } = await pg.query<{ jobname: string; schedule: string; command: string }>(
    'select * from cron.job',
  )
  expect(rows).toEqual([
    { jobname: 'remove-leftovers', schedule: '17 * * * *', command: 'select private.remove_leftovers()' },
  ])
  const run = await pg.query(rows[0]?.command ?? '')
  expect(run.rows).toEqual([{ remove_leftovers: 0 }])
})
