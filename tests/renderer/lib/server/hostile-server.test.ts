import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { countTopicPosts } from '#/renderer/features/explore/queries'
import { loadFolders } from '#/renderer/features/messages/queries/folders'
import { countUnreadConversations } from '#/renderer/features/messages/queries/live'
import { countUnread } from '#/renderer/features/notifications/queries'
import { loadMutedIds } from '#/renderer/features/safety/queries'
import { splitRichText } from '#/renderer/lib/content/rich-text'
import { PILE, ROWS_MOST } from '#/renderer/lib/server/checks/checked-answer'
import { RESULTS } from '#/renderer/lib/server/checks/row-forms'
import { RealtimeClient as RealtimeLater } from '#/renderer/lib/server/realtime-later'
import {
  connectSupabase,
  loadRealtime,
  supabase,
  unwrap,
  unwrapWithCount,
} from '#/renderer/lib/server/supabase'
import type { Database } from '#/shared/database.types'
import { TEXT_LIMITS } from '#/shared/limits'
import { stopRefreshing } from '#tests/renderer/stop-refresh'

const ID = '00000000-0000-4000-8000-000000000001'
/** What the server sends, as JSON. */
let text = ''

beforeEach(() => {
  vi.stubGlobal('WebSocket', WebSocket)
  vi.stubGlobal('fetch', async () => new Response(text, { headers: { 'content-type': 'application/json' } }))
  connectSupabase(
    {
      // A write to another server adds up counters a second later, when the next file's `fetch` is in place.
      kind: 'embedded',
      url: 'http://127.0.0.1:1',
      publishableKey: 'key',
      storageKey: 'chosen',
      demo: [],
      mailFile: null,
    },
    {
      getItem: async () => null,
      setItem: async () => undefined,
      removeItem: async () => undefined,
      persistence: async () => 'browser',
      keepAnyway: async () => undefined,
    },
    {
      onSocketClosed: () => undefined,
      onSlowResponse: () => undefined,
      onSessionRefused: () => undefined,
      onOthersSession: () => undefined,
      onSignedOut: () => undefined,
      onVersions: () => undefined,
    },
  )
})

afterEach(async () => {
  await stopRefreshing(supabase().auth)
  vi.unstubAllGlobals()
})

/** JSON texts that are no counts. */
const WRONG = [
  '{}',
  '{"a":[]}',
  '[]',
  '[3]',
  '"3"',
  '"NaN"',
  'true',
  'null',
  '-1',
  '1.5',
  '1e400',
  '-1e400',
  '9e16',
  '1e-3',
]

describe.each<[string, () => Promise<unknown>, (count: string) => string]>([
  ['unread notifications', countUnread, (count) => count],
  ['unread conversations', countUnreadConversations, (count) => count],
  ['posts of a hashtag', () => countTopicPosts('hashtag', 'sea'), (count) => count],
  ['requests', loadFolders, (count) => `[{"folder":"requests","conversations":${count}}]`],
])('a server that sends a wrong count of %s', (_, load, body) => {
  test.each(WRONG)('%s is a failure of the server', async (count) => {
    text = body(count)
    // A folder without a number has no conversations.
    if (count === 'null' && load === loadFolders) expect(await load()).toEqual({ requests: 0, archived: 0 })
    else await expect(load()).rejects.toMatchObject({ name: 'AppError', code: 'server' })
  })

  test('a count is taken', async () => {
    text = body('3')
    expect([3, { requests: 3, archived: 0 }]).toContainEqual(await load())
  })
})

describe('a server that sends a wrong count in a row', () => {
  const rows = () =>
    unwrap(supabase().from('posts').select('id,like_count,author:profiles!posts_user_id_fkey(post_count)'))

  test.each(WRONG.filter((count) => count !== 'null'))('%s becomes zero', async (count) => {
    text = `[{"id":"${ID}","like_count":${count},"author":{"post_count":${count}}}]`
    expect(await rows()).toEqual([{ id: ID, like_count: 0, author: { post_count: 0 } }])
  })

  test('true counts stay; what was not asked for is left out, also nested deeper than the stack', async () => {
    text = `[{"id":"${ID}","like_count":7,"author":{"post_count":null,"bio":7}}]`
    expect(await rows()).toEqual([{ id: ID, like_count: 7, author: { post_count: null } }])
    text = `[{"id":"${ID}","like_count":7,"author":{"post_count":3},"deep":${'['.repeat(200_000)}${']'.repeat(200_000)}}]`
    expect(await rows()).toEqual([{ id: ID, like_count: 7, author: { post_count: 3 } }])
  })
})

