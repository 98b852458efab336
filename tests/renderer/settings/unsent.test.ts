import { beforeEach, expect, test, vi } from 'vitest'
import { forgetComposer } from '#/renderer/features/composer'
import { forgetUnsent, hasUnsent as hasUnsentMessages } from '#/renderer/features/messages'
import { forgetAllUnsent, hasUnsent } from '#/renderer/features/settings/unsent'
import { forgetStoryDraft, hasStoryDraft } from '#/renderer/features/stories'
import { logFailure } from '#/renderer/lib/core/logger'
import { createDraftStore } from '#/renderer/lib/local/draft-store'
import { stubLocalStorage } from '#tests/renderer/local-storage'

vi.mock('#/renderer/features/composer', () => ({ forgetComposer: vi.fn() }))
vi.mock('#/renderer/features/messages', () => ({ forgetUnsent: vi.fn(), hasUnsent: vi.fn() }))
vi.mock('#/renderer/features/post', () => ({ forgetReactions: () => undefined }))
vi.mock('#/renderer/features/stories', () => ({ forgetStoryDraft: vi.fn(), hasStoryDraft: vi.fn() }))

const comments = createDraftStore<{ text: string }>('comment', ({ text }) => ({ text: String(text) }))
const ask = () => hasUnsent('ana', 'embedded')
let disk: Map<string, string>

beforeEach(() => {
  disk = stubLocalStorage().disk
  vi.mocked(logFailure).mockClear()
  for (const found of [hasUnsentMessages, hasStoryDraft])
    vi.mocked(found).mockReset().mockResolvedValue(false)
  for (const forget of [forgetComposer, forgetUnsent, forgetStoryDraft])
    vi.mocked(forget).mockReset().mockResolvedValue(undefined)
})

test('AUTH-11 Sign Out does not ask when nothing is unsent, or only another member has something', async () => {
  comments.write('ben', 'post', { text: 'Mine' })
  comments.write('ana', 'post', { text: ' ' })
  expect(await ask()).toBe(false)
})

test('AUTH-11 Sign Out asks for a draft, for a message or row of the outbox, and for a story', async () => {
  comments.write('ana', 'post', { text: 'What a morning' })
  expect(await ask()).toBe(true)
  comments.write('ana', 'post', null)
  vi.mocked(hasUnsentMessages).mockResolvedValueOnce(true)
  expect(await ask()).toBe(true)
  vi.mocked(hasStoryDraft).mockResolvedValueOnce(true)
  expect(await ask()).toBe(true)
  expect(await ask()).toBe(false)
})

test('AUTH-11 what cannot be read is logged, and does not keep a member from signing out', async () => {
  const cause = new Error('disk')
  vi.mocked(hasUnsentMessages).mockRejectedValueOnce(cause)
  expect(await ask()).toBe(false)
  expect(logFailure).toHaveBeenCalledExactlyOnceWith('look for what is unsent', cause)
})

test('AUTH-11 SET-03 deletes everything of the member, also when one part fails', async () => {
  comments.write('ana', 'post', { text: 'What a morning' })
  comments.write('ben', 'post', { text: 'Mine' })
  const cause = new Error('disk')
  vi.mocked(forgetUnsent).mockRejectedValueOnce(cause)
  await forgetAllUnsent('ana', 'embedded')
  expect([...disk.keys()].filter((key) => key.includes('.ana.'))).toEqual([])
  expect(comments.read('ben', 'post')?.text).toBe('Mine')
  expect(forgetUnsent).toHaveBeenCalledWith('ana', 'embedded')
  for (const forget of [forgetComposer, forgetStoryDraft]) expect(forget).toHaveBeenCalledWith('ana')
  expect(logFailure).toHaveBeenCalledExactlyOnceWith('forget what was unsent', cause)
})
