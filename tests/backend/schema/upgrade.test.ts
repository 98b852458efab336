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

/** The last version before blocking; every test starts from a copy of it. */
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

/** A community on the schema of a version. */
async function communityAt(version: string): Promise<Community> {
  const { driver } = await openDatabase('memory://', { content: oldest })
  await migrateTo(driver, version)
  const community = communityOn(driver)
  open.push(community)
  return community
}

test('SAFE-01 upgrading from before blocking keeps all rows, and members can then block', async () => {
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

test('NOTE-01 upgrading from before acceptance notifications keeps all notifications and distinguishes follow requests', {
  tags: 'long',
}, async () => {
  const community = await communityAt('20261121001700')
  const secret = await community.join('secret', { isPrivate: true })
  const [ben, cleo, dan] = [
    await community.join('ben'),
    await community.join('cleo'),
    await community.join('dan'),
  ]
  for (const requester of [ben, cleo, dan]) {
    await community.as(requester, 'insert into follow_requests (requester_id, target_id) values ($1, $2)', [
      requester,
      secret,
    ])
  }
  await community.as(secret, 'select accept_follow_request($1)', [dan])
  const notificationsOf = (member: string) =>
    community.as(
      member,
      'select type, actor_id, message, read from notifications where user_id = $1 order by created_at, actor_id',
      [member],
    )
  await community.as(secret, 'update notifications set read = true where actor_id = $1', [ben])
  const before = await notificationsOf(secret)
  expect(before).toHaveLength(3)

  await migrate(community.pg, await readMigrations(MIGRATIONS))
  expect(await notificationsOf(secret)).toEqual(before)
  expect(await notificationsOf(dan)).toEqual([])
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
  expect((await notificationsOf(secret)).map(({ type }) => type)).toEqual(['follow', 'follow'])
  expect(await notificationsOf(cleo)).toMatchObject([
    { actor_id: secret, message: 'accepted your request to follow' },
  ])
  // A follow from before the upgrade can be ended like any other.
  await community.as(dan, 'delete from follows where follower_id = $1', [dan])
  expect((await notificationsOf(secret)).map(({ actor_id }) => actor_id)).toEqual([cleo])
})

test('SET-05 MSG-01 FEED-11 upgrading from before the limits for strangers keeps conversations, likes and notifications', {
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
  const startConversation = async (one: string, other: string) => {
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
  const [answered, empty, asked] = [
    await startConversation(ada, ben),
    await startConversation(cleo, ada),
    await startConversation(ben, cleo),
  ]
  for (const member of [ada, ben]) await say(member, answered)
  await say(cleo, asked)
  for (const member of [ada, ben, cleo]) await community.as(member, 'select touch_activity()')
  await community.as(ada, 'update profiles set is_private = true where id = $1', [ada])
  const notificationsOf = () =>
    community.as(
      ada,
      'select id, user_id, actor_id, type, post_id, message, read, created_at from notifications',
    )
  const before = await notificationsOf()

  await migrate(community.pg, await readMigrations(MIGRATIONS))
  expect(await notificationsOf()).toEqual(before)
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
  // Nobody knows who started the empty conversation. It appears again when a member starts it again.
  expect(await sees(ada)).toEqual([[answered], [ada, ben].sort()])
  expect(await sees(ben)).toEqual([[answered, asked].sort(), [ada, ben, cleo].sort()])
  expect(await sees(cleo)).toEqual([[asked], [cleo]])

  await community.as(ben, 'delete from likes where user_id = $1', [ben])
  expect(await community.sql('select like_count from posts where id = $1', [post])).toEqual([
    { like_count: 0 },
  ])
  expect(await notificationsOf()).toEqual([])
})

test('STORY-02 with pg_cron, an hourly job runs a working command that removes old stories', async () => {
  const { pg } = await communityAt(OLDEST)
  // A minimal fake of pg_cron, with jobs by name.
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