test('a single text is cut as in a row', async () => {
  text = JSON.stringify('x'.repeat(30_000))
  const name = await unwrap(supabase().rpc('renamed_to', { name: 'mara' }))
  expect(name).toBe('x'.repeat(200))
})

const ENDLESS = 'https://a.b/('.repeat(80_000)
/** What is left of it in a column that takes so many characters, each of up to two code units. */
const cutAt = (characters: number) => ENDLESS.slice(0, 2 * characters)
const PERSON = { username: ENDLESS, full_name: ENDLESS }
const CUT_PERSON = { username: cutAt(30), full_name: cutAt(80) }

test('a text that is longer than its column takes is cut before links are looked for in it', async () => {
  const longest = '🙂'.repeat(TEXT_LIMITS.location)
  text = JSON.stringify([{ id: ID, content: ENDLESS, location: longest, author: PERSON }])
  const posts = await unwrap(
    supabase()
      .from('posts')
      .select('id,content,location,author:profiles!posts_user_id_fkey(username,full_name)'),
  )
  const cut = cutAt(2_200)
  expect(posts).toEqual([{ id: ID, content: cut, location: longest, author: CUT_PERSON }])
  expect(splitRichText(cut).length).toBeGreaterThan(1)
})

test('a text is as long as the table, embedded table or function takes that it is of', async () => {
  const message = { id: ID, created_at: '2026-05-02T10:00:00Z', content: ENDLESS }
  text = JSON.stringify([{ content: ENDLESS }])
  expect(await unwrap(supabase().from('posts').select('content'))).toEqual([{ content: cutAt(2_200) }])
  expect(await unwrap(supabase().rpc('explore_posts').select('content'))).toEqual([{ content: cutAt(2_200) }])
  expect(await unwrap(supabase().from('comments').select('content'))).toEqual([{ content: cutAt(1_000) }])
  expect(await unwrap(supabase().from('messages').select('content'))).toEqual([{ content: cutAt(4_000) }])
  text = JSON.stringify([{ name: ENDLESS, latest: [message] }])
  const conversations = supabase()
    .from('conversations')
    .select('name,latest:messages!messages_conversation_id_fkey(id,created_at,content)')
  expect(await unwrap(conversations)).toEqual([
    { name: cutAt(80), latest: [{ ...message, content: cutAt(4_000) }] },
  ])
  text = JSON.stringify([
    { ...message, sender_id: ID, conversation_id: ID, is_match: true, is_last_read: true },
  ])
  const [found] = await unwrap(supabase().rpc('search_messages', {} as never))
  expect(found?.content).toBe(cutAt(4_000))
})

test('FEED-14 the captions of a video are not cut before they are too long for the database', async () => {
  text = JSON.stringify([{ captions: ENDLESS }])
  const [media] = await unwrap(supabase().from('post_media').select('captions'))
  expect(media?.captions).toBe(cutAt(30_000))
})

test('marks piled on a letter, which take long to lay out, are cut; all other characters stay', async () => {
  const most = `a${'\u0310'.repeat(250)}`
  const content = `${most}${'\u0301'.repeat(2_000)}b${most} 👩‍👩‍👧 नमस्ते`
  text = JSON.stringify([{ id: ID, content, alt_text: most }])
  const rows = await unwrap(supabase().from('posts').select('id,content,alt_text'))
  expect(rows).toEqual([{ id: ID, content: `${most}b${most} 👩‍👩‍👧 नमस्ते`, alt_text: most }])
})

