import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { messageKeys } from '#/renderer/features/messages/keys'
import { GAP_MOST, type History } from '#/renderer/features/messages/model/history'
import { readHistory } from '#/renderer/features/messages/queries/messages'
import { message, NO_MARK } from '../messages'

const server = vi.hoisted(() => ({ sent: 0 }))

vi.mock('#/renderer/lib/server/supabase', () => {
  let size = 0
  const query: object = new Proxy(
    {},
    {
      get: (_, name) => (count: number) => {
        if (name === 'limit') size = count
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
