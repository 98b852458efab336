import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkHistory, type Migration, migrate } from '#/backend/database/migrations'
import { scratchFolder } from '#tests/backend/support/backend'
import { openEmpty } from '#tests/backend/support/prepared'

const migration = (version: string, sql: string): Migration => ({ version, name: `of_${version}`, sql })

const BEFORE = [
  migration('20261122000100', 'create table public.notes (id int primary key);'),
  migration('20261123000100', 'alter table public.notes add column text text;'),
  migration('20261128000100', `insert into public.notes values (1, 'kept');`),
]
const BASELINE = [
  migration('20261201000100', 'create table public.notes (id int primary key, text text);'),
  migration('20261201000200', 'create table public.tags (id int primary key);'),
]
const LATER = migration('20261215000100', 'alter table public.notes add column later int;')
const MIGRATIONS = [...BASELINE, LATER]
const versions = (migrations: Migration[]) => migrations.map(({ version }) => version)

let pg: PGlite
beforeAll(async () => {
  pg = (await openEmpty()).driver
})
afterAll(() => pg.close())

/** The emptied database, and what a start with these migrations of 0.1 makes of it. */
async function openData(before = BEFORE) {
  await pg.exec(
    'drop schema public cascade; create schema public; drop schema if exists supabase_migrations cascade',
  )
  const root = await scratchFolder()
  const migrationsDir = join(root, 'migrations')
  await mkdir(migrationsDir)
  await writeFile(join(root, 'before-0.2.json'), JSON.stringify(before))
  const start = async (database = pg) =>
    migrate(database, MIGRATIONS, await checkHistory(database, MIGRATIONS, { root, migrationsDir }))
  return { root, start }
}

async function historyOf(): Promise<string[]> {
  const { rows } = await pg.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations order by version',
  )
  return rows.map(({ version }) => version)
}

test.each([1, 2, 3])(
  'data with the first %i migrations of 0.1 gets the rest and the history of the baseline',
  async (applied) => {
    const { start } = await openData()
    await migrate(pg, BEFORE.slice(0, applied))
    expect(await start()).toEqual([...versions(BEFORE.slice(applied)), LATER.version])
    expect(await historyOf()).toEqual(versions(MIGRATIONS))
    expect((await pg.query('select * from notes')).rows).toEqual([{ id: 1, text: 'kept', later: null }])
    expect(await start()).toEqual([])
  },
)

test('an empty database gets the baseline only', async () => {
  const { start } = await openData()
  expect(await start()).toEqual(versions(MIGRATIONS))
  expect((await pg.query('select from notes')).rows).toEqual([])
})

test('a migration of 0.1 that fails is rolled back, and the next start goes on with it', async () => {
  const [first, second, last] = BEFORE as [Migration, Migration, Migration]
  const { start } = await openData([
    first,
    second,
    { ...last, sql: 'insert into public.missing values (1);' },
  ])
  await migrate(pg, [first])
  await expect(start()).rejects.toMatchObject({ code: 'migration' })
  expect(await historyOf()).toEqual(versions([first, second]))
})

test('a start goes on where the last one ended, after whichever step that was', async () => {
  /** The steps of an upgrade from the first migration: one for each transaction, and the one of the history. */
  for (const done of [0, 1, 2, 3]) {
    const { start } = await openData()
    await migrate(pg, BEFORE.slice(0, 1))
    let steps = 0
    const step = () => {
      if (steps === done) throw new Error('The power failed')
      steps += 1
    }
    const failing = new Proxy(pg, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (name === 'transaction' || String(args[0]).startsWith('with replaced')) step()
          return value.apply(target, args)
        }
      },
    })
    await expect(start(failing)).rejects.toThrow('The power failed')
    await start()
    expect(await historyOf()).toEqual(versions(MIGRATIONS))
    expect((await pg.query('select * from notes')).rows).toEqual([{ id: 1, text: 'kept', later: null }])
  }
})

test.each<[string, string[]]>([
  ['a gap', ['20261122000100', '20261128000100']],
  ['an unknown version', ['20261121002190']],
  ['another version after the known ones', [...versions(BEFORE), '20261128000200']],
  ['versions of 0.1 and of the baseline', [...versions(BEFORE), '20261201000100']],
])('data with %s is not changed, and the error says where it is', async (_, applied) => {
  const { root, start } = await openData()
  await migrate(
    pg,
    applied.map((version) => migration(version, 'select 1;')),
  )
  await expect(start()).rejects.toMatchObject({
    code: 'failed',
    message: `The data in ${root} was written by a preview of Vignette that this version cannot upgrade. Nothing was changed.`,
  })
  expect(await historyOf()).toEqual(applied)
})
