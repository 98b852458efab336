import { cp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readMigrations } from '#/backend/database/migrations'
import { migrationsFolder } from '#/backend/start/paths'
import {
  discard,
  type LogLines,
  scratchFolder,
  signUpMember,
  startedFolder,
  startTestBackend,
  startUnmanagedBackend,
} from '#tests/backend/support/backend'

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

const setAside = async (dataDir: string) =>
  (await readdir(dataDir)).filter((name) => name.includes('.superseded-'))

/** Starts a backend on data from before the squash, and expects that it was set aside; returns the name of its folder of snapshots. */
async function startOnSuperseded(dataDir: string): Promise<string> {
  const before = await startUnmanagedBackend(dataDir)
  await signUpMember(before, 'ada')
  await before.pg.exec(`
    delete from supabase_migrations.schema_migrations;
    insert into supabase_migrations.schema_migrations (version, name) values ('20261121002190', 'broadcast_changes')`)
  await before.stop({ withinMs: 60_000 })

  const lines: LogLines = []
  const first = await startUnmanagedBackend(dataDir, {}, lines)
  expect(first.restoredFrom).toBeNull()
  expect(lines.join('\n')).toMatch(
    /warn .* was written by a preview of Vignette .* kept as \*\.superseded-\d+, and a new database/,
  )
  await signUpMember(first, 'ada')
  await discard(first)
  const [objects = '', database = '', snapshots = ''] = (await setAside(dataDir)).sort()
  expect([objects, database, snapshots]).toEqual([
    expect.stringMatching(/^objects\./),
    expect.stringMatching(/^postgres\./),
    expect.stringMatching(/^snapshots\./),
  ])
  expect(await readdir(join(dataDir, snapshots))).toHaveLength(1)
  return snapshots
}

test('sets aside data from before the squash with its snapshots and objects, and sets up a new database', async () => {
  await startOnSuperseded(await startedFolder())
})

test('does not restore snapshots from before the squash that are copied back', { tags: 'long' }, async () => {
  const dataDir = await startedFolder()
  const snapshots = await startOnSuperseded(dataDir)
  await rm(join(dataDir, 'postgres'), { recursive: true })
  await cp(join(dataDir, snapshots), join(dataDir, 'snapshots'), { recursive: true })
  const second = await startTestBackend(dataDir)
  expect(second.restoredFrom).toBeNull()
  expect((await second.pg.query('select id from public.profiles')).rows).toEqual([])
  expect(await readdir(join(dataDir, 'snapshots'))).toEqual([])
  expect(await setAside(dataDir)).toHaveLength(5)
})
