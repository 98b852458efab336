import { afterEach, expect, test, vi } from 'vitest'
import { postKind } from '#/renderer/features/feed/mutations'
import { messageKind } from '#/renderer/features/messages/mutations/send'
import { commentKind } from '#/renderer/features/post/comments/mutations'
import { storyKind } from '#/renderer/features/stories/mutations'
import { logFailure } from '#/renderer/lib/core/logger'
import { unreadableRows } from '#/renderer/lib/outbox/pending'
import { withoutUnreadable } from '#/renderer/lib/outbox/readable'
import type { OutboxKind, OutboxRow } from '#/renderer/lib/outbox/row'
import type { OutboxStore } from '#/renderer/lib/outbox/store'

vi.mock('#/renderer/lib/server/supabase', () => ({}))
vi.mock('#/renderer/features/auth', () => ({}))
vi.mock('#/renderer/features/post', () => ({}))

afterEach(() => {
  unreadableRows.setState({ rows: [] })
  vi.mocked(logFailure).mockClear()
})

const picture = { full: new Blob(), width: 3, height: 2 }
const author = { username: 'ana', avatar_url: null, avatar_path: null }
const message = { conversation_id: 'c', content: 'Hello' }

const rowOf = (kind: string, payload: unknown, more: object = {}): OutboxRow => ({
  id: 'a',
  scope: 's',
  kind,
  payload,
  createdAt: '2026-03-01T12:00:00Z',
  state: 'waiting',
  ...more,
})

function open(rows: OutboxRow[]) {
  const store: OutboxStore = {
    load: async () => rows,
    save: async () => undefined,
    remove: async (id) => {
      rows.splice(
        rows.findIndex((row) => row.id === id),
        1,
      )
    },
    clear: async () => undefined,
  }
  const kinds = [messageKind, commentKind, postKind, storyKind] as unknown as OutboxKind[]
  return withoutUnreadable(store, kinds)
}

test.each([
  ['message', message],
  ['message', { ...message, photo: { id: 'p', picture } }],
  ['comment', { postId: 'p', content: 'Hello', author }],
  ['post', { content: '', location: '', photos: [{ picture, altText: '', camera: null }] }],
  ['story', { media: { kind: 'image', ...picture }, caption: null, replaces: [] }],
])('a stored %s is read', async (kind, payload) => {
  const row = rowOf(kind, payload)
  expect(await open([row]).load()).toEqual([row])
  expect(unreadableRows.getState().rows).toEqual([])
})

test.each([
  ['of an unknown kind', rowOf('reel', message), 'Hello'],
  ['without a payload', rowOf('message', undefined), ''],
  ['of a message without a conversation', rowOf('message', { content: 'Hello' }), 'Hello'],
  ['of a message with another photo', rowOf('message', { ...message, photo: 'data:,' }), 'Hello'],
  ['of a comment without an author', rowOf('comment', { postId: 'p', content: 'Hello' }), 'Hello'],
  ['of a post with one picture', rowOf('post', { content: 'Hello', location: '', picture }), 'Hello'],
  [
    'of a comment whose author has no name',
    rowOf('comment', { postId: 'p', content: 'Hello', author: { username: {} } }),
    'Hello',
  ],
  ['of a story whose caption is no text', rowOf('story', { media: {}, caption: {}, replaces: [] }), ''],
  [
    'of a story that replaces what is no id',
    rowOf('story', { media: {}, caption: 'Hello', replaces: [{}] }),
    'Hello',
  ],
  ['of a story without media', rowOf('story', { caption: 'Hello', replaces: [] }), 'Hello'],
  ['without a scope', rowOf('message', message, { scope: undefined }), 'Hello'],
  ['with an unknown state', rowOf('message', message, { state: 'queued' }), 'Hello'],
  ['with an invalid time', rowOf('message', message, { createdAt: 'yesterday' }), 'Hello'],
  ['of the last day there is', rowOf('message', message, { createdAt: '+275760-09-13T00:00:00Z' }), 'Hello'],
  ['whose reason is no text', rowOf('message', message, { state: 'refused', reason: new Blob() }), 'Hello'],
])('MSG-09 a row %s is not lost, and blocks nothing', async (_, row, text) => {
  const good = rowOf('message', message, { id: 'good' })
  const rows = [row, good]
  const store = open(rows)
  expect(await store.load()).toEqual([good])
  await store.load()
  expect(unreadableRows.getState().rows).toEqual([{ id: 'a', text }])
  expect(logFailure).toHaveBeenCalledExactlyOnceWith('read outbox row', expect.any(Error))

  await unreadableRows.getState().discard('a')
  expect([unreadableRows.getState().rows, rows]).toEqual([[], [good]])
})
