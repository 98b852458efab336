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

test('requests by hand: never an error of the server, never a word of what others keep to themselves', async () => {
  const before = await keepers.kept()
  const statuses = await tryRequests(backend, keepers, { numRuns: 250, seed: 20_261_121 })
  // They got somewhere: not everything was refused at the door.
  expect(statuses[200]).toBeGreaterThan(20)
  expect(await keepers.kept()).toBe(before)
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
])('%s is the mistake of who asks', async (_, method, path, body) => {
  const headers = { 'content-type': 'application/json' }
  const { status } = await sendByHand(backend, keepers, { method, path, headers, ...(body && { body }) })
  expect(status).toBe(400)
})
