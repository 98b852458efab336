import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkQuery, type Query } from '#/backend/rest/check-query'
import { readRestCall } from '#/backend/rest/rest-request'
import { REST_LIMITS } from '#/backend/rest/rest-schema'
import { signUp } from '#tests/backend/support/members'
import { startServer, type TestServer } from '#tests/backend/support/server'

const ID = '00000000-0000-4000-8000-000000000001'
const TIME = '2026-11-21T10:00:00.123+00:00'

interface Call {
  method?: string
  headers?: Record<string, string>
  body?: string
}

let server: TestServer
let token: string
/** The last query that the gate let pass. */
let passed: Query | null = null

beforeAll(async () => {
  server = await startServer('pglite', undefined, {
    readRest: readRestCall,
    check: (query) => {
      passed = checkQuery(query)
      return structuredClone(passed)
    },
  })
  const { client } = await signUp(server, 'asker')
  token = (await client.auth.getSession()).data.session?.access_token ?? ''
})
afterAll(() => server.close())

async function send(path: string, { method = 'GET', headers = {}, body }: Call = {}) {
  passed = null
  const response = await server.fetch(`${server.url}/rest/v1/${path}`, {
    method,
    headers: {
      apikey: server.publishableKey,
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  })
  expect(response.headers.has('not-served')).toBe(false)
  return {
    status: response.status,
    body: (await response.json().catch(() => null)) as { code?: string } | null,
  }
}

/** Status and code of the rejection, or 'served' if the database has answered. */
async function refusalOf(path: string, call?: Call): Promise<string> {
  const { status, body } = await send(path, call)
  expect(status).toBeLessThan(500)
  return passed === null ? `${status} ${body?.code}` : 'served'
}

const CONVERSATION =
  'id,one:profiles!conversations_participant_1_fkey(id,username),two:profiles!conversations_participant_2_fkey(id,username),latest:messages!messages_conversation_id_fkey(id,content),unread:messages!messages_conversation_id_fkey(id)'

describe('queries that are served', () => {
  test.each([
    ['posts?select=*'],
    [`posts?select=id,image_url&id=in.(${ID},${ID})`],
    [
      `posts?select=id,author:profiles!posts_user_id_fkey(username,avatar_url),my_like:likes!likes_post_id_fkey(user_id)&my_like.user_id=eq.${ID}&order=created_at.desc,id.desc&limit=8&my_like.limit=1`,
    ],
    [
      `comments?select=id&post_id=eq.${ID}&created_at=gte.${TIME}&order=created_at.asc,id.asc&limit=20&or=(created_at.gt."${TIME}",and(created_at.eq."${TIME}",id.gt.${ID}))`,
    ],
    [`posts?select=id&user_id=not.in.(${ID})&created_at=gt.${TIME}`],
    [`stories?select=id&expires_at=gt.now&order=created_at.desc.nullslast`],
    [
      `conversations?select=${CONVERSATION}&latest.order=created_at.desc,id.desc&latest.limit=1&unread.read=is.false&unread.deleted_at=is.null&unread.limit=1&limit=30`,
    ],
    [
      `saved_posts?select=created_at,post:posts!saved_posts_post_id_fkey(id,image_url,author:profiles!posts_user_id_fkey(username))`,
    ],
    [`follows?select=person_id:follower_id&following_id=eq.${ID}`],
    [`conversations?select=id&or=(participant_1.eq.${ID},participant_2.eq.${ID})`],
    [
      `conversations?select=id&or=(and(participant_1.eq.${ID},participant_2.eq.${ID}),and(participant_1.eq.${ID}))`,
    ],
    [`profiles?select=id&id=neq.${ID}&username=ilike.%ann%&limit=10`],
    [`post_tags?select=posts!post_tags_post_id_fkey(*)`],
    [
      `post_tags?select=posts!post_tags_post_id_fkey(id,media:post_media!post_media_post_id_fkey(grid_path,thumbhash))&limit=30`,
    ],
    [`comments?select=id&content=eq.a, (b) "c" \\ d`],
    ['posts?select=id,profiles(username)'],
    ['post_media?select=captions&media_path=eq.a'],
    ['posts?select=id,post_media(kind,media_path,duration_ms,has_sound,has_captions)'],
    ['messages?select=profiles!sender_id(username)'],
    ['posts?select='],
    ['profiles?full_name=ilike.*ann*'],
    ['profiles?or=(username.ilike.*a_b*,full_name.ilike."%a,(b%")'],
    ['posts?or=(id.eq.a,id.eq.b)&or=(id.eq.c)&id=is.null'],
    ['posts?select=comments(id,content)&comments.or=(id.is.null,content.eq.a)&comments.limit=3'],
    ['posts?select=id,likes(count)&limit=8'],
    [`notifications?user_id=eq.${ID}&read=eq.false`, 'DELETE'],
  ])('%s', async (path, method = 'GET') => {
    expect(await refusalOf(encodeURI(path), { method })).toBe('served')
  })
})

test('MEDIA-01 the longest captions of a video are served, and another text as long is not', async () => {
  const create = (medium: object) =>
    refusalOf('rpc/create_post', { method: 'POST', body: JSON.stringify({ post_id: ID, media: [medium] }) })
  const captions = 'x'.repeat(30_000)
  expect(await create({ kind: 'video', captions })).toBe('served')
  expect(await create({ kind: 'video', alt_text: captions })).toBe('400 PGRST102')
})

describe('limits that a query does not name', () => {
  test.each([
    ['likes?select=profiles(id),posts(profiles(id))', { limit: 666 }],
    ['posts?select=likes(count)&limit=8', { limit: 8, lists: [10] }],
    ['conversations?select=a:messages(*),b:messages(id)&a.limit=1', { limit: 133, lists: [1, 10] }],
    ['conversations?select=a:messages(*),b:messages(id)&a.limit=30', { limit: 45, lists: [30, 10] }],
    ['post_tags?select=posts(post_media(grid_path))', { limit: 153 }],
    ['messages?select=id,message_reactions(emoji)', { limit: 166, lists: [100] }],
    ['messages?select=message_reactions(emoji)&message_reactions.limit=50', { limit: 38, lists: [50] }],
    ['posts?select=id', {}],
  ] as [string, { limit?: number; lists?: number[] }][])('%s', async (path, { limit, lists = [] }) => {
    expect(await refusalOf(path)).toBe('served')
    expect(passed?.limit).toBe(limit)
    const embeds = (passed?.select ?? []).flatMap((entry) =>
      typeof entry === 'string' ? [] : Object.values(entry),
    )
    expect(embeds.flatMap((embed) => ('limit' in embed ? [embed.limit] : []))).toEqual(lists)
  })

  test('a list inside an embedded row has ten rows', async () => {
    expect(await refusalOf('post_tags?select=posts(media:post_media(grid_path))&limit=30')).toBe('served')
    expect(JSON.stringify(passed)).toContain('"media":{"select":["grid_path"],"limit":10}')
  })
})

const many = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => item(i))

