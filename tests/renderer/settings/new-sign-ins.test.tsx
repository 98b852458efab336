import { beforeEach, expect, test, vi } from 'vitest'
import { NewSignInBanner } from '#/renderer/features/settings/components/NewSignInBanner'
import { settingsKeys } from '#/renderer/features/settings/keys'
import { signInChanges } from '#/renderer/features/settings/sign-in-changes'
import { showToast } from '#/renderer/lib/core/toasts'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { pageText, press, settle, show } from '#tests/renderer/dom'

const { asked, rpc, signOut } = vi.hoisted(() => ({ asked: [] as string[], rpc: vi.fn(), signOut: vi.fn() }))

vi.mock('#/renderer/lib/core/toasts', () => ({ showToast: vi.fn() }))
vi.mock('#/renderer/features/auth', () => ({}))
vi.mock('#/renderer/features/messages', () => ({}))
vi.mock('#/renderer/features/post', () => ({}))
vi.mock('#/renderer/features/safety', () => ({}))
vi.mock('#/renderer/features/desktop', async () => import('#/renderer/features/desktop/components/Banner'))
vi.mock('#/renderer/features/settings/components/AccountDialogs', () => ({
  ChangePasswordDialog: ({ description }: { description: string }) => <p>{description}</p>,
}))
vi.mock('#/renderer/lib/server/supabase', () => ({
  supabase: () => ({
    auth: {
      signOut: async (options: unknown) => {
        asked.push('sign out others')
        return signOut(options)
      },
    },
    rpc: async (name: string, args: unknown) => {
      asked.push(name)
      return rpc(name, args)
    },
  }),
  unwrap: async (answer: unknown) => answer,
}))

const PHONE = {
  id: 'phone',
  created_at: '2026-11-26T10:12:00',
  user_agent: 'Mozilla/5.0 (Android 16) Firefox/145.0',
}
const HAND_MADE = { id: 'hand-made', created_at: '2026-11-26T09:00:00', user_agent: null }

beforeEach(() => {
  vi.clearAllMocks()
  asked.length = 0
  signOut.mockResolvedValue({ error: null })
})

test('AUTH-19 asks about the latest sign-in, with its device and time', async () => {
  show(<NewSignInBanner signIns={[PHONE, HAND_MADE]} />)
  expect(pageText()).toContain('New sign-in: Firefox on Android, 26 November 2026, 10:12. Was this you?')
  await press('It was me')
  await settle()
  expect(rpc.mock.calls).toEqual([['answer_sign_in', { sign_in: 'phone', was_me: true }]])
  expect(signOut).not.toHaveBeenCalled()
})

test('AUTH-19 signs out all other devices, then answers all questions and asks for a new password', async () => {
  const { rerender } = show(<NewSignInBanner signIns={[PHONE, HAND_MADE]} />)
  await press('Sign out everywhere else')
  await settle()
  expect(asked).toEqual(['sign out others', 'answer_sign_in', 'answer_sign_in'])
  expect(rpc.mock.calls.map(([, args]) => args)).toEqual([
    { sign_in: 'phone', was_me: false },
    { sign_in: 'hand-made', was_me: false },
  ])
  rerender(<NewSignInBanner signIns={[]} />)
  expect(pageText()).toBe(
    'All other devices are signed out. Choose a new password, because somebody may know the old one.',
  )
})

test('AUTH-19 keeps the question if the other devices could not be signed out', async () => {
  signOut.mockResolvedValue({ error: { status: 500, message: 'Busy' } })
  show(<NewSignInBanner signIns={[PHONE]} />)
  await press('Sign out everywhere else')
  await settle()
  expect(asked).toEqual(['sign out others'])
  expect(showToast).toHaveBeenCalledWith({ text: 'Other devices could not be signed out. Please try again.' })
  expect(pageText()).toContain('Was this you?')
})

test('AUTH-19 an announced sign-in is looked up at once, and after the time in which its device registers', () => {
  vi.useFakeTimers()
  const client = createQueryClient()
  const refetch = vi.spyOn(client, 'invalidateQueries')
  const lookups = () =>
    refetch.mock.calls.filter(([filters]) => filters?.queryKey === settingsKeys.newSignIns).length
  const reader = signInChanges(client).createReader(() => undefined)
  reader.add('insert', { ids: ['phone'] })
  expect(lookups()).toBe(1)
  vi.advanceTimersByTime(60_000)
  expect(lookups()).toBe(1)
  vi.advanceTimersByTime(10_000)
  expect(lookups()).toBe(2)
  reader.add('insert', { ids: ['tablet'] })
  reader.stop()
  vi.advanceTimersByTime(100_000)
  expect(lookups()).toBe(3)
})
