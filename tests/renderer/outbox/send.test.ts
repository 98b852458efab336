import { beforeEach, describe, expect, test, vi } from 'vitest'
import { sendToServer } from '#/renderer/features/messages/outbox/send'
import type { OutgoingMessage } from '#/renderer/features/messages/outbox/types'
import { AppError } from '#/renderer/lib/errors'

/** Messages the server has, by id. */
const server = vi.hoisted(() => ({
  rows: new Map<string, { content: string }>(),
  /** How it answers inserts and reads. */
  insertFails: null as Error | null,
  readFails: null as Error | null,
  /** It stores a message although the insert fails. */
  stores: true,
}))

vi.mock('#/renderer/lib/supabase', () => ({
  unwrap: (value: unknown) => value,
  supabase: () => ({
    auth: { getSession: async () => ({ session: { user: { id: 'me' } } }) },
    from: () => ({
      select: () => ({
        eq: (_column: string, id: string) => ({
          abortSignal: () => ({
            maybeSingle: async () => {
              if (server.readFails !== null) throw server.readFails
              return server.rows.get(id) ?? null
            },
          }),
        }),
      }),
      insert: (row: { id: string; content: string }) => {
        if (server.stores) server.rows.set(row.id, row)
        const single = async () => {
          if (server.insertFails !== null) throw server.insertFails
          return row
        }
        return { select: () => ({ single }) }
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

beforeEach(() => {
  server.rows.clear()
  Object.assign(server, { insertFails: null, readFails: null, stores: true })
})

describe('MSG-04 after a 5xx answer the server is asked for the message', () => {
  const HELLO: OutgoingMessage = {
    id: 'hello',
    conversation_id: 'c',
    content: 'Hello',
    created_at: '2026-11-21T12:00:00Z',
    state: 'waiting',
  }

  beforeEach(() => {
    server.insertFails = new AppError('server', '', 'test', { serverStatus: 500 })
  })

  test('it is sent when it is stored', async () => {
    await sendToServer('me', HELLO)
    expect(contents()).toEqual(['Hello'])
  })

  test('it fails with that answer when it is not stored', async () => {
    server.stores = false
    await expect(sendToServer('me', HELLO)).rejects.toBe(server.insertFails)
  })

  test('it fails with that answer when the server answers the question with a 5xx too', async () => {
    server.readFails = new AppError('server', '', 'test', { serverStatus: 500 })
    await expect(sendToServer('me', HELLO)).rejects.toBe(server.insertFails)
  })

  test('it fails as unanswered when the question gets no answer', async () => {
    server.readFails = new AppError('offline', '', 'test')
    await expect(sendToServer('me', HELLO)).rejects.toBe(server.readFails)
  })
})

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
