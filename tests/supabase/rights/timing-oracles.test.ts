import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Backend } from '#/backend/start/start-backend'
import type { RestRequest } from '#tests/backend/fuzz/requests'
import { type PrivateCommunity, SECRET, startWithPrivateCommunity } from '#tests/backend/fuzz/secrets'
import { median } from '#tests/backend/support/median'
import { ownProcessorMs } from '#tests/backend/support/processor-time'

/** Timed requests per guess. */
const ATTEMPTS = 40

/** Maximum ratio of the medians: above the noise of a busy machine, but far below a scan or a pattern match. */
const RATIO_MAX = 1.6

/** Hidden rows that a range filter could distinguish. */
const HIDDEN_ROWS = 100

let backend: Backend
let community: PrivateCommunity
let dispose: () => Promise<void>

beforeAll(async () => {
  ;({ backend, community, dispose } = await startWithPrivateCommunity())
  const { ada, ben, conversation } = hidden()
  await backend.exclusive(() =>
    backend.maintenance.exec(`
      insert into posts (user_id, content) select '${ada}', 'hidden ' || n from generate_series(1, ${HIDDEN_ROWS}) n;
      insert into messages (conversation_id, sender_id, recipient_id, content)
        select '${conversation}', '${ada}', '${ben}', 'hidden ' || n from generate_series(1, ${HIDDEN_ROWS}) n;`),
  )
})

afterAll(() => dispose())

type Name = 'ada' | 'ben' | 'post' | 'comment' | 'story' | 'conversation' | 'message' | 'photo' | 'unknown'

/** Ids of rows that the stranger cannot see, and one that does not exist. */
function hidden(): Record<Name, string> {
  const [
    ada = '',
    ben = '',
    post = '',
    comment = '',
    story = '',
    conversation = '',
    message = '',
    photo = '',
  ] = community.ids
  return { ada, ben, post, comment, story, conversation, message, photo, unknown: randomUUID() }
}

/** A path to read, or a search for posts. */
type Guess = (ids: Record<Name, string>) => string | { query: string }

const idOf =
  (table: string, name: Name): Guess =>
  (ids) =>
    `${table}?select=id&id=eq.${ids[name]}`

const TEXT = encodeURIComponent(SECRET)

const READS: [string, Guess, Guess][] = [
  ['the id of a private post', idOf('posts', 'post'), idOf('posts', 'unknown')],
  ['the id of a comment on a private post', idOf('comments', 'comment'), idOf('comments', 'unknown')],
  ['the id of a message', idOf('messages', 'message'), idOf('messages', 'unknown')],
  ['the id of a story', idOf('stories', 'story'), idOf('stories', 'unknown')],
  ['the id of a conversation', idOf('conversations', 'conversation'), idOf('conversations', 'unknown')],
  ['the id of a photo in a message', idOf('message_media', 'photo'), idOf('message_media', 'unknown')],
  [
    'the text of a private post',
    ({ post }) => `posts?select=id&id=eq.${post}&content=eq.${TEXT}`,
    ({ post }) => `posts?select=id&id=eq.${post}&content=eq.${TEXT}x`,
  ],
  [
    'the text of any message of a member',
    ({ ada }) => `messages?select=id&sender_id=eq.${ada}&content=eq.${TEXT}`,
    ({ ada }) => `messages?select=id&sender_id=eq.${ada}&content=eq.${TEXT}x`,
  ],
  [
    'how many posts a private account has',
    ({ ada }) => `posts?select=id&user_id=eq.${ada}`,
    ({ unknown }) => `posts?select=id&user_id=eq.${unknown}`,
  ],
  [
    'how many messages a conversation has',
    ({ conversation }) => `messages?select=id&conversation_id=eq.${conversation}`,
    ({ unknown }) => `messages?select=id&conversation_id=eq.${unknown}`,
  ],
  [
    'who blocks whom',
    ({ ada }) => `blocks?select=blocker_id&blocker_id=eq.${ada}`,
    ({ unknown }) => `blocks?select=blocker_id&blocker_id=eq.${unknown}`,
  ],
  ['a word of a hundred private posts', () => ({ query: 'hidden' }), () => ({ query: 'hiddem' })],
]

/** Pairs that repeat another pair on another table. */
const VARIANTS = new Set([
  'the id of a comment on a private post',
  'the id of a story',
  'the id of a conversation',
  'the id of a photo in a message',
  'the text of any message of a member',
  'how many messages a conversation has',
  'who blocks whom',
])

