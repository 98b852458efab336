import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Backend } from '#/backend/start-backend'
import { discard, startUnmanagedBackend } from '#tests/backend/server/support'
import { copyPreparedDatabase } from '#tests/backend/support/prepared'
import { type Keepers, keepSecrets } from './secrets'
import { sendByHand, tryRequests } from './try-requests'

let folder: string
let backend: Backend
let keepers: Keepers

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-fuzz-'))
  await copyPreparedDatabase(folder)
  backend = await startUnmanagedBackend(folder)
  keepers = await keepSecrets(backend)
})
afterAll(async () => {
  await discard(backend)
  await rm(folder, { recursive: true, force: true })
})

test('500 random requests neither fail on the server nor show what others keep to themselves', async () => {
  const statuses = await tryRequests(backend, keepers, { numRuns: 500, seed: 20_261_121 })
  // Many reach the database, and many are refused before it.
  expect(statuses[200]).toBeGreaterThan(50)
  expect(statuses[400]).toBeGreaterThan(100)
})

test.each([
  ['a list for a text', 'POST', '/rest/v1/posts', JSON.stringify({ content: [1, 'two'] })],
  ['a number that is no time', 'POST', '/rest/v1/story_views', '{"created_at":-8640000000000001}'],
  [
    'a condition that the database refuses, asked for without an answer',
    'HEAD',
    '/rest/v1/profiles?is_private=gt.7',
    undefined,
  ],
  ['an operator that every object has', 'GET', '/rest/v1/posts?content=not.constructor.x', undefined],
  ['a quote that does not end', 'GET', '/rest/v1/posts?select=likes(%22:user_id)', undefined],
])('%s is answered with 400', async (_, method, path, body) => {
  const headers = { 'content-type': 'application/json' }
  const { status } = await sendByHand(backend, keepers, { method, path, headers, ...(body && { body }) })
  expect(status).toBe(400)
})