describe('queries that are rejected', () => {
  test.each([
    ['a pattern', 'profiles?username=like.*a*'],
    ['a search in another column', 'posts?content=ilike.*a*'],
    ['a search for two texts', 'profiles?username=ilike.*a*b*'],
    ['a search from the start', 'profiles?username=ilike.a*'],
    ['a search for everything', 'profiles?username=ilike.*'],
    ['a search that ends in a backslash', 'profiles?username=ilike.*a\\*'],
    ...[
      'match',
      'imatch',
      'fts',
      'plfts',
      'phfts',
      'wfts',
      'cs',
      'cd',
      'ov',
      'sl',
      'isdistinct',
      'eq(any)',
      'like(all)',
      'constructor',
      '',
    ].map((operator): [string, string] => [`the operator '${operator}'`, `posts?content=${operator}.a`]),
    ['a text search with a language', 'posts?content=fts(english).a'],
    ['a doubled negation', 'posts?content=not.not.eq.a'],
    ['a filter without an operator', 'posts?content=a'],
    ...['gt', 'gte', 'lt', 'lte', 'not.gt'].map((operator): [string, string] => [
      `'${operator}' on a text of members`,
      `comments?content=${operator}.a`,
    ]),
    ['a range of texts inside or', 'posts?or=(content.gte.a,location.lt.b)'],
    ['a picture as a filter', 'posts?image_url=eq.a'],
    ['a picture as an order', 'posts?order=image_url'],
    ['is with a text', 'posts?content=is.a'],
    ['a list without its end', 'posts?id=in.(a,b'],
    ['a list that goes on', 'posts?id=in.(a)b'],
    ['a long list', `posts?id=in.(${many(REST_LIMITS.list + 1, () => 'a')})`],
    ['a deep logic tree', 'posts?or=(and(or(and(id.eq.a))))'],
    ['a negated logic tree', 'posts?not.or=(id.eq.a)'],
    ['a negated tree inside a tree', 'posts?or=(not.and(id.eq.a))'],
    ['a logic tree without its end', 'posts?or=(id.eq.a'],
    ['an empty logic tree', 'posts?or=()'],
    ['a quote that does not end', 'posts?or=(id.eq."a)'],
    ['a parenthesis inside a logic tree', 'posts?or=(content.eq."a)")'],
    ['many filters', `posts?or=(${many(REST_LIMITS.conditions + 1, () => 'id.eq.a')})`],
    ['one filter twice', 'posts?id=neq.a&id=neq.b'],
    ['select twice', 'posts?select=id&select=id'],
    ['limit twice', 'posts?limit=1&limit=2'],
    ['a column twice', 'posts?select=id,id'],
    ['aliases of one column', `posts?select=${many(200, (i) => `a${i}:image_url`)}`],
    ['a column beside all', 'posts?select=*,a:image_url'],
    ['an unknown column', 'posts?select=password'],
    ['an aggregate', 'posts?select=like_count.sum()'],
    ['a count at the top', 'posts?select=count'],
    ['a cast', 'posts?select=id::text'],
    ['a JSON path', 'posts?select=content->>a'],
    ['a JSON path in a filter', 'posts?content->>a=eq.b'],
    ['a JSON path in an order', 'posts?order=content->a'],
    ['a spread', 'posts?select=...profiles(username)'],
    ['an inner join', 'posts?select=profiles!posts_user_id_fkey!inner(id)'],
    ['a table without a foreign key', 'hashtag_follows?select=posts(id)'],
    ['a table of another schema', 'profiles?select=users(email)'],
    ['a list of a single row', 'profiles?select=activity(last_active_at)'],
    ['an embed through a table in between', 'profiles?select=conversations(id)'],
    ['a list inside an embed', 'comments?select=posts(likes(user_id))'],
    ['a table inside a list', 'posts?select=likes(profiles(id))'],
    ['many rows with photos of posts', 'saved_posts?select=posts(post_media(grid_path))&limit=154'],
    ['many rows with lists', 'posts?select=likes(user_id)&limit=167'],
    ['many rows with three tables', 'likes?select=profiles(id),posts(profiles(id))&limit=667'],
    ['many rows with reactions', 'messages?select=message_reactions(emoji)&limit=167'],
    ['long lists', `posts?select=likes(user_id)&likes.limit=${REST_LIMITS.embeddedRows - 1}`],
    ['many rows of lists', `posts?select=likes(user_id)&limit=50&likes.limit=41`],
    ['many rows of two lists', `posts?select=likes(user_id),saved_posts(user_id)&likes.limit=20&limit=59`],
    [
      'many rows of a function with lists',
      `rpc/my_conversations?select=messages(id)&messages.limit=21`,
      { method: 'POST', body: '{}' },
    ],
    ['an ambiguous embed', 'conversations?select=profiles(id)'],
    [
      'many embeds',
      'posts?select=profiles(id),likes(profiles(id),posts(profiles(id))),a:likes(profiles(id),posts(id)),saved_posts(post_id)',
    ],
    ['a thumbnail of an embed', 'likes?select=posts(thumbnail_url)'],
    ['deep embeds', 'saved_posts?select=posts(profiles(id,posts(id)))'],
    ['full pictures of an embed', 'comments?select=posts(image_url)'],
    ['captions in a list', 'posts?select=post_media(captions)'],
    ['captions in a list of an embed', 'saved_posts?select=posts(post_media(captions))'],
    ['a filter on captions', 'post_media?select=id&captions=like.*a*'],
    ['all columns of an embed with pictures', 'comments?select=posts(*)'],
    ['a filter on a table that is not embedded', 'posts?select=id&likes.user_id=eq.a'],
    ['a filter two tables deep', 'likes?select=posts(profiles(id))&posts.profiles.id=eq.a'],
    ['an offset of an embedded table', 'posts?select=likes(post_id)&likes.offset=1'],
    ['a large limit', `posts?limit=${REST_LIMITS.limit + 1}`],
    ['a negative limit', 'posts?limit=-1'],
    ['an order by many columns', 'posts?order=id,user_id,content,location'],
    ['a malformed select', 'posts?select=::a'],
    ['a list of nothing', 'posts?select=(id)'],
    ['hints of all columns', 'posts?select=*!a!b'],
    ['an order by an expression', 'posts?order=lower(content)'],
    ['an order by an embedded column', 'posts?select=profiles(id)&order=profiles(username)'],
    ['an unknown direction', 'posts?order=id.up'],
    ['a key in the query', 'posts?apikey=a'],
    ['a name with a quote', 'posts?"id"=eq.a'],
    ['an inherited name', 'posts?constructor=eq.a'],
    ['a range', 'posts', { headers: { range: '0-1' } }],
    ['strict preferences', 'posts', { headers: { prefer: 'handling=strict, max-affected=1' } }],
    ['filters on a function without rows', 'rpc/touch_activity?id=eq.a', { method: 'POST', body: '{}' }],
  ] as [string, string, Call?][])('%s', async (_, path, call) => {
    expect(await refusalOf(path, call)).toMatch(/^400 (PGRST\d+|42703|22P05)$/)
  })

  test.each([
    ['a long address', `posts?id=in.(${'a'.repeat(REST_LIMITS.url)})`, {}, '414 PGRST100'],
    ['an unknown table', 'users', {}, '404 PGRST205'],
    ['an inherited table', '__proto__', {}, '404 PGRST205'],
    ['the description of the interface', '', {}, '404 PGRST205'],
    ['an unknown function', 'rpc/pg_sleep', { method: 'POST', body: '{}' }, '404 PGRST202'],
    ['a function that writes, by GET', 'rpc/touch_activity', {}, '405 25006'],
    ['a list for a function that writes, by GET', `rpc/delete_posts?ids={${ID}}`, {}, '405 25006'],
    ['a function by HEAD', 'rpc/unread_notifications', { method: 'HEAD' }, '405 PGRST117'],
    ['a function by PATCH', 'rpc/unread_notifications', { method: 'PATCH', body: '{}' }, '405 PGRST117'],
    [
      'a long address of a function',
      `rpc/my_sessions?id=in.(${'a'.repeat(REST_LIMITS.url)})`,
      {},
      '414 PGRST100',
    ],
    [
      'a body of too many values',
      'posts',
      { method: 'POST', body: `[${many(REST_LIMITS.values, () => '0')}]` },
      '400 PGRST102',
    ],
    ['a method that no table has', 'posts', { method: 'PUT', body: '{}' }, '405 PGRST117'],
    ['a query plan', 'posts', { headers: { accept: 'application/vnd.pgrst.plan+json' } }, '406 PGRST107'],
    ['CSV', 'posts', { headers: { accept: 'text/csv' } }, '406 PGRST107'],
    ['another schema', 'posts', { headers: { 'accept-profile': 'auth' } }, '406 PGRST106'],
    [
      'a write to another schema',
      'posts',
      { method: 'POST', body: '{}', headers: { 'content-profile': 'private' } },
      '406 PGRST106',
    ],
    [
      'a CSV body',
      'posts',
      { method: 'POST', body: 'id', headers: { 'content-type': 'text/csv' } },
      '415 PGRST102',
    ],
  ] as [string, string, Call, string][])('%s', async (_, path, call, expected) => {
    expect(await refusalOf(path, call)).toBe(expected)
  })
})