/** Sends a request as the stranger; returns the response and the processor time it took, in ms. */
async function ask({ method, path, headers, body }: RestRequest) {
  const start = ownProcessorMs()
  const answer = await fetch(`${backend.url}/rest/v1/${path}`, {
    method,
    headers: {
      ...headers,
      apikey: backend.publishableKey,
      authorization: `Bearer ${community.stranger.token}`,
    },
    ...(body !== undefined && { body }),
  })
  const text = await answer.text()
  const ms = ownProcessorMs() - start
  const names = ['content-range', 'content-length', 'content-type', 'location', 'preference-applied']
  const shown = names.map((name) => answer.headers.get(name))
  return { response: JSON.stringify([answer.status, shown, text]), ms }
}

for (const [what, right, wrong] of READS) {
  const tags = VARIANTS.has(what) ? ['long'] : []
  test(`${what}: a right and a wrong guess are indistinguishable`, { tags }, () => compare(right, wrong))
}

async function compare(right: Guess, wrong: Guess): Promise<void> {
  const ids = hidden()
  const headers = { prefer: 'count=exact' }
  const guesses = [right(ids), wrong(ids)].map((guess) =>
    typeof guess === 'string'
      ? { method: 'GET', path: guess, headers }
      : {
          method: 'POST',
          path: 'rpc/search_posts?select=id',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(guess),
        },
  )
  const responses = new Set<string>()
  const times = guesses.map((): number[] => [])
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    for (const [guess, request] of guesses.entries()) {
      const { response, ms } = await ask(request)
      responses.add(response)
      times[guess]?.push(ms)
    }
  }
  expect([...responses]).toEqual([expect.stringContaining('"[]"')])
  const [rightMs = Number.NaN, wrongMs = Number.NaN] = times.map(median)
  expect(rightMs / wrongMs).toBeLessThan(RATIO_MAX)
  expect(wrongMs / rightMs).toBeLessThan(RATIO_MAX)
}

test.each(['posts', 'messages', 'comments', 'stories'])(
  'a range of hidden texts of %s is refused, whatever they are',
  async (table) => {
    for (const filter of ['gt', 'gte', 'lt', 'lte', 'not.gt']) {
      const guesses = ['hidden 1', 'zzz'].map((text) => `${table}?select=id&content=${filter}.${text}`)
      const answers = await Promise.all(guesses.map((path) => ask({ method: 'GET', path, headers: {} })))
      expect(answers.map(({ response }) => response)).toEqual([
        expect.stringMatching(/^\[400,/),
        answers[0]?.response,
      ])
    }
  },
)

test.each<
  [
    string,
    string,
    (ids: Record<Name, string>) => string,
    (ids: Record<Name, string>, id: string) => object | undefined,
    Name,
  ]
>([
  ['changing a post', 'PATCH', ({ post }) => `posts?id=eq.${post}`, () => ({ content: 'changed' }), 'post'],
  ['deleting a post', 'DELETE', ({ post }) => `posts?id=eq.${post}`, () => undefined, 'post'],
  [
    'liking a post',
    'POST',
    () => 'likes',
    (_, id) => ({ user_id: community.stranger.id, post_id: id }),
    'post',
  ],
  [
    'saving a post',
    'POST',
    () => 'saved_posts',
    (_, id) => ({ user_id: community.stranger.id, post_id: id }),
    'post',
  ],
  [
    'commenting on a post',
    'POST',
    () => 'comments',
    (_, id) => ({ user_id: community.stranger.id, post_id: id, content: 'x' }),
    'post',
  ],
  [
    'writing in a conversation',
    'POST',
    () => 'messages',
    (_, id) => ({ conversation_id: id, sender_id: community.stranger.id, content: 'x' }),
    'conversation',
  ],
])(
  '%s that is hidden gets the same response as for one that does not exist',
  async (_, method, path, body, name) => {
    const ids = hidden()
    const responses = await Promise.all(
      [ids[name], ids.unknown].map(async (id) => {
        const content = body(ids, id)
        const { response } = await ask({
          method,
          path: path({ ...ids, [name]: id }),
          headers: { 'content-type': 'application/json' },
          ...(content !== undefined && { body: JSON.stringify(content) }),
        })
        return response.replaceAll(id, 'ID')
      }),
    )
    expect(responses[0]).toBe(responses[1])
  },
)
