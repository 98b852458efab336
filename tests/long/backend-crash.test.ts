import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { amcheck } from '@electric-sql/pglite/contrib/amcheck'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { beforeAll, expect, test } from 'vitest'
import { scratchFolder } from '#tests/backend/support/backend'
import { crashRounds } from '#tests/backend/support/crash'
import { buildBackend } from '#tests/backend/support/processes'

beforeAll(buildBackend)

test('loses no acknowledged write and corrupts no index when it is killed twenty times during writes', async () => {
  const dataDir = await scratchFolder()
  const rounds = await crashRounds(dataDir, 20)
  expect(rounds.flatMap(({ lost }) => lost)).toEqual([])
  expect(rounds.reduce((sum, { acknowledged }) => sum + acknowledged, 0)).toBeGreaterThanOrEqual(400)

  const pg = await PGlite.create({ dataDir: join(dataDir, 'postgres'), extensions: { amcheck, pg_trgm } })
  await pg.exec('create extension amcheck')
  const { rows } = await pg.query<{ checked: number }>(
    `select count(bt_index_check(i.indexrelid, true)::text)::int as checked
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
     where a.amname = 'btree' and i.indisvalid`,
  )
  await pg.close()
  expect(rows[0]?.checked).toBeGreaterThan(100)
})
