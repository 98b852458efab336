import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fingerprint } from '../../scripts/lib/build.mjs'

let root: string
let before: string
const current = (env: NodeJS.ProcessEnv = {}) => fingerprint(['src', 'config.ts'], root, env)

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'vignette-build-'))
  await mkdir(join(root, 'src/deep'), { recursive: true })
  await writeFile(join(root, 'src/deep/a.ts'), 'a')
  await writeFile(join(root, 'config.ts'), 'config')
  before = current()
})

afterEach(() => rm(root, { recursive: true }))

test('a build stays fresh when only modification times change', async () => {
  await utimes(join(root, 'src/deep/a.ts'), new Date(), new Date(0))
  expect(current()).toBe(before)
})

test.each([
  ['a changed file', () => writeFile(join(root, 'src/deep/a.ts'), 'b')],
  ['a new file', () => writeFile(join(root, 'src/b.ts'), '')],
  ['a removed file', () => rm(join(root, 'src/deep/a.ts'))],
  ['a renamed file', () => rename(join(root, 'src/deep/a.ts'), join(root, 'src/deep/b.ts'))],
])('%s makes the build stale', async (_, change) => {
  await change()
  expect(current()).not.toBe(before)
})

test('only environment variables that become part of the build make it stale', () => {
  expect(current({ SUPABASE_URL: 'https://example.supabase.co' })).not.toBe(before)
  expect(current({ HOME: '/somewhere' })).toBe(before)
})

test('moving bytes from one file to the next changes the fingerprint', async () => {
  await writeFile(join(root, 'config.ts'), 'conf')
  await writeFile(join(root, 'src/deep/a.ts'), 'iga')
  expect(current()).not.toBe(before)
})
