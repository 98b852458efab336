import type { ReactNode } from 'react'
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
import { clearPage, fill, press, read, send } from '../page-without-dom'

const { auth, answered, mutated } = vi.hoisted(() => ({
  mutated: vi.fn(),
  auth: {
    getSession: vi.fn(),
    signInWithPassword: vi.fn(),
    updateUser: vi.fn(),
    signOut: vi.fn(),
    admin: { signOut: vi.fn() },
  },
  answered: { needsPassword: true, mutation: null as Error | null },
}))

vi.mock('react', async (load) => (await import('../page-without-dom')).withHooks(await load()))
vi.mock('react/jsx-dev-runtime', async (load) =>
  (await import('../page-without-dom')).withParts(await load()),
)
vi.mock('#/renderer/components/ConfirmDialog', async () => (await import('../page-without-dom')).dialogs)
vi.mock('#/renderer/components/Dialog', async () => (await import('../page-without-dom')).dialogs)
vi.mock('#/renderer/lib/core/logger', () => ({ logFailure: vi.fn() }))
vi.mock('#/renderer/features/auth', async () => ({
  useMe: () => ({ id: 'me', email: 'mara@example.com' }),
  ...(await import('#/renderer/features/auth/model')),
  ...(await import('#/renderer/features/auth/components/form-parts')),
}))
vi.mock('#/renderer/lib/device/register-device', () => ({ registerDevice: async () => undefined }))
vi.mock('#/renderer/features/messages', () => ({}))
vi.mock('#/renderer/features/safety', () => ({}))
vi.mock('#/renderer/lib/server/supabase', () => ({
  supabase: () => ({ auth }),
  unwrap: async (request: PromiseLike<{ data: unknown; error: unknown }>) => {
    const { data, error } = await request
    if (error !== null) throw error
    return data
  },
}))
// Components render once, so queries and mutations return fixed results.
vi.mock('@tanstack/react-query', async (load) => ({
  ...(await load<object>()),
  useQuery: ({ queryKey: [key] }: { queryKey: string[] }) => ({
    data: key === 'sessions' ? DEVICES : answered.needsPassword,
    isError: false,
    refetch: () => undefined,
  }),
  useMutation: ({ meta }: { meta: { action: string } }) => ({
    isPending: false,
    isSuccess: false,
    isError: answered.mutation !== null,
    error: answered.mutation,
    // As the mutation cache does.
    mutate: (sent: unknown) => {
      mutated(sent)
      if (answered.mutation !== null) logFailure(meta.action, answered.mutation)
    },
  }),
}))

const DEVICES = [
  { id: 'a', last_used_at: '2026-11-21T10:00:00Z', user_agent: 'Firefox/145.0 Linux', is_current: true },
  { id: 'b', last_used_at: '2026-11-21T10:00:00Z', user_agent: null, is_current: false },
]

const shown = (element: ReactNode) => read(element, createQueryClient())
const EMAIL = { email: 'mara@example.com', password: 'correct horse' }

beforeEach(() => {
  clearPage()
  vi.clearAllMocks()
  answered.needsPassword = true
  answered.mutation = null
  auth.getSession.mockResolvedValue({ data: { session: { access_token: 'old' } }, error: null })
  auth.signInWithPassword.mockResolvedValue({ data: {}, error: null })
  auth.admin.signOut.mockResolvedValue({ data: null, error: null })
})

const deleteDialog = <DeleteAccountDialog onClose={() => undefined} />
const { deleteAccount, deleteAccountConfirm, deleteForGood } = texts.settings

test('SET-03 deletes the account after a recent sign-in only with a second button in the same dialog', () => {
  answered.needsPassword = false
  const question = shown(deleteDialog)
  expect(question).toContain(deleteAccountConfirm)
  expect(question).toContain(texts.download.title)
  press(`${deleteAccount} ${texts.delete}`)
  expect(mutated).not.toHaveBeenCalled()
  expect(shown(deleteDialog)).toContain(deleteAccountConfirm)
  press(`${deleteAccount} ${deleteForGood}`)
  expect(mutated.mock.calls).toEqual([[null]])
})

test('SET-03 asks for the password instead of a second button ten minutes after sign-in', () => {
  shown(deleteDialog)
  press(`${deleteAccount} ${texts.delete}`)
  expect(shown(deleteDialog)).toContain('Current password')
  expect(mutated).not.toHaveBeenCalled()
})

test('AUTH-15 asks for the password, and says why, when the sign-in is not recent', () => {
  expect(shown(<ChangeEmailDialog onClose={() => undefined} />)).toContain(
    'You signed in more than ten minutes ago',
  )
  clearPage()
  answered.needsPassword = false
  expect(shown(<ChangeEmailDialog onClose={() => undefined} />)).not.toContain('Current password')
})

test('AUTH-15 explains that an e-mail is taken, and keeps the input', () => {
  answered.mutation = new AppError('conflict', '', '422')
  const dialog = <ChangeEmailDialog onClose={() => undefined} />
  shown(dialog)
  fill('New e-mail', 'taken@example.com')
  send()
  const words = shown(dialog)
  expect(words).toContain('This e-mail is already used by another account.')
  expect(vi.mocked(logFailure).mock.calls).toEqual([['change email', answered.mutation]])
})

test('AUTH-15 asks for the password when the server finds that the sign-in is not recent', () => {
  answered.needsPassword = false
  answered.mutation = new AppError('password-needed', '', '400')
  const dialog = <ChangeEmailDialog onClose={() => undefined} />
  shown(dialog)
  fill('New e-mail', 'new@example.com')
  send()
  expect(shown(dialog)).toContain('Enter your current password to continue.')
})

test('AUTH-15 names the devices, and shows and logs a failure to sign them out', () => {
  expect(shown(<Devices />)).toMatch(/Firefox on Linux This device Unknown device Last used .+ Sign out/)
  answered.mutation = new AppError('offline', '', '')
  shown(<Devices />)
  press('Sign out everywhere else')
  expect(shown(<Devices />)).toContain('Other devices could not be signed out. Please try again.')
  expect(vi.mocked(logFailure).mock.calls).toEqual([['sign out everywhere else', answered.mutation]])
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
