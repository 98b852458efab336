import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Backend } from '#/backend/start/start-backend'
import { type PrivateCommunity, startWithPrivateCommunity } from '#tests/backend/fuzz/secrets'
import { sendRequest } from '#tests/backend/fuzz/try-requests'

let backend: Backend
let community: PrivateCommunity
let dispose: () => Promise<void>

beforeAll(async () => {
  ;({ backend, community, dispose } = await startWithPrivateCommunity())
})

afterAll(() => dispose())

test.each(['exact', 'planned', 'estimated'])(
  'count=%s counts no row that row security hides',
  async (count) => {
    await backend.maintenance.query('analyze')
    for (const table of ['posts', 'messages', 'saved_posts', 'stories']) {
      const owner = { posts: 'user_id', messages: 'sender_id', saved_posts: 'user_id', stories: 'user_id' }[
        table
      ]
      const answer = await fetch(
        `${backend.url}/rest/v1/${table}?select=created_at&${owner}=in.(${community.ids})`,
        {
          headers: {
            apikey: backend.publishableKey,
            authorization: `Bearer ${community.stranger.token}`,
            prefer: `count=${count}`,
          },
        },
      )
      expect([table, answer.headers.get('content-range'), await answer.text()]).toEqual([table, '*/0', '[]'])
    }
  },
)

test.each([
  ['brackets', '['.repeat(2_500_000)],
  ['objects', '{"a":'.repeat(500_000)],
  ['values', `[${'0,'.repeat(1_250_000)}0]`],
])('a body of %s is refused before it is parsed', async (_, body) => {
  const before = process.memoryUsage().rss
  const { status } = await sendRequest(backend, community, {
    method: 'POST',
    path: '/rest/v1/stories',
    headers: { 'content-type': 'application/json' },
    body,
  })
  expect(status).toBe(400)
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
})

const user = () => community.stranger.id

test.each<[string, string, string, () => object, string]>([
  ['a text', 'POST', 'posts', () => ({ user_id: user(), content: 'A'.repeat(1_000_000) }), 'PGRST102'],
  ['an id', 'POST', 'posts', () => ({ user_id: 'A'.repeat(1_000_000) }), 'PGRST102'],
  [
    'a text of a story',
    'POST',
    'stories',
    () => ({ user_id: user(), content: 'A'.repeat(2_000_000) }),
    'PGRST102',
  ],
  [
    'a picture of a post',
    'POST',
    'posts',
    () => ({ user_id: user(), image_url: 'A'.repeat(5_000_000) }),
    'PT413',
  ],
  [
    'pictures of ten posts',
    'POST',
    'posts',
    () => Array(10).fill({ user_id: user(), image_url: 'A'.repeat(500_000) }),
    'PT413',
  ],
  ['a text of a profile', 'PATCH', 'profiles?bio=is.null', () => ({ bio: 'A'.repeat(300_000) }), 'PT413'],
  ['an argument', 'POST', 'rpc/search_profiles', () => ({ query: 'ab '.repeat(100_000) }), 'PT413'],
])('%s of megabytes is refused before the database reads it', async (_, method, path, body, code) => {
  const { text } = await sendRequest(backend, community, {
    method,
    path: `/rest/v1/${path}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body()),
  })
  expect(JSON.parse(text)).toMatchObject({ code })
})
