import { beforeEach, expect, test, vi } from 'vitest'
import { openOutboxWhenOnline } from '#/renderer/app/outbox'
import { rememberRecovery } from '#/renderer/features/auth/recovery-request'
import { removeOldPhotoFiles } from '#/renderer/features/composer'
import { removeOldMessageDrafts } from '#/renderer/features/messages'
import { recordServerTime } from '#/renderer/lib/core/clock-store'
import { logFailure } from '#/renderer/lib/core/logger'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { stubLocalStorage } from '#tests/renderer/local-storage'

const caughtUp = vi.hoisted(() => new Set<() => void>())

vi.mock('#/renderer/lib/core/schedule', () => ({
  onNetworkIdle: (_client: unknown, act: () => void) => {
    act()
    return () => undefined
  },
}))
vi.mock('#/renderer/lib/live', () => ({
  onCaughtUp: (act: () => void) => {
    caughtUp.add(act)
    return () => caughtUp.delete(act)
  },
  onRowChange: () => () => undefined,
}))
vi.mock('#/renderer/lib/outbox/active', () => ({
  startOutbox: () => () => undefined,
  markDelivered: vi.fn(),
}))
vi.mock('#/renderer/app/outbox-kinds', () => ({ OUTBOX_KINDS: [] }))
vi.mock('#/renderer/features/composer', () => ({
  openComposerDraft: () => () => undefined,
  removeOldPhotoFiles: vi.fn(),
}))
vi.mock('#/renderer/features/messages', () => ({
  loadMessageDrafts: async () => () => () => undefined,
  removeOldMessageDrafts: vi.fn(),
}))
vi.mock('#/renderer/features/post', () => ({ loadComments: async () => undefined }))
vi.mock('#/renderer/features/feed', () => ({ PendingPost: { load: async () => undefined } }))
vi.mock('#/renderer/features/stories', () => ({ PendingStories: { load: async () => undefined } }))

beforeEach(() => {
  stubLocalStorage()
  caughtUp.clear()
  vi.mocked(logFailure).mockClear()
  vi.mocked(removeOldMessageDrafts).mockReset().mockResolvedValue(undefined)
  vi.mocked(removeOldPhotoFiles).mockReset().mockResolvedValue(undefined)
})

const reconnect = () => {
  for (const act of [...caughtUp]) act()
}

test('MSG-12 old drafts are removed once the server’s time is known; a failure is logged', async () => {
  const close = openOutboxWhenOnline(createQueryClient(), 'ana', 'embedded')
  await vi.waitFor(() => expect(caughtUp.size).toBe(2))
  expect(removeOldMessageDrafts).not.toHaveBeenCalled()

  recordServerTime({ headers: new Headers({ date: new Date().toUTCString() }) })
  reconnect()
  await vi.waitFor(() => expect(removeOldPhotoFiles).toHaveBeenCalledOnce())
  expect(removeOldMessageDrafts).toHaveBeenCalledExactlyOnceWith({
    now: expect.any(Number),
    before: expect.any(Number),
    since: expect.any(Number),
  })

  const cause = new Error('disk')
  vi.mocked(removeOldMessageDrafts).mockRejectedValueOnce(cause)
  reconnect()
  await vi.waitFor(() => expect(logFailure).toHaveBeenCalledExactlyOnceWith('remove old drafts', cause))
  close()
  expect(caughtUp.size).toBe(0)
})

const FORMER = ['vignette.recovery', 'vignette.recovery.other.example']

test('AUTH-17 the address of a recovery that was requested here is forgotten after a day', async () => {
  const start = Date.now()
  recordServerTime({ headers: new Headers({ date: new Date(start).toUTCString() }) })
  useServerInfo.setState({ storageKey: 'embedded' })
  rememberRecovery('Mara@Example.com')
  // That of an earlier version of the app, and of another server.
  for (const key of FORMER)
    localStorage.setItem(key, localStorage.getItem('vignette.recovery.embedded') ?? '')
  const close = openOutboxWhenOnline(createQueryClient(), 'ana', 'embedded')
  await vi.waitFor(() => expect(caughtUp.size).toBe(2))
  expect(localStorage.getItem('vignette.recovery.embedded')).toContain('mara@example.com')
  vi.spyOn(Date, 'now').mockReturnValue(start + 25 * 60 * 60_000)
  recordServerTime({ headers: new Headers({ date: new Date(start + 25 * 60 * 60_000).toUTCString() }) })
  reconnect()
  await vi.waitFor(() => expect(localStorage.getItem('vignette.recovery.embedded')).toBeNull())
  expect(FORMER.map((key) => localStorage.getItem(key))).toEqual([null, null])
  vi.restoreAllMocks()
  close()
})

test('MSG-12 old drafts are removed although the stored recovery is damaged', async () => {
  localStorage.setItem('vignette.recovery', '{')
  recordServerTime({ headers: new Headers({ date: new Date().toUTCString() }) })
  const close = openOutboxWhenOnline(createQueryClient(), 'ana', 'embedded')
  await vi.waitFor(() => expect(removeOldPhotoFiles).toHaveBeenCalled())
  expect(localStorage.getItem('vignette.recovery.embedded')).toBeNull()
  expect(logFailure).not.toHaveBeenCalled()
  close()
})
