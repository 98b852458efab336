import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { conversationKeys, messageKeys } from '#/renderer/features/messages/keys'
import { readsFromOf } from '#/renderer/features/messages/model/conversation'
import { GAP_MOST, type History } from '#/renderer/features/messages/model/history'
import { readHistory } from '#/renderer/features/messages/queries/messages'
import { message, NO_MARK } from '../messages'

const server = vi.hoisted(() => ({ sent: 0, from: new Set<unknown>() }))

vi.mock('#/renderer/lib/server/supabase', () => {
  let size = 0
  const query: object = new Proxy(
    {},
    {
      get: (_, name) => (first: number, second?: unknown) => {
        if (name === 'limit') size = first
        if (name === 'gte') server.from.add(second)
        return query
      },
    },
  )
  return {
    supabase: () => query,
    // Full pages for ever, each newer than what is known.
    unwrap: async () =>
      Array.from({ length: size }, () => {
        server.sent += 1
        return message(`sent ${server.sent}`, 1_000_000 - server.sent)
      }),
  }
})

test('MSG-05 a server that sends new messages for ever is asked for a limited number, and the known ones are forgotten', async () => {
  const client = new QueryClient()
  const known: History = { messages: [message('known', 1)], hasOlder: true }
  client.setQueryData(messageKeys.history('conversation'), known)
  const history = await readHistory(
    client,
    'conversation',
    'me',
    async () => NO_MARK,
    new AbortController().signal,
  )
  expect(server.sent).toBeGreaterThanOrEqual(GAP_MOST)
  expect(server.sent).toBeLessThan(2 * GAP_MOST)
  expect(history.messages).toHaveLength(server.sent)
  expect(history.messages.some(({ id }) => id === 'known')).toBe(false)
})

test('MSG-03 the server is asked for nothing from before the member deleted the conversation or joined the group', async () => {
  const client = new QueryClient()
  const read = (id: string) =>
    readHistory(client, id, 'me', async () => NO_MARK, new AbortController().signal)
  const [deleted, joined] = ['2026-11-05T10:00:00.5+00:00', '2026-11-05T10:00:00+00:00']
  expect(readsFromOf({ cleared_at: deleted, reads_after: joined })).toBe(deleted)
  expect(readsFromOf({ cleared_at: null, reads_after: joined })).toBe(joined)
  for (const reads_after of ['infinity', '-infinity'])
    expect(readsFromOf({ cleared_at: null, reads_after })).toBeNull()
  client.setQueryData(conversationKeys.one('group'), { readsFrom: joined })
  server.from.clear()
  await read('unknown')
  expect([...server.from]).toEqual([])
  await read('group')
  expect([...server.from]).toEqual([joined])
})
