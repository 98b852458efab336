import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { PGlite } from '@electric-sql/pglite'
import { expect, test } from 'vitest'
import { keepCopy, listSnapshots, writeSnapshot } from '#/backend/storage/snapshots'
import { scratchFolder } from '#tests/backend/support/backend'

const dump = new TextEncoder().encode('a dump')
const takenAt = (snapshots: { takenAt: string }[]) =>
  snapshots.map((snapshot) => snapshot.takenAt.slice(0, 10))

test('keeps new snapshots if the clock was ahead: snapshots from the future count as the oldest', async () => {
  const folder = await scratchFolder()
  for (const year of [2031, 2032, 2033]) {
    await writeFile(join(folder, `${year}-01-01T00-00-00-000Z.tar.gz`), '')
  }
  const written = await writeSnapshot(folder, dump, new Date('2026-11-21T08:00:00Z'))
  const now = new Date('2026-11-21T09:00:00Z')
  expect(await listSnapshots(folder, now)).toContainEqual(written)
  expect(takenAt(await listSnapshots(folder, now))).toEqual(['2026-11-21', '2033-01-01', '2032-01-01'])
  expect(gunzipSync(await readFile(written.path)).toString()).toBe('a dump')
  await writeSnapshot(folder, dump, new Date('2026-11-22T08:00:00Z'))
  await writeSnapshot(folder, dump, new Date('2026-11-23T08:00:00Z'))
  expect(takenAt(await listSnapshots(folder, new Date('2026-11-24T00:00:00Z')))).toEqual([
    '2026-11-23',
    '2026-11-22',
    '2026-11-21',
  ])
})

/** A database of which only a dump is taken. */
const dumping = (dumpDataDir: () => Promise<Blob>) =>
  ({ exec: async () => [], dumpDataDir }) as unknown as PGlite

test('a copy from before an upgrade stays with the snapshots that rotate, and later upgrades leave it as it is', async () => {
  const folder = await scratchFolder()
  await keepCopy(
    folder,
    dumping(async () => new Blob(['first'])),
    () => undefined,
  )
  await keepCopy(
    folder,
    dumping(async () => new Blob(['second'])),
    () => undefined,
  )
  for (const day of [20, 21, 22, 23]) await writeSnapshot(folder, dump, new Date(`2026-11-${day}T08:00:00Z`))
  expect(await readFile(join(folder, 'before-0.2.tar.gz'), 'utf8')).toBe('first')
  expect(await listSnapshots(folder)).toHaveLength(3)
})

test('without room for a copy the log says so, and the upgrade goes on', async () => {
  const folder = await scratchFolder()
  const lines: string[] = []
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  await keepCopy(
    folder,
    dumping(() => Promise.reject(full)),
    (level, text) => lines.push(`${level} ${text}`),
  )
  expect(lines).toEqual([
    expect.stringMatching(/^warn No copy of the data was kept before its upgrade: .*no space/),
  ])
})
