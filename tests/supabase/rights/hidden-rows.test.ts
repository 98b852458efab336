import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FUNCTIONS, TABLES } from '#/backend/rest/rest-schema'
import type { Backend } from '#/backend/start/start-backend'
import type { RestRequest } from '#tests/backend/fuzz/requests'
import {
  HIDDEN_PLACE,
  HIDDEN_TAG,
  type PrivateCommunity,
  SECRET,
  startWithPrivateCommunity,
} from '#tests/backend/fuzz/secrets'
import { sendRequest } from '#tests/backend/fuzz/try-requests'

/**
 * A stranger guesses at every hidden row, in every request that the server accepts. Each response must be the one for a row
 * that does not exist.
 */

let backend: Backend
let community: PrivateCommunity
let dispose: () => Promise<void>
/** A conversation of the stranger. */
let own: string

beforeAll(async () => {
  ;({ backend, community, dispose } = await startWithPrivateCommunity())
  own = community.stranger.conversation
})
afterAll(() => dispose())

const KINDS = ['ada', 'ben', 'post', 'comment', 'story', 'conversation', 'message', 'photo'] as const
type Kind = (typeof KINDS)[number]

/** What a column of ids refers to; null if the ids are public or not ids. */
function kindOf(table: string, column: string): Kind | null {
  const kinds: [RegExp, Kind | null][] = [
    [/^profiles id$/, null],
    [/^(posts|post_media) id$|post_id$/, 'post'],
    [/^comments id$|comment_id$|parent_id$/, 'comment'],
    [/^stories id$|story_id$/, 'story'],
    [/^conversations id$|conversation_id$/, 'conversation'],
    [/^messages id$|reply_to_id$|message_id$/, 'message'],
    [/^message_media id$|media_id$/, 'photo'],
    [/^(activity|comments|messages|message_media|saved_posts) (user|sender)_id$/, 'ben'],
    [
      /(user|sender|recipient|actor|viewer|profile|owner|member|follower|following|muter|blocker|requester)_id$/,
      'ada',
    ],
    [/(participant_1|target_id|muted_id|blocked_id|tagged_user_id)$/, 'ada'],
  ]
  return kinds.find(([pattern]) => pattern.test(`${table} ${column}`))?.[1] ?? null
}

interface Guess {
  what: string
  kind: Kind
  request: (id: string) => RestRequest
}

const JSON_HEADERS = { 'content-type': 'application/json', prefer: 'count=exact,return=representation' }
/** Members cannot select all columns of the rows that they insert. */
const INSERT_HEADERS = { 'content-type': 'application/json', prefer: 'return=minimal' }

/** Members only insert into these tables. */
const UNREADABLE = ['reports']

