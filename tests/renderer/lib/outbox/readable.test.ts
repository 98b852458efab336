import { afterEach, expect, test, vi } from 'vitest'
import { type NewPost, postKind } from '#/renderer/features/feed/mutations'
import { messageKind } from '#/renderer/features/messages/mutations/send'
import { commentKind } from '#/renderer/features/post/comments/mutations'
import { storyKind } from '#/renderer/features/stories/mutations'
import { logFailure } from '#/renderer/lib/core/logger'
import { isRecord } from '#/renderer/lib/local/local-storage'
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
const cover = { ...picture, feed: new Blob(), grid: new Blob(), thumbhash: '' }
const video = { video: new Blob(), cover, durationMs: 45_000, hasSound: true, captions: null, altText: '' }
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
  ['post', { content: '', location: '', photos: [{ picture, altText: '', camera: null }, video] }],
  ['story', { media: { kind: 'image', ...picture }, caption: null, replaces: [] }],
])('a stored %s is read', async (kind, payload) => {
  const row = rowOf(kind, payload)
  expect(await open([row]).load()).toEqual([row])
  expect(unreadableRows.getState().rows).toEqual([])
})

/** What version 0.1 asks of a photo of a stored post. */
const isPhotoOf01 = (photo: unknown) =>
  isRecord(photo) && isRecord(photo.picture) && typeof photo.altText === 'string'

test('CREATE-10 an earlier version reads the photos of a stored post, and no video as its cover', () => {
  const photo = { picture: cover, altText: '', camera: null } satisfies NewPost['photos'][number]
  expect([photo, video satisfies NewPost['photos'][number]].map(isPhotoOf01)).toEqual([true, false])
})

test.each<[string, OutboxRow, string]>([
  ['of an unknown kind', rowOf('reel', message), 'Hello'],
  ['without a payload', rowOf('message', undefined), ''],
  ['of a message without a conversation', rowOf('message', { content: 'Hello' }), 'Hello'],
  ['of a message with another photo', rowOf('message', { ...message, photo: 'data:,' }), 'Hello'],
  ['of a comment without an author', rowOf('comment', { postId: 'p', content: 'Hello' }), 'Hello'],
  ['of a post with one picture', rowOf('post', { content: 'Hello', location: '', picture }), 'Hello'],
  ...[{ video: 'data:,' }, { cover: picture }, { durationMs: '45' }, { hasSound: 1 }, { captions: {} }].map(
    (wrong): [string, OutboxRow, string] => [
      `of a post with a video of another form: ${Object.keys(wrong)}`,
      rowOf('post', { content: 'Hello', location: '', photos: [{ ...video, ...wrong }] }),
      'Hello',
    ],
  ),
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
