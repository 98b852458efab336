import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fingerprint, isStale, markBuilt } from '../../scripts/lib/build.mjs'

const target = {
  name: 'part',
  inputs: ['src', 'config.ts', 'not-there.ts'],
  outputs: ['out/part.js'],
  tool: 'vite',
  args: ['build'],
}
let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'vignette-build-'))
  await mkdir(join(root, 'src/deep'), { recursive: true })
  await mkdir(join(root, 'out'))
  await writeFile(join(root, 'src/deep/a.ts'), 'a')
  await writeFile(join(root, 'config.ts'), 'config')
  await writeFile(join(root, 'out/part.js'), 'built')
  markBuilt(target, fingerprint(target, root, {}), root)
})

afterEach(() => rm(root, { recursive: true }))

test('a build stays fresh when only modification times change', async () => {
  await utimes(join(root, 'src/deep/a.ts'), new Date(), new Date())
  expect(isStale(target, root, {})).toBe(false)
})

test.each([
  ['a changed file', () => writeFile(join(root, 'src/deep/a.ts'), 'b')],
  ['a new file', () => writeFile(join(root, 'src/b.ts'), '')],
  ['a removed file', () => rm(join(root, 'config.ts'))],
  ['a missing output', () => rm(join(root, 'out/part.js'))],
  ['a missing stamp', () => rm(join(root, 'out/.part.stamp'))],
])('%s makes the build stale', async (_, change) => {
  await change()
  expect(isStale(target, root, {})).toBe(true)
})

test('only environment variables that become part of the build make it stale', () => {
  expect(isStale(target, root, { SUPABASE_URL: 'https://example.supabase.co' })).toBe(true)
  expect(isStale(target, root, { HOME: '/somewhere' })).toBe(false)
})

test('moving bytes from one file to the next changes the fingerprint', async () => {
  const before = fingerprint(target, root, {})
  await writeFile(join(root, 'config.ts'), 'conf')
  await writeFile(join(root, 'src/deep/a.ts'), 'iga')
  expect(fingerprint(target, root, {})).not.toBe(before)
})
