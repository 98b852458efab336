import { beforeEach, expect, test, vi } from 'vitest'
import { SignOut } from '#/renderer/app/SignOut'
import { endSignOutRequest, signOut, useSignOutRequest } from '#/renderer/features/auth'
import { hasUnsent } from '#/renderer/features/settings'
import { logFailure } from '#/renderer/lib/core/logger'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { clearPage, draw } from '../page-without-dom'

vi.mock('react', async (load) => (await import('../page-without-dom')).withHooks(await load()))
vi.mock('react/jsx-dev-runtime', async (load) =>
  (await import('../page-without-dom')).withParts(await load()),
)
vi.mock('zustand', async (load) => (await import('../page-without-dom')).withStores(await load()))
vi.mock('#/renderer/lib/core/logger', () => ({ logFailure: vi.fn() }))
vi.mock('#/renderer/features/auth', async () => ({
  ...(await import('#/renderer/features/auth/sign-out-store')),
  signOut: vi.fn(async () => undefined),
  useMemberId: () => 'ana',
}))
vi.mock('#/renderer/features/settings', () => ({
  hasUnsent: vi.fn(),
  SignOutDialog: Object.assign(() => 'What becomes of it?', { load: async () => undefined }),
}))

beforeEach(() => {
  clearPage()
  endSignOutRequest()
  useServerInfo.setState({ storageKey: 'embedded' })
  vi.mocked(logFailure).mockClear()
  vi.mocked(signOut).mockClear()
})

/** Presses 'Sign Out', and returns what is shown once the app has looked for unsent texts. */
async function press(): Promise<string> {
  useSignOutRequest.setState({ isAsked: true })
  draw(<SignOut />)
  await vi.waitFor(() => expect(hasUnsent).toHaveBeenCalledWith('ana', 'embedded'))
  await new Promise((resolve) => setTimeout(resolve))
  return draw(<SignOut />)
}

test('AUTH-11 nothing happens without a press', () => {
  expect(draw(<SignOut />)).toBe('')
  expect(signOut).not.toHaveBeenCalled()
})

test('AUTH-11 signs out at once if nothing is unsent, otherwise asks', async () => {
  vi.mocked(hasUnsent).mockResolvedValue(false)
  expect(await press()).toBe('')
  expect(signOut).toHaveBeenCalledOnce()
  expect(useSignOutRequest.getState().isAsked).toBe(false)

  clearPage()
  vi.mocked(hasUnsent).mockResolvedValue(true)
  expect(await press()).toBe('What becomes of it?')
  expect(signOut).toHaveBeenCalledOnce()
})

test('AUTH-11 signs out, and keeps everything, if the code of the question cannot be loaded', async () => {
  const cause = new Error('offline')
  vi.mocked(hasUnsent).mockRejectedValue(cause)
  expect(await press()).toBe('')
  expect(logFailure).toHaveBeenCalledExactlyOnceWith('ask before sign-out', cause)
  expect(signOut).toHaveBeenCalledOnce()
})
