import { beforeEach, expect, test, vi } from 'vitest'
import { sendToServer } from '#/renderer/features/messages/outbox/send'
import type { OutgoingMessage } from '#/renderer/features/messages/outbox/types'

/** Messages the server has, by id. */
const server = vi.hoisted(() => ({ rows: new Map<string, { content: string }>() }))

vi.mock('#/renderer/lib/supabase', () => ({
  answer: (value: unknown) => value,
  supabase: () => ({
    from: () => ({
      select: () => ({
        eq: (_column: string, id: string) => ({
          abortSignal: () => ({ maybeSingle: async () => server.rows.get(id) ?? null }),
        }),
      }),
      insert: (row: { id: string; content: string }) => {
        server.rows.set(row.id, row)
        return { select: () => ({ single: async () => row }) }
      },
    }),
  }),
}))

const EDITED: OutgoingMessage = {
  id: 'second',
  conversation_id: 'c',
  content: 'Hello\nand more',
  created_at: '2026-11-21T12:00:00Z',
  state: 'waiting',
  earlier: { id: 'first', content: 'Hello', replyToId: null, photoId: null },
}

const contents = () => [...server.rows.values()].map(({ content }) => content)

beforeEach(() => server.rows.clear())

test('MSG-09 what waited goes out without what the server had of it', async () => {
  server.rows.set('first', { content: 'Hello' })
  await sendToServer('me', EDITED)
  expect(contents()).toEqual(['Hello', 'and more'])
})

test('MSG-09 what waited goes out whole when nothing of it ever came there', async () => {
  await sendToServer('me', EDITED)
  expect(contents()).toEqual(['Hello\nand more'])
})

test('MSG-09 what waited is not sent when all of it is there', async () => {
  server.rows.set('first', { content: 'Hello' })
  await sendToServer('me', { ...EDITED, content: 'Hello' })
  expect(contents()).toEqual(['Hello'])
})
