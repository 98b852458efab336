import { mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOrRestore } from '#/backend/database/open-or-restore'
import { findTemplate } from '#/backend/database/template'
import type { Backend } from '#/backend/start/start-backend'
import { openDataFolder } from '#/backend/storage/data-folder'
import { listSnapshots } from '#/backend/storage/snapshots'
import {
  clientOf,
  discard,
  type LogLines,
  PASSWORD,
  scratchFolder,
  signUpMember,
  startUnmanagedBackend,
} from '#tests/backend/support/backend'
import { copyFolder, copyPreparedDatabase, prepare } from '#tests/backend/support/prepared'

let original: string
let firstKey: string

/** Stops with a longer limit than the usual 4.5 s, so that the snapshot also succeeds on a busy machine. */
const stopWithSnapshot = (backend: Backend) => backend.stop({ withinMs: 60_000 })

beforeAll(async () => {
  original = await mkdtemp(join(tmpdir(), 'vignette-restore-'))
  await copyPreparedDatabase(original)
  const backend = await startUnmanagedBackend(original)
  firstKey = backend.publishableKey
  await signUpMember(backend, 'ada')
  await stopWithSnapshot(backend)
})

afterAll(() => rm(original, { recursive: true, force: true }))

/** Creates a folder with a member in its data and in its only snapshot. */
async function folderWithMember(): Promise<string> {
  const dataDir = await scratchFolder()
  copyFolder(original, dataDir)
  return dataDir
}

const snapshotsOf = (dataDir: string) => listSnapshots(join(dataDir, 'snapshots'))
const inDatabase = (dataDir: string, path: string) => join(dataDir, 'postgres', path)

/** Unpacking the template is slow, so only an empty folder may use it. */
const unneeded = () => Promise.reject(new Error('a folder with data or snapshots needs no template'))

async function preparedDump(): Promise<string | null> {
  const { template, migrationsHash } = await prepare()
  return findTemplate(template, migrationsHash)
}

/** Opens and closes the data of a folder like a start, without serving it; `ready` lists its members. */
async function openOnce(
  dataDir: string,
  lines: LogLines = [],
  template: () => Promise<string | null> = unneeded,
) {
  return openOrRestore({
    folder: await openDataFolder(dataDir),
    findTemplate: template,
    log: (level, text) => lines.push(`${level} ${text}`),
    prepare: async (connection) => {
      const { rows } = await connection.driver.query<{ email: string }>(
        'select email from auth.users join public.profiles using (id)',
      )
      await connection.close()
      return rows.map(({ email }) => email)
    },
  })
}

type Damage = (dataDir: string) => Promise<void>

/** Kinds of damage that `npm test` covers; `npm run test:long` covers the others. */
const SHORT = ['a restore that was interrupted']

const damages: Record<string, Damage> = {
  'an empty control file': (dataDir) => truncate(inDatabase(dataDir, 'global/pg_control'), 0),
  'a control file of noise': (dataDir) =>
    writeFile(inDatabase(dataDir, 'global/pg_control'), Buffer.alloc(8_192, 0xa5)),
  'no write-ahead log': (dataDir) => rm(inDatabase(dataDir, 'pg_wal'), { recursive: true }),
  'no version file': (dataDir) => rm(inDatabase(dataDir, 'PG_VERSION')),
  'no system catalogues': (dataDir) => rm(inDatabase(dataDir, 'base'), { recursive: true }),
  'no database folder at all': (dataDir) => rm(join(dataDir, 'postgres'), { recursive: true }),
  'a restore that was interrupted': async (dataDir) => {
    await rm(inDatabase(dataDir, 'global'), { recursive: true })
    await writeFile(join(dataDir, 'postgres.unfinished'), '')
  },
}

