import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { countTopicPosts } from '#/renderer/features/explore/queries'
import { loadFolders } from '#/renderer/features/messages/queries/folders'
import { countUnreadConversations } from '#/renderer/features/messages/queries/live'
import { countUnread } from '#/renderer/features/notifications/queries'
import { loadMutedIds } from '#/renderer/features/safety/queries'
import { splitRichText } from '#/renderer/lib/content/rich-text'
import { ROWS_MOST } from '#/renderer/lib/server/checks/checked-values'
import { RealtimeClient as RealtimeLater } from '#/renderer/lib/server/realtime-later'
import { connectSupabase, loadRealtime, supabase, unwrap } from '#/renderer/lib/server/supabase'
import { TEXT_LIMITS } from '#/shared/limits'

vi.mock('#/renderer/lib/core/logger', () => ({ logFailure: vi.fn() }))

const ID = '00000000-0000-4000-8000-000000000001'
/** What the server sends, as JSON. */
let text = ''

beforeEach(() => {
  vi.stubGlobal('WebSocket', WebSocket)
  vi.stubGlobal('fetch', async () => new Response(text, { headers: { 'content-type': 'application/json' } }))
  connectSupabase(
    {
      kind: 'chosen',
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
    { onSocketClosed: () => undefined, onSlowResponse: () => undefined, onSessionRefused: () => undefined },
  )
})

afterEach(async () => {
  await supabase().auth.stopAutoRefresh()
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
    text = `[{"id":"${ID}","like_count":${count},"author":{"post_count":${count},"name":"3"}}]`
    expect(await rows()).toEqual([{ id: ID, like_count: 0, author: { post_count: 0, name: '3' } }])
  })

  test('true counts and rows nested deeper than the stack stay as they are', async () => {
    text = `[{"id":"${ID}","like_count":7,"author":{"post_count":null}}]`
    expect(await rows()).toEqual([{ id: ID, like_count: 7, author: { post_count: null } }])
    text = `[{"id":"${ID}","deep":${'['.repeat(200_000)}{"like_count":"x"}${']'.repeat(200_000)}}]`
    let inner: unknown = Object.values((await rows())[0] ?? {})[1]
    while (Array.isArray(inner)) inner = inner[0]
    expect(inner).toEqual({ like_count: 0 })
  })
})

test('a text that is longer than any the database accepts is cut before links are looked for in it', async () => {
  const endless = 'https://a.b/('.repeat(80_000)
  const longest = '🙂'.repeat(TEXT_LIMITS.message)
  text = JSON.stringify([{ id: ID, content: endless, location: longest, author: { full_name: endless } }])
  const rows = await unwrap(
    supabase().from('posts').select('id,content,location,author:profiles!posts_user_id_fkey(full_name)'),
  )
  const cut = endless.slice(0, longest.length)
  expect(rows).toEqual([{ id: ID, content: cut, location: longest, author: { full_name: cut } }])
  expect(splitRichText(cut).length).toBeGreaterThan(1)
})

test('lists that are longer than any that was asked for are cut before they are drawn', async () => {
  const [members, photos] = [ROWS_MOST + 1, 2 * ROWS_MOST].map((length) =>
    Array.from({ length }, () => ({ id: ID })),
  )
  text = JSON.stringify([{ id: ID, photos: [{ id: ID, parts: photos }] }, ...(members ?? [])])
  const rows = await unwrap(supabase().rpc('search_profiles', { query: 'a' }))
  expect(rows).toHaveLength(ROWS_MOST)
  expect(rows[0]).toEqual({ id: ID, photos: [{ id: ID, parts: photos?.slice(0, ROWS_MOST) }] })
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
    photos: [{ position: 1, width: 4, height: 3, camera: { camera: 'X' } }],
    my_like: [],
  }
  const rows = () => unwrap(supabase().from('posts').select('id,content'))

  test('the right ones are taken, of rows and of one row, and what has no columns', async () => {
    const story = { id: ID, media_type: 'image', content: null }
    const group = { group_key: 'like', actor_count: 1, content: null, actors: null }
    for (const answer of [[right], [story], [group], [], right, null, 7, true, 'mara']) {
      text = JSON.stringify(answer)
      expect(await rows()).toEqual(answer)
    }
  })

  test.each<[string, unknown]>([
    ['a row that is null', null],
    ['a row that is a list', [right]],
    ['a row that is a text', 'x'],
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
    ['photos that are an object', { ...right, photos: {} }],
    ['photos that are null', { ...right, photos: [null] }],
    ['a photo without a width', { ...right, photos: [{ ...right.photos[0], width: null }] }],
    ['no list of photos', { ...right, photos: null }],
    ['a like that is a number', { ...right, my_like: 1 }],
  ])('%s fails like a server that is down', async (_, wrong) => {
    text = JSON.stringify([right, wrong])
    await expect(rows()).rejects.toMatchObject({ name: 'AppError', code: 'server' })
  })
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

test('a message of the live connection over a megabyte is ignored, and smaller ones arrive', async () => {
  const client = supabase()
  // As in the build.
  Object.assign(client, {
    realtime: new RealtimeLater(client.realtime.endPoint, { params: { apikey: 'key' } }),
  })
  await loadRealtime()
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
