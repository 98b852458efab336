import { createClient } from '@supabase/supabase-js'
import { expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { markConversationRead } from '#/renderer/features/messages/mutations/messages'
import { MESSAGES_MARKED } from '#/shared/limits'

const server = vi.hoisted(() => ({
  fetch: async (_method: string, _query: URLSearchParams): Promise<Response> => new Response(),
}))

vi.mock('#/renderer/lib/server/supabase', async (importOriginal) => {
  const client = createClient('http://server.test', 'key', {
    global: {
      fetch: (input, init) => server.fetch(init?.method ?? 'GET', new URL(String(input)).searchParams),
    },
    db: { retry: false },
    realtime: { transport: WebSocket as unknown as typeof globalThis.WebSocket },
  })
  return { ...(await importOriginal<object>()), supabase: () => client }
})

const at = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 1_000).toISOString()

let reads = 0

/** Serves this many unread messages, one per second. Returns how many each update marked as read. */
async function markAll(count: number, { isRequest = false, isCounted = false } = {}): Promise<number[]> {
  let unread = Array.from({ length: count }, (_, number) => at(number))
  const updates: number[] = []
  reads = 0
  server.fetch = async (method, query) => {
    expect(query.get('conversation_id')).toBe('eq.conversation')
    expect(query.get('recipient_id')).toBe('eq.me')
    expect(query.get('read')).toBe('eq.false')
    const bounds = query.getAll('created_at')
    const after = bounds.find((bound) => bound.startsWith('gt.'))?.slice(3) ?? ''
    const until = bounds.find((bound) => bound.startsWith('lte.'))?.slice(4) ?? ''
    const found = unread.filter((time) => time > after && time <= until)
    if (method === 'PATCH') {
      updates.push(found.length)
      if (!isRequest) unread = unread.filter((time) => !found.includes(time))
      return new Response(null, { status: 204 })
    }
    reads += 1
    const from = Number(query.get('offset'))
    const rows = found.slice(from, from + Number(query.get('limit')))
    return Response.json(rows.map((created_at) => ({ created_at })))
  }
  await markConversationRead('me', 'conversation', at(count - 1), isCounted ? count : undefined)
  return updates
}

test('MSG-05 marks a few messages as read with one update', async () => {
  expect(await markAll(3)).toEqual([3])
  expect(reads).toBe(1)
  expect(await markAll(3, { isCounted: true })).toEqual([3])
  expect(reads).toBe(0)
})

test.each([true, false])(
  'MSG-05 marks thousands of messages as read with updates of limited size, counted: %s',
  async (isCounted) => {
    const updates = await markAll(2_345, { isCounted })
    expect(updates.reduce((sum, marked) => sum + marked)).toBe(2_345)
    expect(Math.max(...updates)).toBe(MESSAGES_MARKED)
  },
)

test('MSG-05 a server that names ever later unread messages is asked a limited number of times', async () => {
  let requests = 0
  server.fetch = async (method) => {
    requests += 1
    return method === 'PATCH'
      ? new Response(null, { status: 204 })
      : Response.json([{ created_at: at(requests) }])
  }
  await markConversationRead('me', 'conversation', at(0))
  // Two for each of two hundred marks, and the last mark.
  expect(requests).toBe(401)
})

test('MSG-14 ends although messages of a request stay unread', async () => {
  expect(await markAll(MESSAGES_MARKED + 1, { isRequest: true })).toHaveLength(2)
})