describe('functions by GET', () => {
  const PAGE = { before_at: TIME, before_id: ID }
  const CONVERSATION_ROWS = `select=${CONVERSATION}&latest.order=created_at.desc,id.desc&latest.limit=1&order=last_message_at.desc,id.desc`

  test.each([
    ['without arguments', 'rpc/unread_notifications', {}, ''],
    ['with a time and an id', 'rpc/notification_groups', PAGE, ''],
    ['with a folder', 'rpc/my_conversations', { in_folder: 'requests' }, ''],
    ['with true', 'rpc/my_conversations', { only_groups: 'true' }, ''],
    ['with a text that looks like another value', 'rpc/my_conversations', { in_folder: 'null' }, ''],
    ['with order and limit of embedded rows', 'rpc/my_conversations', PAGE, CONVERSATION_ROWS],
    [
      'with filters and limits of embedded rows',
      'rpc/following_posts',
      PAGE,
      `select=id,likes(user_id)&likes.user_id=eq.${ID}&likes.limit=1&order=created_at.desc,id.desc&limit=8`,
    ],
    [
      'with filters of its rows',
      'rpc/blocked_members',
      {},
      `id=in.(${ID})&created_at=lte.${TIME}&or=(created_at.lt."${TIME}",and(created_at.eq."${TIME}",id.lt.${ID}))&order=id.desc&limit=30`,
    ],
    ['with a filter that has the name of an argument elsewhere', 'rpc/my_sessions', {}, `id=eq.${ID}`],
    ['with an id that is none', 'rpc/following_posts', { before_id: '12' }, ''],
    ['with a text for null', 'rpc/following_posts', { before_id: 'null' }, ''],
    ['with a time that is none', 'rpc/following_posts', { before_at: '20', before_id: ID }, ''],
    ['without a needed argument', 'rpc/session_end', {}, ''],
  ] as [string, string, Record<string, string>, string][])(
    '%s are answered as by POST',
    async (_, path, args, query) => {
      const given = new URLSearchParams(args).toString()
      const byGet = await send(`${path}?${[given, encodeURI(query)].filter(Boolean).join('&')}`)
      const asked = passed
      const call = { method: 'POST', body: JSON.stringify(args) }
      expect(await send(`${path}?${encodeURI(query)}`, call)).toEqual(byGet)
      expect(passed).toEqual(asked)
      expect(asked).toMatchObject(given === '' ? { type: 'rpc' } : { type: 'rpc', args })
    },
  )

  test.each([
    ['an unknown argument', `rpc/following_posts?before=${ID}`],
    ['an argument twice', `rpc/following_posts?before_id=${ID}&before_id=${ID}`],
    ['an argument that compares', `rpc/following_posts?before_id=eq.${ID}`],
    ['an inherited name', 'rpc/following_posts?__proto__=a'],
    ['too many rows', 'rpc/explore_posts?select=id&limit=1001'],
    ['a long text', `rpc/search_topics?query=${'a'.repeat(REST_LIMITS.query + 1)}`],
  ])('%s is refused', async (_, path) => {
    const { status, body } = await send(path)
    expect([status, body?.code]).toEqual([400, expect.stringMatching(/^(PGRST\d+|22P02|42703)$/)])
  })
})

