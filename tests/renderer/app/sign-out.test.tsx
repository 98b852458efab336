import { act } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { SignOut } from '#/renderer/app/SignOut'
import { endSignOutRequest, signOut, useSignOutRequest } from '#/renderer/features/auth'
import { hasUnsent } from '#/renderer/features/settings'
import { logFailure } from '#/renderer/lib/core/logger'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { pageText, settle, show } from '#tests/renderer/dom'

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
  endSignOutRequest()
  useServerInfo.setState({ storageKey: 'embedded' })
  vi.mocked(logFailure).mockClear()
  vi.mocked(signOut).mockClear()
})

/** Presses 'Sign Out', and waits until the app has looked for unsent texts. */
async function press(): Promise<void> {
  act(() => useSignOutRequest.setState({ isAsked: true }))
  await vi.waitFor(() => expect(hasUnsent).toHaveBeenCalledWith('ana', 'embedded'))
  await settle()
}

test('AUTH-11 nothing happens without a press', async () => {
  show(<SignOut />)
  await settle()
  expect(pageText()).toBe('')
  expect(signOut).not.toHaveBeenCalled()
})

test('AUTH-11 signs out at once if nothing is unsent, otherwise asks', async () => {
  show(<SignOut />)
  vi.mocked(hasUnsent).mockResolvedValue(false)
  await press()
  expect(pageText()).toBe('')
  expect(signOut).toHaveBeenCalledOnce()
  expect(useSignOutRequest.getState().isAsked).toBe(false)

  vi.mocked(hasUnsent).mockResolvedValue(true)
  await press()
  expect(pageText()).toBe('What becomes of it?')
  expect(signOut).toHaveBeenCalledOnce()
})

test('AUTH-11 signs out, and keeps everything, if the code of the question cannot be loaded', async () => {
  const cause = new Error('offline')
  vi.mocked(hasUnsent).mockRejectedValue(cause)
  show(<SignOut />)
  await press()
  expect(pageText()).toBe('')
  expect(logFailure).toHaveBeenCalledExactlyOnceWith('ask before sign-out', cause)
  expect(signOut).toHaveBeenCalledOnce()
})
