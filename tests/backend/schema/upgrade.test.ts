import { randomUUID } from 'node:crypto'
import { App } from '@supabase/lite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#/backend/database/connection'
import { migrate, readMigrations } from '#/backend/database/migrations'
import { SETUP_SQL } from '#/backend/database/setup'
import { type Community, communityOn } from './support/community'
import { MIGRATIONS } from './support/migrated-database'

/** The last migration of folders from before one could block anybody. */
const BEFORE = '20261121001300'

let community: Community
beforeAll(async () => {
  const connection = await openDatabase('memory://')
  await new App({ connection, auth: { enabled: true } }).ensureSystemSchema()
  await connection.driver.exec(SETUP_SQL)
  const migrations = await readMigrations(MIGRATIONS)
  await migrate(
    connection.driver,
    migrations.filter(({ version }) => version <= BEFORE),
  )
  community = communityOn(connection.driver)
})
afterAll(() => community.close())

test('SAFE-01 a folder from before blocking keeps all rows, and its members can block', async () => {
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