test('marks of direction beyond 250, each of which is laid out for itself, are cut', async () => {
  const content = `a${'\u200f\u200e'.repeat(1_990)}`
  text = JSON.stringify([{ id: ID, content }])
  expect(await unwrap(supabase().from('messages').select('id,content'))).toEqual([
    { id: ID, content: `a${'\u200f\u200e'.repeat(125)}` },
  ])
})

test('too many marks are looked for only where marks begin: from each of 249 it took 10 ms of a message', () => {
  const marks = `a${'\u0310'.repeat(600)}b`
  const isFoundAt = (at: number) => {
    const pile = new RegExp(PILE, 'uy')
    pile.lastIndex = at
    return pile.test(marks)
  }
  expect([0, 1, 2, 300].map(isFoundAt)).toEqual([false, true, false, false])
})

test('a text in the details of a camera is cut too', async () => {
  text = JSON.stringify([{ camera: { lens: 'x'.repeat(900_000), camera: 7 } }])
  const [photo] = await unwrap(supabase().from('post_media').select('camera'))
  expect(photo).toEqual({ camera: { lens: 'x'.repeat(2 * TEXT_LIMITS.cameraDetail), camera: 7 } })
})

test('lists that are longer than any that was asked for are cut before they are drawn', async () => {
  const media = Array.from({ length: 2 * ROWS_MOST }, (_, position) => ({ position }))
  const posts = Array.from({ length: ROWS_MOST + 1 }, () => ({ id: ID, media: [] }))
  text = JSON.stringify([{ id: ID, media }, ...posts])
  const rows = await unwrap(supabase().from('posts').select('id,media:post_media(position)'))
  expect(rows).toHaveLength(ROWS_MOST)
  expect(rows[0]).toEqual({ id: ID, media: media.slice(0, ROWS_MOST) })
})

test('MSG-11 of the reactions to a message a hundred are taken, and a wrong one is a failure of the server', async () => {
  const messages = () =>
    unwrap(supabase().from('messages').select('id,reactions:message_reactions(member_id,emoji)'))
  const reactions = Array.from({ length: 200 }, (_, n) => ({ member_id: `m${n}`, emoji: '👍', more: 'x' }))
  text = JSON.stringify([{ id: ID, reactions }])
  const [message] = await messages()
  expect(message?.reactions).toHaveLength(100)
  expect(message?.reactions[0]).toEqual({ member_id: 'm0', emoji: '👍' })
  for (const wrong of [null, {}, [null], [{ member_id: ID, emoji: null }], [{ emoji: '👍' }]]) {
    text = JSON.stringify([{ id: ID, reactions: wrong }])
    await expect(messages()).rejects.toMatchObject({ name: 'AppError', code: 'server' })
  }
})

test('MEDIA-07 a picture that is unsafe to decode is replaced at every depth of a response', async () => {
  const broken = 'data:image/png;base64,AAAA'
  text = JSON.stringify([{ id: ID, image_url: broken, author: { avatar_url: broken, username: 'mara' } }])
  const rows = supabase()
    .from('posts')
    .select('id,image_url,author:profiles!posts_user_id_fkey(avatar_url,username)')
  expect(await unwrap(rows)).toEqual([
    { id: ID, image_url: 'data:,', author: { avatar_url: null, username: 'mara' } },
  ])
})

