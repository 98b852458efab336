import { expect, test, vi } from 'vitest'
import { markConversationRead } from '#/renderer/features/messages/mutations/messages'

const server = vi.hoisted(() => ({
  calls: [] as unknown[],
  isMore: (_call: number) => false,
}))

vi.mock('#/renderer/lib/server/supabase', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  supabase: () => ({
    rpc: async (name: string, values: unknown) => {
      const call = server.calls.push([name, values])
      return { data: server.isMore(call), error: null }
    },
  }),
}))

async function callsFor(until: { created_at: string; id?: string }, isMore: (call: number) => boolean) {
  Object.assign(server, { calls: [], isMore })
  await markConversationRead('conversation', until)
  return server.calls
}

const NEWEST = { created_at: '2026-01-01T00:00:00Z', id: 'newest' }

test('MSG-05 marks up to a message with one call, or up to a time', async () => {
  const until = { conversation: 'conversation', until_at: NEWEST.created_at }
  expect(await callsFor(NEWEST, () => false)).toEqual([['mark_read', { ...until, until_id: 'newest' }]])
  expect(await callsFor({ created_at: NEWEST.created_at }, () => false)).toEqual([
    ['mark_read', { ...until, until_id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }],
  ])
})

test('MSG-05 marks thousands of messages with calls, until none is left', async () => {
  expect(await callsFor(NEWEST, (call) => call < 5)).toHaveLength(5)
})

test('MSG-05 a server that always has more is asked a limited number of times', async () => {
  expect(await callsFor(NEWEST, () => true)).toHaveLength(1_000)
})