test('values of another kind than that of a column or an argument are refused, and the database goes on', async () => {
  const columns = (await server.query`
    select distinct on (atttypid) relname as path, attname as name from pg_attribute a join pg_class c on c.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    order by atttypid, relname`) as { path: string; name: string }[]
  expect(columns).toContainEqual({ path: 'message_media', name: 'peaks' })
  const arguments_ = [
    { path: 'rpc/unread_groups', name: 'of_groups' },
    { path: 'rpc/following_posts', name: 'before_at' },
  ]
  const values = [5, -2_030_230_566, 0.5, true, '', [], [5, [6]], [[5], 6], { length: 5 }, [{ length: 5 }]]
  for (const { path, name } of [...columns, ...arguments_])
    for (const value of values) {
      const call = { method: 'POST', body: JSON.stringify({ [name]: value }) }
      const { status } = await send(path, call)
      expect([path, call.body, status]).toEqual([
        path,
        call.body,
        expect.toSatisfy((one: number) => one < 500),
      ])
    }
  expect(await send('profiles?select=username&username=eq.asker')).toEqual({
    status: 200,
    body: [{ username: 'asker' }],
  })
})

describe('writes', () => {
  const post = (path: string, body: unknown, prefer = '') =>
    refusalOf(path, {
      method: 'POST',
      headers: { prefer },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  test.each([
    ['one row', 'posts?select=id', { user_id: ID, content: 'a "quoted\\" [text]' }],
    [
      'several rows',
      'posts?columns="user_id","content"',
      [
        { user_id: ID, content: 'a' },
        { user_id: ID, content: null },
      ],
    ],
    ['an upsert', 'likes?on_conflict=post_id,user_id', { post_id: ID, user_id: ID }],
    ['many marks', 'comments', { content: `a${'\u0301'.repeat(REST_LIMITS.marks)}b`.repeat(20) }],
    ['the longest search', 'rpc/search_topics', { query: 'a'.repeat(REST_LIMITS.query) }],
    ['no arguments', 'rpc/touch_activity', {}],
    ['arguments', 'rpc/my_conversations?select=id', { before_at: TIME, before_id: ID }],
    ['a list of photos', 'rpc/create_post', { post_id: ID, media: [{ full_path: 'a', width: 4 }] }],
    ['a list of ids', 'rpc/delete_posts', { ids: [ID, ID] }],
  ])('%s', async (_, path, body) => {
    expect(await post(encodeURI(path), body, 'resolution=ignore-duplicates')).toBe('served')
  })

  test.each([
    ['an unknown column', 'posts', { password: 'a' }],
    ['an inherited name', 'posts', '{"__proto__":"a"}'],
    ['an unknown argument', 'rpc/search_profiles', { q: 'a' }],
    ['a list of arguments', 'rpc/search_profiles', [{ query: 'a' }]],
    ['a list for a value', 'posts', { content: ['a'] }],
    ['an object for a value', 'posts', { content: { a: 1 } }],
    ['a list inside a list of photos', 'rpc/create_post', { media: [['a']] }],
    ['a list inside a list of ids', 'rpc/delete_posts', { ids: [[ID]] }],
    ['too many ids', 'rpc/delete_posts', { ids: Array(REST_LIMITS.rows + 1).fill(ID) }],
    ['a list of ids for a column', 'posts', { content: [ID] }],
    ['a photo with an object', 'rpc/create_post', { media: [{ width: { a: 1 } }] }],
    ['a photo with a large value', 'rpc/create_post', { media: [{ full_path: 'a'.repeat(20_000) }] }],
    ['a long search', 'rpc/search_topics', { query: 'a'.repeat(REST_LIMITS.query + 1) }],
    ['a long search for posts', 'rpc/search_posts', { query: 'a'.repeat(REST_LIMITS.query + 1) }],
    ['a long search in messages', 'rpc/search_messages', { query: 'a'.repeat(REST_LIMITS.query + 1) }],
    ['a text of marks', 'comments', [{ content: `a${'\u0301'.repeat(REST_LIMITS.marks + 1)}` }]],
    ['a photo with a text of marks', 'rpc/create_post', { media: [{ alt_text: '\u0316'.repeat(300) }] }],
    ['a search for marks', 'rpc/search_profiles', { query: '\u0301'.repeat(REST_LIMITS.marks + 1) }],
    ['many photos', 'rpc/create_post', { media: Array.from({ length: REST_LIMITS.rows + 1 }, () => ({})) }],
    ['a deep body', 'posts', '[{"content":[["a"]]}]'],
    ['brackets without end', 'posts', '['.repeat(100_000)],
    ['many rows', 'comments', Array.from({ length: REST_LIMITS.rows + 1 }, () => ({ content: 'a' }))],
    ['many posts', 'posts', Array.from({ length: 21 }, () => ({ content: 'a' }))],
    ['many stories', 'stories', Array.from({ length: 21 }, () => ({ content: 'a' }))],
    ['many values', 'posts', `[${'0,'.repeat(100_000)}0]`],
    ['a text', 'posts', '"a"'],
    ['no JSON', 'posts', '{"content":"a'],
    ['a filter', 'posts?id=eq.a', { content: 'a' }],
    ['an order', 'posts?order=id', { content: 'a' }],
  ])('%s is refused', async (_, path, body) => {
    expect(await post(path, body, 'resolution=ignore-duplicates')).toMatch(/^400 PGRST\d+$/)
  })

  test('reject an upsert that merges duplicates', async () => {
    expect(await post('likes', { post_id: ID, user_id: ID }, 'resolution=merge-duplicates')).toBe(
      '400 PGRST122',
    )
  })

  test('reject returning embedded lists', async () => {
    const row = { method: 'POST', body: '{"content":"a"}' }
    expect(await refusalOf('posts?select=likes(user_id)', row)).toBe('400 PGRST100')
    expect(await refusalOf('posts?select=likes(user_id)&id=eq.a', { ...row, method: 'PATCH' })).toBe(
      '400 PGRST100',
    )
  })

  test.each([
    ['posts', { method: 'PATCH', body: '{"content":"a"}' }],
    ['posts?select=id', { method: 'DELETE' }],
    ['posts?select=likes(post_id)&likes.post_id=eq.a', { method: 'DELETE' }],
  ])('%s with %j has no filter', async (path, call) => {
    const { status, body } = await send(path, call)
    expect([status, body?.code]).toEqual([400, path.includes('likes') ? 'PGRST100' : '21000'])
  })
})

test.each(['posts?content=eq.%00', 'posts?or=(content.eq.a%00)', 'profiles?username=ilike.*%00*'])(
  'the database refuses the NUL in %s',
  async (path) => {
    expect(await send(path)).toMatchObject({ status: 400, body: { code: '22021' } })
  },
)

test.each([
  ['count=planned', { count: 'exact' }],
  ['count=estimated,return=minimal', { return: 'minimal', count: 'exact' }],
  ['return=representation, tx=rollback, max-affected=1, timezone=Asia/Tokyo', { return: 'representation' }],
  ['', {}],
])('the preference %s becomes %j', async (prefer, meta) => {
  expect(await refusalOf('posts?select=id', { headers: { prefer } })).toBe('served')
  expect(passed?.$meta).toEqual(meta)
})

test.each(['*/*', 'application/json, text/plain, */*', 'application/vnd.pgrst.object+json'])(
  'Accept %s is served',
  async (accept) => {
    expect(await refusalOf('posts?select=id', { headers: { accept } })).toBe('served')
  },
)

test.each([
  ['posts?__proto__=eq.a'],
  ['posts?constructor=eq.a'],
  ['posts?id=constructor.a'],
  ['posts?id=not.constructor.a'],
  ['posts?or=(id.constructor.a)'],
  ['posts?or=(__proto__.eq.a)'],
  ['posts?select=__proto__:likes(user_id)&__proto__.user_id=eq.a'],
  ['posts?select=constructor:likes(user_id)&constructor.user_id=eq.a'],
  ['posts?select=likes(user_id)&likes.__proto__=eq.a'],
  ['posts?select=likes(user_id)&likes.constructor=eq.a'],
  ['posts?select=toString:id&toString.order=id'],
])('%s adds no property to every object, and is refused', async (path) => {
  const before = [Object.prototype, Object].map((one) => Object.getOwnPropertyNames(one))
  expect(await refusalOf(path)).toMatch(/^400 (PGRST100|42703)$/)
  expect([Object.prototype, Object].map((one) => Object.getOwnPropertyNames(one))).toEqual(before)
})

test('only the key, the token, preferences and content headers reach lite', () => {
  const url = new URL(`${server.url}/rest/v1/posts`)
  const headers = {
    apikey: 'key',
    authorization: 'Bearer token',
    prefer: 'count=exact',
    'x-http-method-override': 'DELETE',
    'accept-profile': 'public',
    'x-client-info': 'supabase-js',
    role: 'service_role',
  }
  expect(Object.fromEntries(readRestCall(new Request(url, { headers }), url, null).headers)).toEqual({
    accept: 'application/json',
    apikey: 'key',
    authorization: 'Bearer token',
    prefer: 'count=exact',
  })
})