describe('a server that sends a wrong form', () => {
  const right = {
    id: ID,
    user_id: ID,
    content: 'Fog',
    location: null,
    image_width: 3,
    created_at: '2026-05-02T10:00:00.123456+00:00',
    edited_at: null,
    like_count: 1,
    author: { id: ID, username: 'mara', full_name: '', is_private: false, avatar_path: null },
    media: [{ position: 1, width: 4, height: 3, camera: { camera: 'X' } }],
    my_like: [],
  }
  const posts = () =>
    supabase()
      .from('posts')
      .select(
        'id,user_id,content,location,image_width,created_at,edited_at,like_count,author:profiles!posts_user_id_fkey(id,username,full_name,is_private,avatar_path),media:post_media(position,width,height,camera),my_like:likes(user_id)',
      )
  const rows = () => unwrap(posts())

  test('the right ones are taken, of rows and of one row', async () => {
    for (const answer of [[right], []]) {
      text = JSON.stringify(answer)
      expect(await rows()).toEqual(answer)
    }
    text = JSON.stringify(right)
    expect(await unwrap(posts().single())).toEqual(right)
    text = JSON.stringify([right])
    expect(await unwrap(posts().maybeSingle())).toEqual(right)
    text = '[]'
    expect(await unwrap(posts().maybeSingle())).toBeNull()
    text = JSON.stringify([{ id: ID, media_type: 'image', content: null }])
    const stories = await unwrap(supabase().from('stories').select('id,media_type,content'))
    expect(stories).toEqual([{ id: ID, media_type: 'image', content: null }])
  })

  test.each<[string, unknown]>([
    ['a row that is null', null],
    ['a row that is a list', [right]],
    ['a row that is a text', 'x'],
    ['nothing', {}],
    ['no author at all', { ...right, author: undefined }],
    ['no like at all', { ...right, my_like: undefined }],
    ['no text, but the columns of a story', { ...right, content: null, media_type: 'image' }],
    ['no id', { ...right, id: null }],
    ['an id that is an object', { ...right, id: { x: [] } }],
    ['a text that is an object', { ...right, content: { a: 1 } }],
    ['no text', { ...right, content: null }],
    ['a text that is a number', { ...right, location: 7 }],
    ['a time that is none', { ...right, created_at: 'not a date' }],
    ['a time without a year', { ...right, created_at: '7' }],
    ['a time beyond all years', { ...right, created_at: '+275760-09-14T00:00:00Z' }],
    ['no time', { ...right, created_at: null }],
    ['a later time that is a list', { ...right, edited_at: [] }],
    ['a width that is no integer', { ...right, image_width: 1e308 }],
    ['no author', { ...right, author: null }],
    ['an author that is a list', { ...right, author: [right.author] }],
    ['an author without a name', { ...right, author: { ...right.author, username: null } }],
    ['a privacy that is a text', { ...right, author: { ...right.author, is_private: 'no' } }],
    ['media that are an object', { ...right, media: {} }],
    ['media that are null', { ...right, media: [null] }],
    ['a photo without a width', { ...right, media: [{ ...right.media[0], width: null }] }],
    ['no list of media', { ...right, media: null }],
    ['a like that is a number', { ...right, my_like: 1 }],
  ])('%s fails like a server that is down', async (_, wrong) => {
    text = JSON.stringify([right, wrong])
    await expect(rows()).rejects.toMatchObject({ name: 'AppError', code: 'server' })
  })
})

type Name = keyof typeof RESULTS
type Call = keyof Database['public']['Functions']

/** What every kind of request expects, of a table and of all functions. */
const REQUESTS: [string, () => PromiseLike<{ data: unknown; error: unknown; status: number }>, unknown][] = [
  [
    'rows of a table',
    () => supabase().from('profiles').select('id,username'),
    [{ id: ID, username: 'mara' }],
  ],
  ['one row of a table', () => supabase().from('profiles').select('id').eq('id', ID).single(), { id: ID }],
  [
    'one row of a table or none',
    () => supabase().from('profiles').select('id').eq('id', ID).maybeSingle(),
    [{ id: ID }],
  ],
  [
    'a written row',
    () =>
      supabase().from('follows').insert({ follower_id: ID, following_id: ID }).select('created_at').single(),
    { created_at: '2026-05-02T10:00:00Z' },
  ],
  ...Object.keys(RESULTS).map((name): (typeof REQUESTS)[number] => [
    `the result of ${name}`,
    () => supabase().rpc(name as Call, {} as never),
    exampleOf(name as Name),
  ]),
]

