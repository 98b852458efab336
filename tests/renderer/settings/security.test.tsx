import { cleanup, screen } from '@testing-library/react'
import type { ReactElement } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import {
  ChangeEmailDialog,
  DeleteAccountDialog,
} from '#/renderer/features/settings/components/AccountDialogs'
import { Devices } from '#/renderer/features/settings/components/SecuritySection'
import { withPassword } from '#/renderer/features/settings/mutations'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { texts } from '#/renderer/lib/texts'
import { fill, pageText, press, settle, show, submit } from '#tests/renderer/dom'

const { auth, rpc, answered } = vi.hoisted(() => ({
  rpc: vi.fn(),
  auth: {
    getSession: vi.fn(),
    signInWithPassword: vi.fn(),
    updateUser: vi.fn(),
    signOut: vi.fn(),
    admin: { signOut: vi.fn() },
  },
  /** `failure` is how changes of the account end. */
  answered: { needsPassword: true, failure: null as Error | null },
}))

vi.mock('#/renderer/features/auth', async () => ({
  useMe: () => ({ id: 'me', email: 'mara@example.com' }),
  ...(await import('#/renderer/features/auth/model')),
  ...(await import('#/renderer/features/auth/components/form-parts')),
  whileEnding: (work: () => Promise<void>) => work(),
  signOut: async () => undefined,
}))
vi.mock('#/renderer/lib/media/source/storage-store', () => ({ hasStorage: async () => false }))
vi.mock('#/renderer/features/settings/unsent', () => ({ forgetAllUnsent: async () => undefined }))
vi.mock('#/renderer/lib/device/register-device', () => ({ registerDevice: async () => undefined }))
vi.mock('#/renderer/features/messages', () => ({}))
vi.mock('#/renderer/features/safety', () => ({}))
vi.mock('#/renderer/lib/server/supabase', () => ({
  supabase: () => ({ auth, rpc }),
  forgetSession: async () => undefined,
  unwrap: async (request: PromiseLike<{ data: unknown; error: unknown }>) => {
    const { data, error } = await request
    if (error !== null) throw error
    return data
  },
}))
const DEVICES = [
  { id: 'a', last_used_at: '2026-11-21T10:00:00Z', user_agent: 'Firefox/145.0 Linux', is_current: true },
  { id: 'b', last_used_at: '2026-11-21T10:00:00Z', user_agent: null, is_current: false },
]

/** Shows a dialog or section once the server has answered. */
async function open(element: ReactElement): Promise<void> {
  const client = createQueryClient()
  show(element, { client })
  await vi.waitFor(() => expect(client.isFetching()).toBe(0))
  await settle()
}

const changes = () => rpc.mock.calls.map(([name]) => name).filter((name) => /account/.test(name))
const EMAIL = { email: 'mara@example.com', password: 'correct horse' }

beforeEach(() => {
  vi.clearAllMocks()
  answered.needsPassword = true
  answered.failure = null
  rpc.mockImplementation(async (name: string) => {
    if (name === 'my_sessions') return { data: DEVICES, error: null }
    if (name === 'signed_in_recently') return { data: !answered.needsPassword, error: null }
    return { data: true, error: answered.failure }
  })
  auth.updateUser.mockImplementation(async () => ({ data: { user: {} }, error: answered.failure }))
  auth.signOut.mockImplementation(async () => ({ error: answered.failure }))
  auth.getSession.mockResolvedValue({ data: { session: { access_token: 'old' } }, error: null })
  auth.signInWithPassword.mockResolvedValue({ data: {}, error: null })
  auth.admin.signOut.mockResolvedValue({ data: null, error: null })
})

const deleteDialog = <DeleteAccountDialog onClose={() => undefined} />
const { deleteAccount, deleteAccountConfirm, deleteForGood } = texts.settings

test('SET-03 deletes the account after a recent sign-in only with a second button in the same dialog', async () => {
  answered.needsPassword = false
  await open(deleteDialog)
  expect(screen.getByRole('alertdialog', { name: deleteAccount }).textContent).toContain(deleteAccountConfirm)
  expect(pageText()).toContain(texts.download.title)
  await press(texts.delete)
  expect(changes()).toEqual([])
  expect(screen.getByRole('alertdialog', { name: deleteAccount }).textContent).toContain(deleteAccountConfirm)
  await press(deleteForGood)
  await settle()
  expect(changes()).toEqual(['clear_account', 'delete_account'])
  expect(auth.signInWithPassword).not.toHaveBeenCalled()
})

