import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { listSnapshots, writeSnapshot } from '#/backend/storage/snapshots'
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