/** A right result of a function. */
function exampleOf(name: Name): unknown {
  const result = RESULTS[name]
  if (typeof result === 'string')
    return { yes: true, number: 7, 'number?': 7, text: 'x', 'text?': 'x', nothing: null }[result]
  const value = (column: string) => {
    if (column.endsWith('_at')) return '2026-05-02T10:00:00Z'
    if (column === 'avatar_url') return null
    if (column === 'conversations' || column.endsWith('_count')) return 7
    if (column === 'actors')
      return [{ id: ID, username: 'mara', avatar_url: null, avatar_path: null, is_private: false }]
    return ['read', 'is_match', 'is_last_read', 'is_current'].includes(column) ? true : 'x'
  }
  return [Object.fromEntries(result.map((column) => [column, value(column)]))]
}

const HOSTILE = [null, 7, true, 'x', {}, { a: [] }, [null], [7], ['x'], [[]], [{}], [[{}]]]

describe.each(REQUESTS)('%s', (_, request, right) => {
  const isValue = right === null || typeof right !== 'object' || Object.keys(right).length === 0

  test('a right answer is taken', async () => {
    text = JSON.stringify(right)
    const isOneOfList = Array.isArray(right) && !Array.isArray(await unwrap(request()))
    expect(await unwrap(request())).toEqual(isOneOfList ? right[0] : right)
  })

  test('an answer of another kind is a failure of the server, or is not passed on', async () => {
    for (const wrong of HOSTILE) {
      text = JSON.stringify(wrong)
      const passed = await unwrap(request()).catch((cause: unknown) => {
        expect(cause, text).toMatchObject({ name: 'AppError', code: 'server' })
        return null
      })
      // Only one row or none may be null; a value stays of its type.
      expect(passed === null || (isValue && typeof passed === typeof right), `${text} is passed on`).toBe(
        true,
      )
    }
  })

  test('a row without a column is a failure of the server', async () => {
    const [row] = [right].flat()
    for (const column of isValue ? [] : Object.keys(Object(row))) {
      const { [column]: _left, ...rest } = Object(row)
      text = JSON.stringify(Array.isArray(right) ? [rest] : rest)
      await expect(unwrap(request()), column).rejects.toMatchObject({ name: 'AppError', code: 'server' })
    }
  })
})

test('what a server sends in answer to a write that asks for nothing is dropped', async () => {
  for (const wrong of HOSTILE) {
    text = JSON.stringify(wrong)
    expect(await unwrap(supabase().from('mutes').delete().eq('muter_id', ID))).toBeNull()
  }
})

test('a failure whose text is null is no success', async () => {
  vi.stubGlobal('fetch', async () => new Response('null', { status: 503 }))
  const write = supabase().from('mutes').insert({ muter_id: ID, muted_id: ID })
  await expect(unwrap(write)).rejects.toMatchObject({ name: 'AppError', code: 'server' })
})

test('the number of all rows is a count, or a failure of the server', async () => {
  const rows = () => unwrapWithCount(supabase().from('story_views').select('viewer_id', { count: 'exact' }))
  const answer = (range: string) =>
    vi.stubGlobal('fetch', async () => new Response('[]', { headers: { 'content-range': range } }))
  answer('*/3')
  expect(await rows()).toEqual({ rows: [], count: 3 })
  for (const range of ['*/-1', '*/x', '*/']) {
    answer(range)
    await expect(rows(), range).rejects.toMatchObject({ name: 'AppError', code: 'server' })
  }
})

test('a server that sends full pages for ever is asked a limited number of times', async () => {
  let requests = 0
  text = JSON.stringify(
    Array.from({ length: 1_000 }, () => ({ muted_id: ID, created_at: '2026-05-02T10:00:00Z' })),
  )
  const send = fetch
  vi.stubGlobal('fetch', (...request: Parameters<typeof fetch>) => {
    requests += 1
    return send(...request)
  })
  expect(new Set(await loadMutedIds(ID))).toEqual(new Set([ID]))
  expect(requests).toBe(100)
})