describe('data that does not open', () => {
  // All tests share a folder, whose data is repaired after each test.
  let dataDir: string
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'vignette-restore-'))
    copyFolder(original, dataDir)
  })
  afterAll(() => rm(dataDir, { recursive: true, force: true }))

  for (const [name, damage] of Object.entries(damages)) {
    const tags = SHORT.includes(name) ? [] : ['long']
    test(`${name}: the newest snapshot is restored`, { tags }, async () => {
      const [newest] = await snapshotsOf(dataDir)
      await damage(dataDir)
      const lines: LogLines = []
      const { ready, restoredFrom } = await openOnce(dataDir, lines)
      expect(restoredFrom).toBe(newest?.takenAt)
      expect(lines.join('\n')).toMatch(/warn The data did not open.*the snapshot of .* was restored/)
      expect(ready).toEqual(['ada@example.com'])
      const isGone = name.includes('at all') || name.includes('interrupted')
      const aside = (await readdir(dataDir)).filter((entry) => entry.startsWith('postgres.damaged-'))
      expect(aside).toHaveLength(isGone ? 0 : 1)
      for (const entry of aside) await rm(join(dataDir, entry), { recursive: true })
    })
  }

  test('a damaged snapshot is skipped for the one before it', async () => {
    const [older] = await snapshotsOf(dataDir)
    const now = new Date().toISOString().replaceAll(/[:.]/g, '-')
    await writeFile(join(dataDir, `snapshots/${now}.tar.gz`), 'no archive')
    await truncate(inDatabase(dataDir, 'global/pg_control'), 0)
    const lines: LogLines = []
    const opened = await openOnce(dataDir, lines)
    expect(lines.join('\n')).toMatch(/error The snapshot of .* does not open either/)
    expect(lines.join('\n')).toMatch(/warn The data did not open.*the snapshot of .* was restored/)
    expect(opened.restoredFrom).toBe(older?.takenAt)
    expect(opened.ready).toEqual(['ada@example.com'])
    expect((await readdir(dataDir)).filter((entry) => entry.startsWith('postgres.damaged-'))).toHaveLength(1)
  })

  test('without a working snapshot the start fails with an explanation and changes nothing', async () => {
    const dataDir = await folderWithMember()
    const [only] = await snapshotsOf(dataDir)
    await truncate(inDatabase(dataDir, 'global/pg_control'), 0)
    await writeFile(only?.path ?? '', 'no archive')
    const before = await readdir(dataDir)
    await expect(startUnmanagedBackend(dataDir)).rejects.toMatchObject({ code: 'damaged' })
    await rm(only?.path ?? '')
    await expect(openOnce(dataDir)).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('no snapshot to go back to'),
    })
    expect(await readdir(dataDir)).toEqual(before)
  })

  test('an interrupted first start is repeated', async () => {
    const dataDir = await folderWithMember()
    for (const { path } of await snapshotsOf(dataDir)) await rm(path)
    await writeFile(join(dataDir, 'postgres.unfinished'), '')
    await rm(inDatabase(dataDir, 'global'), { recursive: true })
    const opened = await openOnce(dataDir, [], preparedDump)
    expect(opened).toEqual({ ready: [], isNew: true, restoredFrom: null })
    expect(await readdir(dataDir)).not.toContain('postgres.unfinished')
  })
})

describe('data that opens but fails to start', () => {
  const failing = (code: string | null) => async () => {
    throw Object.assign(new Error('refused'), code === null ? {} : { code })
  }
  const open = async (dataDir: string, prepare: () => Promise<never>, freeBytes?: number) => {
    const folder = await openDataFolder(dataDir)
    return openOrRestore({
      folder,
      findTemplate: unneeded,
      prepare,
      log: () => undefined,
      ...(freeBytes !== undefined && { freeBytes: async () => freeBytes }),
    })
  }

  test('is not changed after a full disk, a disk error or a wrong statement', async () => {
    const dataDir = await folderWithMember()
    const before = await readdir(dataDir)
    // open-errors.test.ts covers the classification of errors.
    for (const code of ['53100', null]) {
      await expect(open(dataDir, failing(code))).rejects.toMatchObject({ message: 'refused' })
    }
    expect(await readdir(dataDir)).toEqual(before)
    expect(await openOnce(dataDir)).toMatchObject({ ready: ['ada@example.com'], restoredFrom: null })
  })

  test('is set aside if PostgreSQL reports corruption, unless the disk is full', async () => {
    const dataDir = await folderWithMember()
    const before = await readdir(dataDir)
    await expect(open(dataDir, failing('XX001'), 1_000)).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('no space left'),
    })
    expect(await readdir(dataDir)).toEqual(before)
    let isFirst = true
    const opened = await openOrRestore({
      folder: await openDataFolder(dataDir),
      findTemplate: unneeded,
      log: () => undefined,
      prepare: async (connection) => {
        if (isFirst) {
          isFirst = false
          throw Object.assign(new Error('invalid page in block 3'), { code: 'XX001' })
        }
        await connection.close()
      },
    })
    expect(opened.restoredFrom).toBe((await snapshotsOf(dataDir))[0]?.takenAt)
  })
})

test('a second start uses the keys of the first; a requested restore replaces working data with the newest snapshot; stopping keeps the newest three', async () => {
  const dataDir = await folderWithMember()
  const before = await startUnmanagedBackend(dataDir)
  expect(before.publishableKey).toBe(firstKey)
  const { mode } = await stat(join(dataDir, 'secrets.json'))
  expect(mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600)
  await signUpMember(before, 'grace')
  await discard(before)
  const [newest] = await snapshotsOf(dataDir)
  expect(newest).toBeDefined()
  const folder = join(dataDir, 'snapshots')
  await writeFile(join(folder, 'left-behind.tar.gz.0a1b2c3d.tmp'), 'half')
  for (const year of [2001, 2002, 2003]) {
    await writeFile(join(folder, `${year}-01-01T00-00-00-000Z.tar.gz`), '')
  }

  const backend = await startUnmanagedBackend(dataDir, { restore: true })
  expect(backend.restoredFrom).toBe(newest?.takenAt)
  const client = clientOf(backend)
  const signIn = (username: string) =>
    client.auth.signInWithPassword({ email: `${username}@example.com`, password: PASSWORD })
  expect((await signIn('ada')).error).toBeNull()
  expect((await signIn('grace')).error).not.toBeNull()
  expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.damaged-'))).toHaveLength(1)
  await stopWithSnapshot(backend)
  const kept = await snapshotsOf(dataDir)
  expect(kept).toHaveLength(3)
  expect(kept.at(-1)?.takenAt).toBe('2003-01-01T00:00:00.000Z')
  expect(await readdir(folder)).toHaveLength(3)
})
