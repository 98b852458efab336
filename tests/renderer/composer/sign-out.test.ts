import { beforeEach, expect, test, vi } from 'vitest'
import { openComposerDraft } from '#/renderer/features/composer'
import { forgetDraftPhotos } from '#/renderer/features/composer/composer-store'
import { logFailure } from '#/renderer/lib/logger'

const session = vi.hoisted(() => ({ isOver: false }))

vi.mock('#/renderer/lib/logger', async (load) => {
  const logFailure = vi.fn()
  const logIfFails = (what: string, work: Promise<unknown>) =>
    work.catch((cause: unknown) => logFailure(what, cause))
  return { ...(await load<object>()), logFailure, logIfFails }
})
vi.mock('#/renderer/components/lazy-screen', () => ({ lazyScreen: () => null }))
vi.mock('#/renderer/features/auth', () => ({ isSignedOut: () => session.isOver }))
vi.mock('#/renderer/features/composer/composer-store', () => ({ forgetDraftPhotos: vi.fn() }))

beforeEach(() => {
  session.isOver = false
  vi.mocked(forgetDraftPhotos).mockReset().mockResolvedValue(undefined)
})

test('CREATE-08 the photos of a draft stay until the member signs out', async () => {
  openComposerDraft('ada')()
  session.isOver = true
  openComposerDraft('ben')()
  await vi.waitFor(() => expect(forgetDraftPhotos).toHaveBeenCalledOnce())
  expect(forgetDraftPhotos).toHaveBeenCalledWith('ben', expect.stringContaining('.ben.'))
})

test('CREATE-08 photos that cannot be removed after a sign-out are logged', async () => {
  const cause = new Error('disk')
  vi.mocked(forgetDraftPhotos).mockRejectedValue(cause)
  session.isOver = true
  openComposerDraft('ada')()
  await vi.waitFor(() => expect(logFailure).toHaveBeenCalledWith('forget draft photos', cause))
})