describe('a server that sends a wrong session', () => {
  const user = { id: ID, email: 'mara@example.com', user_metadata: {} }
  const session = { access_token: 'a.b.c', refresh_token: 'r', token_type: 'bearer', expires_in: 3_600, user }
  const signIn = () =>
    unwrap(supabase().auth.signInWithPassword({ email: 'mara@example.com', password: 'x' }))

  test('a right one signs in', async () => {
    text = JSON.stringify(session)
    expect((await signIn()).user?.id).toBe(ID)
    text = JSON.stringify(user)
    expect((await unwrap(supabase().auth.getUser('a.b.c'))).user.id).toBe(ID)
  })

  test.each<[string, unknown]>([
    ['no object', 'session'],
    ['a list', [session]],
    ['no token', { ...session, access_token: undefined, user: undefined }],
    ['a token that is an object', { ...session, access_token: {} }],
    ['a token that is longer than any', { ...session, access_token: `a.${'b'.repeat(16_384)}.c` }],
    ['a refresh token that is a number', { ...session, refresh_token: 7 }],
    ['a time that is a text', { ...session, expires_in: '3600' }],
    ['a negative time', { ...session, expires_in: -1 }],
    ['an end that is a list', { ...session, expires_at: [] }],
    ['no account', { ...session, user: null }],
    ['an account whose id leads elsewhere', { ...session, user: { ...user, id: `${ID}&select=*` } }],
    ['an account whose id is an object', { ...session, user: { ...user, id: {} } }],
  ])('%s fails like a server that is down', async (_, wrong) => {
    text = JSON.stringify(wrong)
    await expect(signIn()).rejects.toMatchObject({ name: 'AppError', code: 'server' })
  })

  test('text that is no JSON fails in the same way', async () => {
    text = '<html>'
    await expect(signIn()).rejects.toMatchObject({ code: 'server', message: '' })
    await expect(unwrap(supabase().auth.getUser('a.b.c'))).rejects.toMatchObject({ code: 'server' })
  })
})

/** The client as in the build, which loads the one of the live connection later. */
async function liveClient() {
  const client = supabase()
  const { endPoint } = client.realtime
  Object.assign(client, { realtime: new RealtimeLater(endPoint, { params: { apikey: 'key' } }) })
  await loadRealtime()
  return client
}

test('a message of the live connection over a megabyte is ignored, and smaller ones arrive', async () => {
  const client = await liveClient()
  const arrived: unknown[] = []
  const receive = (payload: string) => {
    const frame = JSON.stringify([null, null, 'member:1', 'broadcast', { payload }])
    client.realtime.decode(frame, (message) => arrived.push(message))
  }
  receive('x'.repeat(1_000_001))
  expect(arrived).toEqual([])
  receive('x'.repeat(900_000))
  expect(arrived).toHaveLength(1)
})

test('a message of the live connection about who is present is ignored elsewhere than in a conversation, and if it is too large', async () => {
  const client = await liveClient()
  const arrived: unknown[] = []
  const present = (topic: string, people: number) => {
    const joins = Object.fromEntries(
      Array.from({ length: people }, (_, index) => [`m${index}`, { metas: [{ phx_ref: String(index) }] }]),
    )
    const frame = JSON.stringify([null, null, topic, 'presence_diff', { joins, leaves: {} }])
    client.realtime.decode(frame, (message) => arrived.push(message))
  }
  const room = client.channel('room:1:0')
  client.channel('member:1')
  present('realtime:member:1', 1)
  present('realtime:room:2:0', 1)
  present('realtime:room:1:0', 1_000)
  expect(arrived).toEqual([])
  present('realtime:room:1:0', 2)
  expect(arrived).toHaveLength(1)
  const metas = Array.from({ length: 600 }, (_, index) => ({ presence_ref: String(index) }))
  vi.spyOn(room, 'presenceState').mockReturnValue({ m1: metas })
  present('realtime:room:1:0', 2)
  expect(arrived).toHaveLength(1)
})

test('a message of the live connection with tens of thousands of values is ignored', async () => {
  const client = await liveClient()
  const arrived: unknown[] = []
  for (const values of [10_000, 21_000]) {
    const frame = JSON.stringify([null, null, 'member:1', 'broadcast', Array(values).fill(0)])
    client.realtime.decode(frame, (message) => arrived.push(message))
  }
  expect(arrived).toHaveLength(1)
})