/** Guesses of one method at all columns of ids. */
function guessesAtTables(method: 'GET' | 'DELETE' | 'PATCH', bodies: Record<string, object> = {}): Guess[] {
  const tables = [...TABLES].filter(([table]) => !UNREADABLE.includes(table))
  return tables.flatMap(([table, { columns }]) =>
    columns.flatMap((column) => {
      const kind = kindOf(table, column)
      const body = bodies[table]
      if (kind === null || (method === 'PATCH' && body === undefined)) return []
      const request = (id: string) => ({
        method,
        path: `/rest/v1/${table}?select=${column}&${column}=eq.${id}`,
        headers: JSON_HEADERS,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return [{ what: `${method} ${table}.${column}`, kind, request }]
    }),
  )
}

/** Guesses that insert a row which refers to a hidden one. */
function guessesByInserting(): Guess[] {
  const me = community.stranger.id
  const message = { conversation_id: own, sender_id: me, content: 'x' }
  const picture = 'data:image/png;base64,AAAA'
  const rows: [table: string, kind: Kind, row: (id: string) => object][] = [
    ['likes', 'post', (id) => ({ post_id: id, user_id: me })],
    ['saved_posts', 'post', (id) => ({ post_id: id, user_id: me })],
    ['comments', 'post', (id) => ({ post_id: id, user_id: me, content: 'x' })],
    [
      'comments',
      'comment',
      (id) => ({ post_id: community.stranger.post, parent_id: id, user_id: me, content: 'x' }),
    ],
    ['comment_likes', 'comment', (id) => ({ comment_id: id, user_id: me })],
    ['story_views', 'story', (id) => ({ story_id: id, viewer_id: me })],
    ['messages', 'conversation', (id) => ({ ...message, conversation_id: id })],
    ['messages', 'message', (id) => ({ ...message, reply_to_id: id })],
    ['messages', 'photo', (id) => ({ ...message, media_id: id })],
    ['messages', 'story', (id) => ({ ...message, story_id: id })],
    ['messages', 'post', (id) => ({ ...message, shared_post_id: id })],
    ['messages', 'story', (id) => ({ ...message, shared_story_id: id })],
    ['message_media', 'conversation', (id) => ({ sender_id: me, conversation_id: id, image_url: picture })],
    ['message_reactions', 'message', (id) => ({ message_id: id, member_id: me, emoji: '👍' })],
    ['reports', 'post', (id) => ({ reporter_id: me, post_id: id, reason: 'spam' })],
    ['notifications', 'post', (id) => ({ user_id: me, actor_id: me, type: 'like', post_id: id })],
    ['notifications', 'story', (id) => ({ user_id: me, actor_id: me, type: 'story', story_id: id })],
  ]
  return rows.map(([table, kind, row]) => ({
    what: `POST ${table}: ${Object.keys(row('')).join()}`,
    kind,
    request: (id) => ({
      method: 'POST',
      path: `/rest/v1/${table}`,
      headers: INSERT_HEADERS,
      body: JSON.stringify(row(id)),
    }),
  }))
}

/** Texts of arguments, with a hidden and an unknown value. */
const TEXTS: Record<string, [hidden: string, unknown: string][]> = {
  query: [
    [HIDDEN_TAG, 'zzzzzz'],
    [HIDDEN_TAG.slice(0, 3), 'zzz'],
    [HIDDEN_PLACE, 'Zzzzzz Zzzzzz'],
    [SECRET, 'zzzz zzzz'],
  ],
  topic_name: [
    [HIDDEN_TAG, 'zzzzzz'],
    [HIDDEN_PLACE.toLowerCase(), 'zzzzzz'],
  ],
}

/** Pairs of calls of a function, one with hidden values and one with unknown values. */
function functionGuesses(): { what: string; bodies: [object, object] }[] {
  const ids: Record<string, Kind[]> = {
    in_conversation: ['conversation'],
    before_id: ['post', 'conversation', 'message'],
  }
  const rest = { query: HIDDEN_TAG, before_at: new Date().toISOString(), in_folder: 'inbox' }
  return [...FUNCTIONS].flatMap(([name, { args: names }]) => {
    const fixed = Object.fromEntries(Object.entries(rest).filter(([key]) => names.includes(key)))
    return names.flatMap((argument) => {
      const kinds = argument === 'topic_name' ? ['hashtag', 'place'] : [null]
      const texts = (TEXTS[argument] ?? []).flatMap((pair) =>
        kinds.map((topic_kind) =>
          pair.map((text) => ({ ...fixed, ...(topic_kind !== null && { topic_kind }), [argument]: text })),
        ),
      )
      const rows = (ids[argument] ?? []).map((kind) =>
        [idOf(kind), randomUUID()].map((id) => ({ ...fixed, [argument]: id })),
      )
      return [...texts, ...rows].map((bodies) => ({
        what: `${name}(${JSON.stringify(bodies[0])})`,
        bodies: bodies as [object, object],
      }))
    })
  })
}

const idOf = (kind: Kind): string => community.ids[KINDS.indexOf(kind)] ?? ''

/** The responses to two requests, without the values in which the requests differ. */
async function responses(
  pairs: readonly (readonly [RestRequest, values: readonly string[]])[],
): Promise<string[]> {
  const found: string[] = []
  for (const [request, values] of pairs) {
    const { status, text } = await sendRequest(backend, community, request)
    expect(text).not.toContain(SECRET)
    // Ids and times of new rows differ by themselves.
    const shown = values.reduce((rest, value) => rest.replaceAll(value, 'VALUE'), text)
    found.push(`${status} ${shown.replaceAll(/[\da-f]{8}-[\da-f-]{27}|\d{4}-\d\d-\d\dT[\d:.+]+/g, '')}`)
  }
  return found
}

/** Nothing is deleted, or members cannot delete from this table. */
const REFUSED = /^200 \[\]$|^403 .*"42501"/

async function findDifferences(guesses: readonly Guess[]): Promise<object[]> {
  const different: object[] = []
  for (const { what, kind, request } of guesses) {
    const pairs = [idOf(kind), randomUUID()].map((id) => [request(id), [id]] as const)
    const [hidden, unknown] = await responses(pairs)
    // Another response would mean that the request is invalid for every id.
    const isExpected = what.startsWith('POST')
      ? /^40[34] /
      : what.startsWith('DELETE')
        ? REFUSED
        : /^200 \[\]$/
    if (hidden !== unknown || !isExpected.test(hidden ?? '')) different.push({ what, hidden, unknown })
  }
  return different
}

test('reads of every column of ids', async () => {
  const guesses = guessesAtTables('GET')
  expect(guesses.length).toBeGreaterThan(50)
  expect(await findDifferences(guesses)).toEqual([])
})

test('inserts, updates and deletions', async () => {
  const before = await community.storedRows()
  const guesses = [
    ...guessesByInserting(),
    ...guessesAtTables('DELETE'),
    ...guessesAtTables('PATCH', {
      posts: { content: 'x' },
      post_media: { alt_text: 'x' },
      notifications: { read: true },
      conversation_views: { pinned_at: null },
      messages: { read: true },
      message_reactions: { emoji: '❤️' },
    }),
    ...guessesAtTables('PATCH', { messages: { content: 'x' } }),
  ]
  expect(await findDifferences(guesses)).toEqual([])
  expect(await community.storedRows()).toBe(before)
})

test('functions, with ids and texts of hidden rows', async () => {
  const guesses = functionGuesses()
  expect(guesses.length).toBeGreaterThan(15)
  const different: object[] = []
  for (const { what, bodies } of guesses) {
    const [name = ''] = what.split('(')
    const pairs = bodies.map((body) => {
      const request = {
        method: 'POST',
        path: `/rest/v1/rpc/${name}`,
        headers: JSON_HEADERS,
        body: JSON.stringify(body),
      }
      return [request, Object.values(body)] as const
    })
    const [hidden, unknown] = await responses(pairs)
    if (hidden !== unknown || !hidden?.startsWith('200 ')) different.push({ what, hidden, unknown })
  }
  expect(different).toEqual([])
})

test('a mention in a hidden comment, a hidden hashtag and a hidden place show up nowhere', async () => {
  const calls = [
    'notification_groups',
    'unread_notifications',
    'popular_hashtags',
    'my_conversations',
    'explore_posts',
  ]
  for (const name of calls) {
    const request = { method: 'POST', path: `/rest/v1/rpc/${name}`, headers: JSON_HEADERS, body: '{}' }
    const { status, text } = await sendRequest(backend, community, request)
    expect([name, status]).toEqual([name, 200])
    for (const hidden of [HIDDEN_TAG, HIDDEN_PLACE, ...community.ids.slice(2)])
      expect(text).not.toContain(hidden)
  }
})
