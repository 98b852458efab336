import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openRecoveryLink, useRecoveryLink } from '#/renderer/features/auth/recovery-link'
import { handleRecoveryLinks } from '#/renderer/features/auth/recovery-links'
import { rememberRecovery } from '#/renderer/features/auth/recovery-request'
import { useSessionStore } from '#/renderer/features/auth/session-store'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { useToast } from '#/renderer/lib/core/toasts'
import { texts } from '#/renderer/lib/texts'

const auth = vi.hoisted(() => ({ setSession: vi.fn(), getUser: vi.fn(), refreshSession: vi.fn() }))
const { setSession } = auth

vi.mock('#/renderer/lib/server/supabase', () => ({
  supabase: () => ({ auth }),
  unstoredAuth: () => auth,
  unwrap: (request: unknown) => request,
}))

const authLinks = {
  take: vi.fn(async (): Promise<string | null> => null),
  opened: (_: null): void => undefined,
  onOpened: (listener: (value: null) => void) => {
    authLinks.opened = listener
    return () => undefined
  },
}

const HOUR_MS = 60 * 60_000
const settle = () => new Promise((resolve) => setTimeout(resolve, 0))
const logged = () => vi.mocked(logFailure).mock.calls

let stored: Map<string, string>

/** The fragment of a recovery link for this account, whose token the server accepts. */
function fragmentFor(email: string): string {
  const user = { id: 'mara', email }
  auth.getUser.mockResolvedValue({ data: { user }, error: null })
  const session = { access_token: 'header.new.signature', refresh_token: 'new', user }
  auth.refreshSession.mockResolvedValue({ data: { session }, error: null })
  setSession.mockResolvedValue({ user })
  const exp = Date.now() / 1_000 + 3_600
  const token = `header.${btoa(JSON.stringify({ email, exp }))}.signature`
  return `access_token=${token}&refresh_token=refresh&type=recovery`
}

const problem = () => useRecoveryLink.getState().problem?.message ?? null

beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  vi.mocked(logFailure).mockClear()
  for (const call of Object.values(auth)) call.mockReset()
  authLinks.take.mockReset().mockResolvedValue(null)
  useRecoveryLink.setState({ problem: null })
  useSessionStore.setState({ session: { status: 'signed-out' }, hold: null })
  useToast.setState({ toast: null })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('AUTH-17 opens the session of a link that was requested here, once, and holds the recovery screen', async () => {
  rememberRecovery('Mara@Example.com')
  await openRecoveryLink(fragmentFor('mara@example.com'))
  expect(setSession).toHaveBeenCalledWith({
    access_token: 'header.new.signature',
    refresh_token: 'new',
    user: { id: 'mara', email: 'mara@example.com' },
  })
  expect(useSessionStore.getState().hold).toBe('recovery')
  expect(problem()).toBeNull()
  useSessionStore.setState({ hold: null })
  await openRecoveryLink(fragmentFor('mara@example.com'))
  expect(problem()).toBe(texts.access.linkNotAsked)
})

test.each([
  ['another account', () => fragmentFor('other@example.com')],
  ['a token without an address', () => 'access_token=a.b.c&refresh_token=d&type=recovery'],
])('AUTH-17 refuses a link for %s', async (_, fragment) => {
  rememberRecovery('mara@example.com')
  await openRecoveryLink(fragment())
  expect(setSession).not.toHaveBeenCalled()
  expect(problem()).toBe(texts.access.linkNotAsked)
  expect(useSessionStore.getState().hold).toBeNull()
})

test('AUTH-17 refuses a link a day after it was requested', async () => {
  vi.useFakeTimers()
  rememberRecovery('mara@example.com')
  vi.setSystemTime(Date.now() + 24 * HOUR_MS)
  await openRecoveryLink(fragmentFor('mara@example.com'))
  expect(problem()).toBe(texts.access.linkNotAsked)
})

test('AUTH-17 shows that a link has expired', async () => {
  await openRecoveryLink('error=access_denied&error_code=otp_expired')
  expect(problem()).toBe(texts.access.linkExpired)
})

test.each([
  ['a message', 'Session from link is invalid', 'Session from link is invalid'],
  ['no message', '', texts.access.linkExpired],
])('AUTH-17 shows why the server refuses a link, with %s, and ends the hold', async (_, message, shown) => {
  const cause = new AppError('refused', message, '')
  rememberRecovery('mara@example.com')
  const fragment = fragmentFor('mara@example.com')
  setSession.mockRejectedValue(cause)
  await openRecoveryLink(fragment)
  expect(problem()).toBe(shown)
  expect(useSessionStore.getState().hold).toBeNull()
  expect(logged()).toEqual([['open recovery link', cause]])
})

test('AUTH-17 waits for the session check, and leaves a signed-in member signed in', async () => {
  rememberRecovery('mara@example.com')
  useSessionStore.setState({ session: { status: 'loading' } })
  const opening = openRecoveryLink(fragmentFor('mara@example.com'))
  useSessionStore.setState({ session: { status: 'signed-in', me: { id: 'me' } } as never })
  await opening
  expect(setSession).not.toHaveBeenCalled()
  expect(useToast.getState().toast?.text).toBe(texts.access.linkSignedIn)
})

test('AUTH-17 ignores other links of Supabase Auth', async () => {
  await openRecoveryLink('access_token=a.b.c&refresh_token=d&type=signup')
  expect([problem(), setSession.mock.calls]).toEqual([null, []])
})

test('AUTH-17 opens the link that started the app and later links', async () => {
  rememberRecovery('mara@example.com')
  authLinks.take
    .mockResolvedValueOnce('error_code=otp_expired')
    .mockResolvedValueOnce(fragmentFor('mara@example.com'))
  handleRecoveryLinks(authLinks)
  await vi.waitFor(() => expect(problem()).toBe(texts.access.linkExpired))
  authLinks.opened(null)
  await vi.waitFor(() => expect(problem()).toBeNull())
  expect(setSession).toHaveBeenCalledOnce()
})

test('AUTH-17 logs failures of the desktop and of the storage', async () => {
  const cause = new Error('the main process is gone')
  authLinks.take.mockRejectedValue(cause)
  handleRecoveryLinks(authLinks)
  await settle()
  const full = new Error('the disk is full')
  vi.stubGlobal('localStorage', {
    setItem: () => {
      throw full
    },
  })
  rememberRecovery('mara@example.com')
  expect(logged()).toEqual([
    ['take recovery link', cause],
    ['remember recovery', full],
  ])
})
