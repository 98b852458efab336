import { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { NewMessage, OutgoingPhoto } from '#/renderer/features/messages/message'
import { messageKind } from '#/renderer/features/messages/mutations/send'
import { AppError } from '#/renderer/lib/core/errors'
import { onRowChange } from '#/renderer/lib/live'
import type { OutboxRow, SendTools } from '#/renderer/lib/outbox/row'
import { uploadParts } from '#/renderer/lib/outbox/upload-parts'

/** Messages the server has, by id. */
const server = vi.hoisted(() => ({
  rows: new Map<string, { content: string }>(),
  /** How it answers inserts and reads. */
  insertFails: null as Error | null,
  readFails: null as Error | null,
}))

vi.mock('#/renderer/lib/server/supabase', () => ({
  unwrap: (value: unknown) => value,
  supabase: () => ({
    auth: { getSession: async () => ({ session: { user: { id: 'me' } } }) },
    from: () => ({
      select: () => ({
        eq: (_column: string, id: string) => ({
          single: async () => server.rows.get(id),
          abortSignal: () => ({
            maybeSingle: async () => {
              if (server.readFails !== null) throw server.readFails
              return server.rows.get(id) ?? null
            },
          }),
        }),
      }),
      insert: (row: { id: string; content: string }) => {
        server.rows.set(row.id, row)
        const single = async () => {
          if (server.insertFails !== null) throw server.insertFails
          return row
        }
        return { select: () => ({ single }) }
      },
    }),
  }),
}))

vi.mock('#/renderer/lib/outbox/upload-parts', () => ({ uploadParts: vi.fn() }))

const contents = () => [...server.rows.values()].map(({ content }) => content)

beforeEach(() => {
  server.rows.clear()
  Object.assign(server, { insertFails: null, readFails: null })
})

/** Sends a row as the outbox does. */
const send = (row: OutboxRow<NewMessage>, me = 'me', tools: Partial<SendTools> = {}) =>
  messageKind.send(row, me, new QueryClient(), {
    signal: new AbortController().signal,
    keepUpload: async () => undefined,
    keepStarted: async () => undefined,
    onProgress: () => undefined,
    ...tools,
  })

const HELLO: OutboxRow<NewMessage> = {
  id: 'hello',
  scope: 'message c',
  kind: 'message',
  payload: { conversation_id: 'c', content: 'Hello' },
  createdAt: '2026-11-21T12:00:00Z',
  state: 'sending',
}

describe('MSG-04 looks up the message after a 5xx response', () => {
  beforeEach(() => {
    server.insertFails = new AppError('server', '', 'test', { serverStatus: 500 })
  })

  test('fails with that response if the lookup fails with a 5xx too', async () => {
    server.readFails = new AppError('server', '', 'test', { serverStatus: 500 })
    await expect(send(HELLO)).rejects.toBe(server.insertFails)
  })

  test('fails as offline if the lookup gets no response', async () => {
    server.readFails = new AppError('offline', '', 'test')
    await expect(send(HELLO)).rejects.toBe(server.readFails)
  })
})

test('emits the change of a stored message like the live connection', async () => {
  const heard: string[] = []
  const stop = onRowChange('messages', ({ row }) => heard.push(row.id))
  await send(HELLO)
  stop()
  expect(heard).toEqual(['hello'])
})

test('MSG-04 a message whose first response was lost counts as sent', async () => {
  server.rows.set('hello', { content: 'Hello' })
  server.insertFails = new AppError('conflict', '', '23505')
  await send(HELLO)
  expect(contents()).toEqual(['Hello'])
})

test('a refusal while the member signs out says nothing about the message', async () => {
  server.insertFails = new AppError('forbidden', '', 'test')
  await expect(send(HELLO, 'someone else')).rejects.toMatchObject({ code: 'session-expired' })
})

describe('MEDIA-01 a message with a photo', () => {
  const STORED = { full: new Blob(['f']), feed: new Blob(), grid: new Blob(['g']), thumbhash: 'aA==' }
  const withPhoto = (picture: OutgoingPhoto['picture']): OutboxRow<NewMessage> => ({
    ...HELLO,
    payload: { ...HELLO.payload, photo: { id: 'photo', picture } },
  })

  test('is sent after its files are uploaded and its photo is stored', async () => {
    vi.mocked(uploadParts).mockImplementationOnce(async (parts) => {
      expect([server.rows.size, parts]).toEqual([0, { grid: STORED.grid, full: STORED.full }])
      return { full: 'me/f.webp', grid: 'me/g.webp' }
    })
    await send(withPhoto({ ...STORED, width: 30, height: 20 }))
    expect([...server.rows.values()]).toEqual([
      {
        id: 'photo',
        sender_id: 'me',
        conversation_id: 'c',
        media_path: 'me/f.webp',
        poster_path: 'me/g.webp',
      },
      {
        id: 'hello',
        conversation_id: 'c',
        sender_id: 'me',
        content: 'Hello',
        media_id: 'photo',
        thumbhash: 'aA==',
        image_width: 30,
        image_height: 20,
      },
    ])
  })
})
