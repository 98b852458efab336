import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSchemaCache } from '#/backend/database/schema-cache'
import { scratchFolder } from '#tests/backend/support/backend'

test('the cached schema is used only for the same migrations', async () => {
  const path = join(await scratchFolder(), 'schema.json')
  const cache = createSchemaCache(path, 'these')
  expect(await cache.get('')).toBeUndefined()
  await cache.set('', '{"tables":[]}')
  expect(await createSchemaCache(path, 'these').get('')).toBe('{"tables":[]}')
  expect(await createSchemaCache(path, 'others').get('')).toBeUndefined()
})

test('the cache survives a reset by lite, but not a change of the schema', async () => {
  const cache = createSchemaCache(join(await scratchFolder(), 'schema.json'), 'these')
  await cache.set('', '{}')
  await cache.delete('')
  expect(await cache.get('')).toBe('{}')
  await cache.clear()
  expect(await cache.get('')).toBeUndefined()
})

test('a prepared cache is used until the folder has one, and a broken file is ignored', async () => {
  const folder = await scratchFolder()
  const prepared = join(folder, 'prepared.json')
  await createSchemaCache(prepared, 'these').set('', '{"prepared":true}')
  const own = join(folder, 'own.json')
  const cache = createSchemaCache(own, 'these', prepared)
  expect(await cache.get('')).toBe('{"prepared":true}')
  await cache.set('', '{"own":true}')
  expect(await cache.get('')).toBe('{"own":true}')
  await writeFile(own, (await readFile(own, 'utf8')).slice(0, 20))
  expect(await cache.get('')).toBe('{"prepared":true}')
})
