import { expect, onTestFinished, test } from 'vitest'
import { keyOf, RowsTooLargeError, readInParts, type SendRead } from '#/backend/http/read-in-parts'
import { MEDIA_LIMITS } from '#/shared/limits'
import { discard, signUpMember, startedFolder, startUnmanagedBackend } from '#tests/backend/support/backend'

const TABLE = 'http://127.0.0.1/rest/v1/posts'
const read = (search: string, headers: Record<string, string> = {}) =>
  new Request(`${TABLE}?${search}`, { headers: { accept: 'application/json', ...headers } })

interface Row {
  id: string
  size: number
}

/** Answers like lite, with rows whose sizes are in MB. A turn has room for four of them. */
function fakeLite(rows: Row[]) {
  const asked: string[] = []
  const held: number[] = []
  const send: SendRead = async (request, heldBytes) => {
    const { searchParams } = new URL(request.url)
    asked.push(`${searchParams} ${request.headers.get('prefer') ?? ''}`.trim())
    const headers = { 'content-range': `0-${rows.length - 1}/${rows.length}`, 'content-location': '/posts' }
    if (searchParams.get('select') === 'id') {
      return Response.json(
        rows.map(({ id }) => ({ id })),
        { status: 206, headers },
      )
    }
    held.push(heldBytes)
    const ids = /^in\.\((.*)\)$/.exec(searchParams.get('id') ?? '')?.[1]?.split(',') ?? []
    const found = rows.filter(({ id, size }) => ids.includes(id) && size > 0)
    if (found.length > 1 && found.reduce((sum, { size }) => sum + size, 0) > 4) throw new RowsTooLargeError()
    return Response.json(found.map(({ id, size }) => ({ id, text: 'x'.repeat(size * 1e6) })))
  }
  return { send, asked, held }
}

const rowsOf = (sizes: number[]): Row[] => sizes.map((size, index) => ({ id: `row${index}`, size }))

test('reads the keys first, then as many rows in each turn as fit', async () => {
  const rows = rowsOf([1, 1, 2, 2, 1, 1])
  const { send, asked, held } = fakeLite(rows)
  const response = await readInParts(
    read('select=id,text&order=id&limit=10&offset=3', { prefer: 'count=exact' }),
    'id',
    send,
  )
  expect(asked).toEqual([
    'select=id&order=id&limit=10&offset=3 count=exact',
    'select=id%2Ctext&order=id&limit=2&id=in.%28row0%2Crow1%29',
    'select=id%2Ctext&order=id&limit=3&id=in.%28row2%2Crow3%2Crow4%29',
    'select=id%2Ctext&order=id&limit=2&id=in.%28row2%2Crow3%29',
    'select=id%2Ctext&order=id&limit=1&id=in.%28row4%29',
    'select=id%2Ctext&order=id&limit=1&id=in.%28row5%29',
  ])
  expect(held.map((bytes) => Math.round(bytes / 1e6))).toEqual([0, 2, 2, 6, 7])
  expect(response?.status).toBe(206)
  expect(response?.headers.get('content-range')).toBe('0-5/6')
  expect(response?.headers.get('content-location')).toBeNull()
  const text = (await response?.text()) ?? ''
  expect(response?.headers.get('content-length')).toBe(String(text.length))
  const received = (JSON.parse(text) as { id: string; text: string }[]).map((row) => [
    row.id,
    row.text.length,
  ])
  expect(received).toEqual(rows.map(({ id, size }) => [id, size * 1e6]))
})

test('leaves out rows that are deleted meanwhile, also all of a part', async () => {
  const { send } = fakeLite(rowsOf([0, 0, 0, 0, 0, 0, 0, 0, 1]))
  const response = await readInParts(read('select=text'), 'id', send)
  expect((await response?.json()) as unknown).toHaveLength(1)
  const none = await readInParts(read('select=text'), 'id', fakeLite(rowsOf([0])).send)
  expect(await none?.text()).toBe('[]')
})

test('ends with the response that is not a success, or that is no longer needed', async () => {
  const { send } = fakeLite(rowsOf([3, 3, 3]))
  const answers: (Response | null)[] = [Response.json({}, { status: 504 }), null]
  for (const answer of answers) {
    let parts = 0
    const response = await readInParts(read('select=text'), 'id', async (request, heldBytes) => {
      parts += 1
      return parts === 4 ? answer : send(request, heldBytes)
    })
    expect([response, parts]).toEqual([answer, 4])
  }
})

test('rejects more rows than the largest video has bytes', async () => {
  const { send } = fakeLite(rowsOf(Array<number>(15).fill(2)))
  const response = await readInParts(read('select=text'), 'id', send)
  expect(response?.status).toBe(413)
})

test.each([
  ['posts', 'select=id', 'id'],
  ['likes', 'post_id=eq.a', 'user_id'],
  ['likes', 'user_id=eq.a', 'post_id'],
  ['likes', 'user_id=neq.a', null],
  ['post_tags', 'tagged_user_id=eq.a', 'post_id'],
  ['activity', '', 'user_id'],
])('reads %s with %j in parts by %s', (table, search, key) => {
  const headers = { accept: 'application/json' }
  expect(keyOf(new Request(`http://127.0.0.1/rest/v1/${table}?${search}`, { headers }))).toBe(key)
})

test('reads neither single objects nor the rows of a write in parts', () => {
  expect(keyOf(read('', { accept: 'application/vnd.pgrst.object+json' }))).toBeNull()
  expect(keyOf(new Request(read('id=eq.1'), { method: 'PATCH' }))).toBeNull()
})

test('serves eight pictures of the largest size, and every post with its picture and author', async () => {
  const backend = await startUnmanagedBackend(await startedFolder())
  onTestFinished(() => discard(backend))
  const { client, id } = await signUpMember(backend, 'ada')
  const prefix = 'data:image/png;base64,'
  const image_url = prefix + 'A'.repeat(MEDIA_LIMITS.image.characters - prefix.length)
  for (let post = 0; post < 8; post += 1) {
    const row = { user_id: id, content: `post ${post}`, image_url, image_width: 4, image_height: 3 }
    await client.from('posts').insert(row).throwOnError()
  }
  const all = await client
    .from('posts')
    .select('*, profiles!posts_user_id_fkey(username)', { count: 'exact' })
    .order('created_at', { ascending: false })
    .throwOnError()
  expect(all.count).toBe(8)
  expect(all.data.map(({ content }) => content)).toEqual(
    Array.from({ length: 8 }, (_, index) => `post ${7 - index}`),
  )
  expect(all.data[7]).toMatchObject({ image_url, profiles: { username: 'ada' } })

  const ids = all.data.map((post) => post.id)
  const pictures = await client.from('posts').select('id,image_url').in('id', ids).throwOnError()
  expect(new Set(pictures.data.map((post) => post.id))).toEqual(new Set(ids))

  await client
    .from('saved_posts')
    .insert(ids.slice(0, 3).map((post_id) => ({ user_id: id, post_id })))
    .throwOnError()
  const saved = await client
    .from('saved_posts')
    .select('posts(id,image_url)')
    .eq('user_id', id)
    .order('created_at')
    .throwOnError()
  expect(saved.data).toHaveLength(3)
  // A write cannot be repeated in parts, so it is rolled back.
  const edited = await client.from('posts').update({ location: 'Lisbon' }).in('id', ids).select('image_url')
  expect(edited.error).toMatchObject({ code: 'PT413', message: 'The rows are too large for one response' })
  expect((await client.from('posts').select('id').eq('location', 'Lisbon')).data).toEqual([])
})
