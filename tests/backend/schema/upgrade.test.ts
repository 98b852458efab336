import { randomUUID } from 'node:crypto'
import { App } from '@supabase/lite'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '#/backend/database/connection'
import { migrate, readMigrations } from '#/backend/database/migrations'
import { SETUP_SQL } from '#/backend/database/setup'
import { type Community, communityOn } from './support/community'
import { MIGRATIONS } from './support/migrated-database'

const open: Community[] = []
afterAll(() => Promise.all(open.map((community) => community.close())))

/** A data folder as it was when this migration was the last. */
async function communityAt(version: string): Promise<Community> {
  const connection = await openDatabase('memory://')
  await new App({ connection, auth: { enabled: true } }).ensureSystemSchema()
  await connection.driver.exec(SETUP_SQL)
  const migrations = await readMigrations(MIGRATIONS)
  await migrate(
    connection.driver,
    migrations.filter((migration) => migration.version <= version),
  )
  const community = communityOn(connection.driver)
  open.push(community)
  return community
}

test('SAFE-01 a folder from before blocking keeps all rows, and its members can block', async () => {
  const community = await communityAt('20261121001300')
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

test('NOTE-01 requests from before accepted ones were told are told apart, and answered ones as before', async () => {
  const community = await communityAt('20261121001800')
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
