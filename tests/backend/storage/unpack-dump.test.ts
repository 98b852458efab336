import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { findTemplate } from '#/backend/database/template'
import { unpackDump } from '#/backend/storage/unpack-dump'
import { scratchFolder } from '#tests/backend/support/backend'
import { prepare } from '#tests/backend/support/prepared'

interface Entry {
  name: string
  content?: string
  type?: string
}

function tar(entries: Entry[]): Buffer {
  const blocks = entries.flatMap(({ name, content = '', type = '0' }) => {
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write(type, 156)
    header.write('ustar\u000000', 257)
    return [header, Buffer.from(content), Buffer.alloc(-content.length & 511)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

async function unpack(archive: Buffer): Promise<string> {
  const scratch = await scratchFolder()
  await writeFile(join(scratch, 'dump.tar.gz'), archive)
  await unpackDump(join(scratch, 'dump.tar.gz'), join(scratch, 'data'))
  return join(scratch, 'data')
}

test('unpacks folders, empty ones too, and files of any size', async () => {
  const large = 'a page '.repeat(100_000)
  const data = await unpack(
    gzipSync(
      tar([
        { name: '/PG_VERSION', content: '17\n' },
        { name: '/empty', type: '5' },
        { name: '/base', type: '5' },
        { name: '/base/1', content: large },
        { name: '/base/block', content: 'x'.repeat(512) },
        { name: '/base/nothing' },
      ]),
    ),
  )
  expect((await readdir(data, { recursive: true })).sort()).toEqual(
    ['PG_VERSION', 'base', join('base', '1'), join('base', 'block'), join('base', 'nothing'), 'empty'].sort(),
  )
  expect(await readFile(join(data, 'PG_VERSION'), 'utf8')).toBe('17\n')
  expect(await readFile(join(data, 'base/1'), 'utf8')).toBe(large)
  expect((await stat(join(data, 'base/block'))).size).toBe(512)
  expect((await stat(join(data, 'base/nothing'))).size).toBe(0)
})

describe('rejects', () => {
  const whole = tar([{ name: '/a', content: 'a'.repeat(10_000) }])

  test.each([
    ['an archive that ends early', gzipSync(whole.subarray(0, 5_000)), /ends early/],
    ['an archive without its end', gzipSync(whole.subarray(0, -1_024)), /ends early/],
    ['a compressed text', gzipSync('no archive'.repeat(100)), /not a tar archive/],
    ['a file that ends early', gzipSync(whole).subarray(0, -20), /unexpected end/],
    ['another file', Buffer.from('no archive'), /incorrect header/],
    ['an empty file', Buffer.alloc(0), /./],
    ['a file outside the folder', gzipSync(tar([{ name: '../data-of-others' }])), /outside/],
    ['a folder outside the folder', gzipSync(tar([{ name: '../../others', type: '5' }])), /outside/],
    ['a file twice', gzipSync(tar([{ name: '/a' }, { name: 'a' }])), /EEXIST/],
  ])('%s', async (_, archive, error) => {
    await expect(unpack(archive)).rejects.toThrow(error)
  })
})

test("unpacks all files of PGlite's dumps", async () => {
  const { template, migrationsHash } = await prepare()
  const dump = await findTemplate(template, migrationsHash)
  const archive = await readFile(dump ?? '')
  const data = await unpack(archive)
  const files = (await readdir(data, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  )
  // 16 MB, which each first start would write for each segment of the log of the migrations.
  expect(files.filter(({ parentPath }) => parentPath === join(data, 'pg_wal'))).toHaveLength(1)
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  )
  const blocks = sizes.reduce((sum, size) => sum + 1 + Math.ceil(size / 512), 0)
  const folders = (await readdir(data, { recursive: true, withFileTypes: true })).length - files.length
  // Two empty blocks end the archive.
  expect((blocks + folders + 2) * 512).toBe(gunzipSync(archive).length)
})
