import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { countTopicPosts } from '#/renderer/features/explore/queries'
import { loadFolders } from '#/renderer/features/messages/queries/folders'
import { countUnreadConversations } from '#/renderer/features/messages/queries/live'
import { countUnread } from '#/renderer/features/notifications/queries'
import { ROWS_MOST } from '#/renderer/lib/checked-values'
import { RealtimeClient as RealtimeLater } from '#/renderer/lib/realtime-later'
import { splitRichText } from '#/renderer/lib/rich-text'
import { connectSupabase, loadRealtime, supabase, unwrap } from '#/renderer/lib/supabase'
import { TEXT_LIMITS } from '#/shared/limits'

vi.mock('#/renderer/lib/logger', () => ({ logFailure: vi.fn() }))

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
    text = `${'['.repeat(200_000)}{"like_count":"x"}${']'.repeat(200_000)}`
    let inner: unknown = await rows()
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
