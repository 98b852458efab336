import { copyFile, cp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#/backend/database/connection'
import { readMigrations, readReplaced } from '#/backend/database/migrations'
import { migrationsFolder } from '#/backend/start/paths'
import { unpackDump } from '#/backend/storage/unpack-dump'
import {
  discard,
  scratchFolder,
  signUpMember,
  startedFolder,
  startTestBackend,
  startUnmanagedBackend,
} from '#tests/backend/support/backend'
import { copyEmptyDatabase } from '#tests/backend/support/prepared'

/** Copies the migrations of the project, so that a test can add to them. */
async function copiedMigrations(): Promise<string> {
  const folder = await scratchFolder()
  await cp(migrationsFolder(), folder, { recursive: true })
  return folder
}

const LATER = '20991231000000_later.sql'
const BROKEN = `create table public.first (id int primary key);
-- A comment; with a semicolon.
insert into public.first values (1);
insert into public.first values (1);
create table public.second (id int primary key);
`

async function namesOf(backend: Awaited<ReturnType<typeof startTestBackend>>) {
  const { rows } = await backend.pg.query<{ version: string; name: string }>(
    'select version, name from supabase_migrations.schema_migrations order by version',
  )
  return rows
}

test('applies all migrations to a new folder, and records them like the Supabase CLI', async () => {
  const backend = await startTestBackend(await scratchFolder())
  const files = await readMigrations(migrationsFolder())
  expect(await namesOf(backend)).toEqual(files.map(({ version, name }) => ({ version, name })))
})

test('applies missing migrations to an older folder; one that fails is rolled back and reported with its statement; a folder of a newer version or PostgreSQL is rejected and not changed', async () => {
  const dataDir = await startedFolder()
  const migrationsDir = await copiedMigrations()
  const before = await startUnmanagedBackend(dataDir, { migrationsDir })
  const ada = await signUpMember(before, 'ada')
  await discard(before)

  await writeFile(join(migrationsDir, LATER), BROKEN)
  const failure = await startUnmanagedBackend(dataDir, { migrationsDir }).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'migration' })
  const message = failure instanceof Error ? failure.message : ''
  expect(message).toContain('20991231000000_later failed at statement 3 (line 4)')
  expect(message).toContain('duplicate key value')
  expect(message).toContain('insert into public.first values (1);')

  await writeFile(join(migrationsDir, LATER), BROKEN.replace('(1);\ncreate', '(2);\ncreate'))
  const after = await startUnmanagedBackend(dataDir, { migrationsDir })
  const { rows } = await after.pg.query('select id from public.first order by id')
  expect(rows).toEqual([{ id: 1 }, { id: 2 }])
  expect((await namesOf(after)).at(-1)).toEqual({ version: '20991231000000', name: 'later' })
  await discard(after)

  await expect(startUnmanagedBackend(dataDir)).rejects.toMatchObject({
    code: 'newer',
    message: expect.stringMatching(/newer version of Vignette \(20991231000000\).*update the app/),
  })
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '18\n')
  await expect(startUnmanagedBackend(dataDir, { migrationsDir })).rejects.toMatchObject({ code: 'newer' })
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n')

  const again = await startTestBackend(dataDir, { migrationsDir })
  expect((await namesOf(again)).at(-1)?.name).toBe('later')
  expect((await again.pg.query('select id from public.profiles')).rows).toEqual([{ id: ada.id }])
})

test('upgrades a folder of 0.1 to the baseline with its members, and keeps a copy of it as it was; a restored snapshot of 0.1 too', async () => {
  const dataDir = await scratchFolder()
  const replaced = await readReplaced(migrationsFolder())
  const baselineDir = await scratchFolder()
  for (const file of await readdir(migrationsFolder()))
    if (file.startsWith('20261201')) await copyFile(join(migrationsFolder(), file), join(baselineDir, file))
  await copyEmptyDatabase(dataDir)
  const before = await startUnmanagedBackend(dataDir, { migrationsDir: baselineDir })
  const ada = await signUpMember(before, 'ada')
  // The migrations of 0.1 make the same (tests/supabase/schema/schemas.test.ts).
  await before.pg.exec('delete from supabase_migrations.schema_migrations')
  await before.pg.query(
    'insert into supabase_migrations.schema_migrations (version, name) select * from unnest($1::text[], $2::text[])',
    [replaced.map(({ version }) => version), replaced.map(({ name }) => name)],
  )
  await before.stop({ withinMs: 60_000 })

  const migrationsDir = join(await scratchFolder(), 'migrations')
  await cp(migrationsFolder(), migrationsDir, { recursive: true })
  const added = {
    version: '20261130000001',
    name: 'added',
    sql: 'create table private.added (id int primary key);',
  }
  await writeFile(join(migrationsDir, '../before-0.2.json'), JSON.stringify([...replaced, added]))
  const baseline = (await readMigrations(migrationsDir)).map(({ version, name }) => ({ version, name }))
  for (const restore of [false, true]) {
    const after = await startUnmanagedBackend(dataDir, { migrationsDir, restore })
    expect(after.restoredFrom === null).toBe(!restore)
    expect((await after.pg.query('select id from public.profiles')).rows).toEqual([{ id: ada.id }])
    expect((await after.pg.query('select from private.added')).rows).toEqual([])
    expect(await namesOf(after)).toEqual(baseline)
    await discard(after)
  }

  const copy = join(await scratchFolder(), 'postgres')
  await unpackDump(join(dataDir, 'snapshots/before-0.2.tar.gz'), copy)
  const { driver: pg } = await openDatabase(copy)
  onTestFinished(() => pg.close())
  expect((await pg.query('select id from public.profiles')).rows).toEqual([{ id: ada.id }])
  const { rows } = await pg.query(
    'select version from supabase_migrations.schema_migrations order by version',
  )
  expect(rows).toEqual(replaced.map(({ version }) => ({ version })))
})

const filesOf = async (dataDir: string) =>
  Promise.all([dataDir, join(dataDir, 'snapshots')].map((folder) => readdir(folder)))

test('does not open data of a preview, and changes nothing', async () => {
  const dataDir = await startedFolder()
  const before = await startUnmanagedBackend(dataDir)
  await before.pg.exec(`
    delete from supabase_migrations.schema_migrations;
    insert into supabase_migrations.schema_migrations (version, name) values ('20261121002190', 'broadcast_changes')`)
  await before.stop({ withinMs: 60_000 })
  const files = await filesOf(dataDir)
  await expect(startUnmanagedBackend(dataDir)).rejects.toMatchObject({
    code: 'failed',
    message: `The data in ${dataDir} was written by a preview of Vignette that this version cannot upgrade. Nothing was changed.`,
  })
  expect(await filesOf(dataDir)).toEqual(files)
})
