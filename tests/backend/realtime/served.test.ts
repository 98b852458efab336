import { afterAll, beforeAll, expect, test } from 'vitest'
import { SERVED_CHANGES } from '#/backend/realtime/served'
import { openMigrated } from '#tests/backend/support/prepared'

let database: Awaited<ReturnType<typeof openMigrated>>

beforeAll(async () => {
  database = await openMigrated()
})
afterAll(() => database.close())

test('the list of served tables contains the published tables, with uuid columns that members may read', async () => {
  const list = async (sql: string) =>
    (await database.driver.query<{ found: string }>(sql)).rows.map(({ found }) => found)
  const tables = Object.keys(SERVED_CHANGES)
  expect(
    await list(`select tablename as found from pg_publication_tables where pubname = 'supabase_realtime'`),
  ).toEqual(expect.arrayContaining(tables))
  const uuids = await list(`
    select attrelid::regclass::text || '.' || attname as found from pg_attribute
    where atttypid = 'uuid'::regtype and attrelid in ('messages'::regclass, 'notifications'::regclass)
      and has_column_privilege('authenticated', attrelid, attnum, 'select')`)
  const named = Object.entries(SERVED_CHANGES).flatMap(([table, filter]) => [
    `${table}.id`,
    `${table}.${filter}`,
  ])
  expect(uuids).toEqual(expect.arrayContaining(named))
})
