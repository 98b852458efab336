import { beforeEach, expect, test, vi } from 'vitest'
import { openComposerDraft, removeOldPhotoFiles } from '#/renderer/features/composer'
import { removeLeftFiles } from '#/renderer/features/composer/draft-files-store'
import { forgetQueued } from '#/renderer/features/composer/queued-photos-store'
import { logFailure } from '#/renderer/lib/core/logger'
import { createDraftStore } from '#/renderer/lib/local/draft-store'
import { storageKeyPrefix } from '#/renderer/lib/local/local-storage'
import { pendingRows } from '#/renderer/lib/outbox/pending'
import type { OutboxRow } from '#/renderer/lib/outbox/row'
import { stubLocalStorage } from '#tests/renderer/local-storage'

vi.mock('#/renderer/components/lazy-screen', () => ({ lazyScreen: () => null }))
vi.mock('#/renderer/features/feed', () => ({ POST_KIND: 'post' }))
vi.mock('#/renderer/features/composer/draft-files-store', () => ({ removeLeftFiles: vi.fn() }))
vi.mock('#/renderer/features/composer/queued-photos-store', () => ({ forgetQueued: vi.fn() }))

const row = (id: string, kind = 'post'): OutboxRow => ({
  id,
  kind,
  scope: 'post',
  payload: null,
  createdAt: '2026-03-01T12:00:00Z',
  state: 'waiting',
})
const show = (...rows: OutboxRow[]) => pendingRows.setState(rows, true)

beforeEach(() => {
  stubLocalStorage()
  show()
  vi.mocked(forgetQueued).mockReset().mockResolvedValue(undefined)
})

test('CREATE-08 only files of members without a draft of a post are removed', async () => {
  const draft = createDraftStore<object>('post', () => ({}))
  draft.write('ada', 'new', { content: 'First light' })
  createDraftStore<object>('queued post', () => ({})).write('ben', 'waits', { photos: [] })
  createDraftStore<object>('comment', () => ({})).write('cem', 'p', { text: 'Where is this?' })
  await removeOldPhotoFiles()
  const hasDraft = vi.mocked(removeLeftFiles).mock.calls[0]?.[0]
  const place = (me: string) => storageKeyPrefix('composer', me)
  expect(['ada', 'ben', 'cem', 'dan'].map((me) => hasDraft?.(place(me)))).toEqual([true, true, false, false])
})

test('CREATE-10 the originals of a post leave the disk with it, also when it left while the app was closed', async () => {
  const queued = createDraftStore<{ bytes: number }>('queued post', () => ({ bytes: 1 }))
  for (const id of ['before', 'sent', 'waits']) queued.write('ada', id, { bytes: 1 })
  const forgotten = () => vi.mocked(forgetQueued).mock.calls.map(([me, place, ids]) => [me, place, ids])
  const close = openComposerDraft('ada')
  // The outbox has loaded its rows.
  show(row('sent'), row('waits'), row('m', 'message'))
  await vi.waitFor(() => expect(forgotten()).toEqual([['ada', expect.stringContaining('.ada.'), ['before']]]))
  queued.write('ada', 'before', null)
  show(row('sent'), row('waits'))
  show(row('waits'))
  await vi.waitFor(() => expect(forgotten()).toHaveLength(2))
  expect(forgotten()[1]?.[2]).toEqual(['sent'])
  close()
  // The outbox of a member who leaves shows nothing, and keeps its rows.
  show()
  expect(forgotten()).toHaveLength(2)
})

test('CREATE-10 originals that cannot be removed are logged', async () => {
  const cause = new Error('disk')
  vi.mocked(forgetQueued).mockRejectedValue(cause)
  createDraftStore<object>('queued post', () => ({})).write('ada', 'sent', {})
  openComposerDraft('ada')
  show(row('m', 'message'))
  await vi.waitFor(() => expect(logFailure).toHaveBeenCalledWith('forget photos of posts', cause))
})
