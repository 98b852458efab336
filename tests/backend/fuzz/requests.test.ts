import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Backend } from '#/backend/start/start-backend'
import { type PrivateCommunity, startWithPrivateCommunity } from './secrets'
import { sendRequest, tryRequests } from './try-requests'

let backend: Backend
let community: PrivateCommunity
let dispose: () => Promise<void>

beforeAll(async () => {
  ;({ backend, community, dispose } = await startWithPrivateCommunity())
})
afterAll(() => dispose())

for (const { numRuns, answered, refused, tags } of [
  { numRuns: 125, answered: 10, refused: 25, tags: [] },
  { numRuns: 500, answered: 50, refused: 100, tags: ['long'] },
]) {
  const title = `${numRuns} random requests neither fail on the server nor show what others keep to themselves`
  test(title, { tags }, async () => {
    const statuses = await tryRequests(backend, community, { numRuns, seed: 20_261_121 })
    // Many requests must reach the database, and many must be rejected before it.
    expect(statuses[200]).toBeGreaterThan(answered)
    expect(statuses[400]).toBeGreaterThan(refused)
  })
}

test.each([
  ['a number that is no time', 'POST', '/rest/v1/story_views', '{"created_at":-8640000000000001}'],
  [
    'a condition that the database refuses, asked for without an answer',
    'HEAD',
    '/rest/v1/profiles?is_private=gt.7',
    undefined,
  ],
])('%s is answered with 400', async (_, method, path, body) => {
  const headers = { 'content-type': 'application/json' }
  const { status } = await sendRequest(backend, community, { method, path, headers, ...(body && { body }) })
  expect(status).toBe(400)
})
