import { beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { type FakeServer, fakeServer, signIn } from '#tests/renderer/fake-server'

const ID = 'e0000000-0000-4000-8000-000000000001'
const TIME = '2026-11-27T10:00:00.5+00:00'

beforeEach(() => vi.stubGlobal('WebSocket', WebSocket))

function answering(name: string, answer: unknown): FakeServer {
  const server = fakeServer()
  server.on(name, () => answer)
  signIn()
  return server
}

test('a function that only reads is called by GET, with its arguments in the address', async () => {
  const server = answering('GET following_posts', [])
  const page = supabase().rpc('following_posts', { before_at: TIME, before_id: ID })
  await unwrap(page.select('id').limit(8).limit(1, { referencedTable: 'likes' }))
  const [{ query, body } = { query: new URLSearchParams(), body: null }] = server.calls
  expect(body).toBeUndefined()
  expect(Object.fromEntries(query)).toEqual({
    ...{ before_at: TIME, before_id: ID },
    ...{ select: 'id', limit: '8', 'likes.limit': '1' },
  })
})

test('the first page has no arguments, because an address has no null', async () => {
  const server = answering('GET notification_groups', [])
  await unwrap(supabase().rpc('notification_groups', {}))
  expect([...(server.calls[0]?.query ?? [])]).toEqual([])
})

test.each([
  ['a text of a member', () => supabase().rpc('search_profiles', { query: 'ines' }), { query: 'ines' }, []],
  ['the id of a session', () => supabase().rpc('session_end', { session: ID }), { session: ID }, []],
  ['what writes', () => supabase().rpc('touch_activity'), {}, null],
  ['the sum of counters', () => supabase().rpc('settle'), {}, 1_000],
] as const)('%s is sent by POST, and not in the address', async (_, call, body, answer) => {
  const server = fakeServer()
  server.onOthers(() => answer)
  signIn()
  await call()
  expect(server.calls.map(({ name, query, body: sent }) => [name.split(' ')[0], query.size, sent])).toEqual([
    ['POST', 0, body],
  ])
})
