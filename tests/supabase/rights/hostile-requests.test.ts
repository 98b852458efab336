import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Backend } from '#/backend/start/start-backend'
import { type PrivateCommunity, SECRET, startWithPrivateCommunity } from '#tests/backend/fuzz/secrets'
import { sendRequest } from '#tests/backend/fuzz/try-requests'
import { ownProcessorMs } from '#tests/backend/support/processor-time'

/** Maximum processor time of a rejection, in ms; on average it takes a few. */
const REFUSAL_MS = 1_000

let backend: Backend
let community: PrivateCommunity
let dispose: () => Promise<void>

beforeAll(async () => {
  ;({ backend, community, dispose } = await startWithPrivateCommunity())
  const { client, id } = community.stranger
  // A text on which the patterns below take minutes, and pictures that would fill the memory.
  const row = {
    user_id: id,
    content: 'a'.repeat(2_000),
    image_url: `data:image/png;base64,${'A'.repeat(2_000_000)}`,
  }
  for (let count = 0; count < 3; count += 1) {
    const { error } = await client.from('posts').insert(row)
    if (error !== null) throw new Error(error.message)
  }
})

afterAll(() => dispose())

const times = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index))

test.each<[string, string, Record<string, string>?]>([
  ['a regular expression on own rows', 'posts?content=match.^(a%2B)%2B$x'],
  ['a regular expression without case on own rows', 'posts?content=imatch.^(([a-z])%2B.)%2B[A-Z]$'],
  ['a negated regular expression', 'posts?content=not.match.^(a%2B)%2B$x'],
  ['a regular expression on several patterns', 'posts?content=match(any).{"^(a%2B)%2B$x"}'],
  ['a regular expression inside or', 'posts?or=(content.match.^a%2B$,id.is.null)'],
  ['a pattern with many wildcards on own rows', `posts?content=like.${'*a'.repeat(50)}*b`],
  ['a search with many wildcards', `profiles?full_name=ilike.${'*a'.repeat(50)}*b`],
  ['a text search', 'posts?content=fts.a'],
  ['a pattern on the password of accounts', 'profiles?password=like.a*'],
  ['200 aliases of one picture', `posts?select=${times(200, (index) => `a${index}:image_url`)}`],
  [
    '200 aliases of one picture beside all columns',
    `posts?select=*,${times(200, (index) => `a${index}:image_url`)}`,
  ],
  ['one picture beside 1,000 comments', 'comments?select=id,posts(image_url)'],
  ['logic trees 2,000 levels deep', `posts?or=${'(and'.repeat(2_000)}(id.is.null)${')'.repeat(2_000)}`],
  ['a logic tree with 1,000 filters', `posts?or=(${times(1_000, () => 'id.is.null')})`],
  ['500 parameters', `posts?${times(500, () => 'or=(id.is.null)').join('&')}`],
  ['a list of 10,000 ids', `posts?id=in.(${times(10_000, () => 'a')})`],
  ['lists of posts of authors of posts', 'posts?select=profiles(posts(profiles(posts(id))))'],
  ['lists of likes of comments', 'posts?select=likes(profiles(likes(posts(likes(user_id)))))'],
  ['one table embedded 50 times', `posts?select=${times(50, (index) => `a${index}:likes(user_id)`)}`],
  ['a JSON path', "posts?select=content->>'a'"],
  ['a JSON path as a filter', 'posts?content->a=eq.b'],
  ['a cast', 'posts?select=user_id::regclass'],
  ['an aggregate', 'posts?select=content.max(),user_id'],
  ['a function as a computed column', 'posts?select=posts_audience'],
  ['a query plan', 'posts?select=id', { accept: 'application/vnd.pgrst.plan+json' }],
  [
    'a query plan that is executed',
    'posts',
    { accept: 'application/vnd.pgrst.plan+text; options=analyze|buffers' },
  ],
  ['CSV', 'posts', { accept: 'text/csv' }],
  ['another schema', 'users', { 'accept-profile': 'auth' }],
  ['a range of rows', 'posts', { range: '0-999999999' }],
  ['a limit beyond the largest number', 'posts?limit=99999999999999999999'],
  ['the description of the interface', ''],
])('%s is refused at once', async (_, path, headers = {}) => {
  const start = ownProcessorMs()
  const { status, text } = await sendRequest(backend, community, {
    method: 'GET',
    path: `/rest/v1/${path}`,
    headers,
  })
  expect(ownProcessorMs() - start).toBeLessThan(REFUSAL_MS)
  expect([400, 404, 406, 414, 431]).toContain(status)
  expect(text.length).toBeLessThan(500)
  expect(text).not.toContain(SECRET)
  expect(await community.readAsFriend()).toEqual([SECRET])
})

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
  ['brackets', '['.repeat(5_000_000)],
  ['objects', '{"a":'.repeat(1_000_000)],
  ['values', `[${'0,'.repeat(5_000_000)}0]`],
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
    () => ({ user_id: user(), content: 'A'.repeat(20_000_000) }),
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
