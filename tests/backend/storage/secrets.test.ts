import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSecrets } from '#/backend/storage/secrets'

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-secrets-'))
  path = join(folder, 'secrets.json')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

// Windows only has a read-only bit.
const OWNER_ONLY = process.platform === 'win32' ? 0o666 : 0o600
const modeOf = async () => (await stat(path)).mode & 0o777

test('creates the keys once, readable by their owner only', async () => {
  const secrets = await loadSecrets(path)
  expect(await modeOf()).toBe(OWNER_ONLY)
  expect(await loadSecrets(path)).toEqual(secrets)
})

test('removes access to existing keys for other users of the machine', async () => {
  const secrets = await loadSecrets(path)
  await chmod(path, 0o644)
  expect(await loadSecrets(path)).toEqual(secrets)
  expect(await modeOf()).toBe(OWNER_ONLY)
})

test.each(['', '{', '{"jwtSecret":"short"}'])('refuses damaged keys and keeps the file: %j', async (text) => {
  await writeFile(path, text)
  await expect(loadSecrets(path)).rejects.toMatchObject({ code: 'failed' })
  expect(await readFile(path, 'utf8')).toBe(text)
})