test('SET-03 asks for the password instead of a second button ten minutes after sign-in', async () => {
  await open(deleteDialog)
  await press(texts.delete)
  expect(screen.getByLabelText('Current password')).toBeDefined()
  expect(changes()).toEqual([])
})

const emailDialog = <ChangeEmailDialog onClose={() => undefined} />

test('AUTH-15 asks for the password, and says why, when the sign-in is not recent', async () => {
  await open(emailDialog)
  expect(pageText()).toContain('You signed in more than ten minutes ago')
  cleanup()
  answered.needsPassword = false
  await open(emailDialog)
  expect(screen.queryByLabelText('Current password')).toBeNull()
})

test('AUTH-15 explains that an e-mail is taken, and keeps the input', async () => {
  answered.failure = new AppError('conflict', '', '422')
  await open(emailDialog)
  fill('New e-mail', 'taken@example.com')
  submit()
  await settle()
  expect(screen.getByRole('alert').textContent).toContain('This e-mail is already used by another account.')
  expect((screen.getByLabelText('New e-mail') as HTMLInputElement).value).toBe('taken@example.com')
  expect(vi.mocked(logFailure).mock.calls).toEqual([['change email', answered.failure]])
})

test('AUTH-15 asks for the password when the server finds that the sign-in is not recent', async () => {
  answered.needsPassword = false
  answered.failure = new AppError('password-needed', '', '400')
  await open(emailDialog)
  fill('New e-mail', 'new@example.com')
  submit()
  await settle()
  expect(pageText()).toContain('Enter your current password to continue.')
  expect(screen.getByLabelText('Current password')).toBeDefined()
})

test('AUTH-15 names the devices, and shows and logs a failure to sign them out', async () => {
  await open(<Devices />)
  expect(pageText()).toMatch(/Firefox on Linux This device Unknown device Last used .+ Sign out/)
  answered.failure = new AppError('offline', '', '')
  await press('Sign out everywhere else')
  await settle()
  expect(screen.getByRole('alert').textContent).toBe(
    'Other devices could not be signed out. Please try again.',
  )
  expect(vi.mocked(logFailure).mock.calls).toEqual([['sign out everywhere else', answered.failure]])
})

test('AUTH-15 ends the replaced session after the action', async () => {
  const done = await withPassword(
    EMAIL,
    async () => {
      expect(auth.signInWithPassword.mock.calls).toEqual([[EMAIL]])
      expect(auth.admin.signOut).not.toHaveBeenCalled()
      return 'done'
    },
    () => false,
  )
  expect(done).toBe('done')
  expect(auth.admin.signOut.mock.calls).toEqual([['old', 'local']])
})

test('AUTH-15 ends the replaced session after an action that ends all others only if that action failed', async () => {
  await withPassword(
    EMAIL,
    async () => undefined,
    () => true,
  )
  expect(auth.admin.signOut).not.toHaveBeenCalled()
  const failure = new AppError('server', '', '500')
  await expect(
    withPassword(
      EMAIL,
      () => Promise.reject(failure),
      () => true,
    ),
  ).rejects.toBe(failure)
  expect(auth.admin.signOut).toHaveBeenCalledOnce()
})

test('AUTH-15 logs a replaced session that could not be ended, and returns the result', async () => {
  auth.admin.signOut.mockResolvedValue({ data: null, error: { status: 500, message: 'Busy' } })
  expect(
    await withPassword(
      EMAIL,
      async () => 'done',
      () => false,
    ),
  ).toBe('done')
  expect(vi.mocked(logFailure).mock.calls).toEqual([
    ['end replaced session', expect.objectContaining({ code: 'server' })],
  ])
})

test('AUTH-15 does not sign in without a password, and does not run the action after a wrong one', async () => {
  expect(
    await withPassword(
      { ...EMAIL, password: null },
      async () => 'done',
      () => false,
    ),
  ).toBe('done')
  expect(auth.signInWithPassword).not.toHaveBeenCalled()
  const wrong = new AppError('credentials', '', '400')
  auth.signInWithPassword.mockResolvedValue({ data: null, error: wrong })
  const action = vi.fn()
  await expect(withPassword(EMAIL, action, () => false)).rejects.toBe(wrong)
  expect(action).not.toHaveBeenCalled()
  expect(auth.admin.signOut).not.toHaveBeenCalled()
})
