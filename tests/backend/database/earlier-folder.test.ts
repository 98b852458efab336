import { createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { brotliDecompressSync, constants, createGzip } from 'node:zlib'
import { expect, test } from 'vitest'
import { dataVersion } from '#/backend/database/connection'
import { unpackDump } from '#/backend/storage/unpack-dump'
import {
  clientOf,
  type LogLines,
  PASSWORD,
  scratchFolder,
  startTestBackend,
} from '#tests/backend/support/backend'

/**
 * The database of a data folder as the build of 2026-11-27 (13b270cc, PGlite 0.4.5, PostgreSQL 17) wrote it: a snapshot with two members and
 * one row of each kind. It is never made again: it stands for members' folders (docs/decisions/0090).
 */
const FOLDER = join(import.meta.dirname, 'earlier/folder-2026-11-27.tar.br')

/** Writes the database as a snapshot, which is a tar archive with gzip. */
async function writeSnapshot(path: string): Promise<void> {
  const tar = brotliDecompressSync(await readFile(FOLDER))
  await pipeline(Readable.from([tar]), createGzip({ level: constants.Z_BEST_SPEED }), createWriteStream(path))
}

/** Opens a folder with this build, signs in as a member and reads what the members wrote. */
async function readRows(dataDir: string, lines: LogLines) {
  const backend = await startTestBackend(dataDir, {}, lines)
  const ada = clientOf(backend)
  const { error } = await ada.auth.signInWithPassword({ email: 'ada@example.com', password: PASSWORD })
  expect(error).toBeNull()
  const rows = async (table: string, columns: string) => {
    const { data, error: failed } = await ada.from(table).select(columns)
    expect(failed).toBeNull()
    return data
  }
  expect(await rows('profiles', 'username,full_name')).toEqual(
    expect.arrayContaining([
      { username: 'ada', full_name: 'Ada Ångström' },
      { username: 'ben', full_name: 'Ben' },
    ]),
  )
  expect(
    await rows('posts', 'content,location,image_url,like_count,author:profiles!posts_user_id_fkey(username)'),
  ).toEqual([
    {
      content: 'Morning fog, with @ben #fog',
      location: 'Lisbon',
      image_url: expect.stringMatching(/^data:image\/png;base64,iVBOR/),
      like_count: 1,
      author: { username: 'ada' },
    },
  ])
  expect(await rows('comments', 'content')).toEqual([{ content: 'Lovely' }])
  expect(await rows('messages', 'content')).toEqual([{ content: 'Hello Ada' }])
  expect(await rows('follows', 'follower:profiles!follows_follower_id_fkey(username)')).toEqual([
    { follower: { username: 'ben' } },
  ])
  const notifications = await rows('notifications', 'type')
  expect(notifications).toHaveLength(3)
  expect(notifications).toEqual(
    expect.arrayContaining([{ type: 'comment' }, { type: 'follow' }, { type: 'like' }]),
  )
  await ada
    .from('posts')
    .insert({ user_id: (await ada.auth.getUser()).data.user?.id, content: 'New' })
    .throwOnError()
  expect(await rows('posts', 'content')).toHaveLength(2)
}

test('a data folder of 2026-11-27 opens, with its members and rows', async () => {
  const dataDir = await scratchFolder()
  const dump = join(dataDir, 'dump.tar.gz')
  await writeSnapshot(dump)
  await unpackDump(dump, join(dataDir, 'postgres'))
  expect(await dataVersion(join(dataDir, 'postgres'))).toBe('17')
  const lines: LogLines = []
  await readRows(dataDir, lines)
  expect(lines.filter((line) => /^(?:warn|error)/.test(line))).toEqual([])
  // Nothing was set aside.
  expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.'))).toEqual([])
})

test('a snapshot of 2026-11-27 is restored, with its members and rows', { tags: 'long' }, async () => {
  const dataDir = await scratchFolder()
  await mkdir(join(dataDir, 'snapshots'))
  await writeSnapshot(join(dataDir, 'snapshots/2026-11-27T04-56-01-766Z.tar.gz'))
  const lines: LogLines = []
  await readRows(dataDir, lines)
  expect(lines.join('\n')).toContain('the snapshot of 2026-11-27T04:56:01.766Z was restored')
})
