import { App } from '@supabase/lite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#/backend/database/connection'
import { migrate, readMigrations } from '#/backend/database/migrations'
import { SETUP_SQL } from '#/backend/database/setup'
import { MIGRATIONS } from './support/migrated-database'

let connection: Awaited<ReturnType<typeof openDatabase>>
beforeAll(async () => {
  connection = await openDatabase('memory://')
  await new App({ connection, auth: { enabled: true } }).ensureSystemSchema()
  await connection.driver.exec(SETUP_SQL)
  // What pg_cron offers, as far as a migration calls it: a job is known by its name.
  await connection.driver.exec(`
    create schema cron;
    create table cron.job (jobname text primary key, schedule text, command text);
    create function cron.schedule(name text, schedule text, command text) returns bigint language sql as $$
      insert into cron.job values (name, schedule, command) returning 1::bigint
    $$`)
  await migrate(connection.driver, await readMigrations(MIGRATIONS))
})
afterAll(() => connection.close())

test('STORY-02 where there is pg_cron, old stories are removed every hour by a command that works', async () => {
  const { rows } = await connection.driver.query<{ jobname: string; schedule: string; command: string }>(
    'select * from cron.job',
  )
  expect(rows).toEqual([
    { jobname: 'remove-leftovers', schedule: '17 * * * *', command: 'select private.remove_leftovers()' },
  ])
  const run = await connection.driver.query(rows[0]?.command ?? '')
  expect(run.rows).toEqual([{ remove_leftovers: 0 }])
})
