import { beforeEach, expect, test, vi } from 'vitest'
import { connect, reconnect, restoreFromDisk } from '#/renderer/app/connect'
import { logFailure } from '#/renderer/lib/core/logger'
import { wait } from '#/renderer/lib/core/schedule'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { gate } from '#tests/gate'

const parts = vi.hoisted(() => ({
  storageKey: async (): Promise<string> => 'embedded',
  current: async (): Promise<object> => ({ storageKey: 'embedded' }),
  user: null as { id: string } | null,
  first: [] as object[],
  signOut: (_wasMember: boolean): void => undefined,
  calls: [] as string[],
  isOver: false,
}))

vi.mock('#/renderer/features/desktop', () => ({
  desktop: {
    server: { storageKey: () => parts.storageKey(), current: () => parts.current() },
    session: {},
    files: { forgetOpened: async () => void parts.calls.push('forget opened files') },
    notifications: { dismiss: async (ids: null) => void parts.calls.push(`dismiss ${ids}`) },
    authLinks: {},
    serverLinks: {},
  },
}))
vi.mock('#/renderer/features/auth', () => ({
  endRefusedSession: () => undefined,
  failRestored: () => parts.calls.push('fail restored'),
  followSignOut: () => undefined,
  followSession: () => parts.calls.push('follow'),
  handleRecoveryLinks: () => undefined,
  handleServerLinks: () => undefined,
  leavePage: () => undefined,
  pageOver: async () => parts.isOver,
  onSignedOut: (listener: (wasMember: boolean) => void) => {
    parts.signOut = listener
  },
  restoreSession: (user: { id: string }, { username }: { username: string }) =>
    parts.calls.push(`restore ${user.id} ${username}`),
  retryEnter: async () => void parts.calls.push('retry'),
}))
vi.mock('#/renderer/lib/server/supabase', () => ({
  askVersions: async () => void parts.calls.push('ask'),
  connectSupabase: () => parts.calls.push('connect'),
  selectSession: () => undefined,
  storedUser: async () => parts.user,
}))
vi.mock('#/renderer/lib/disk-cache/opened-store', () => ({
  openCache: async ({ server, member }: { server: string; member: string }) => {
    parts.calls.push(`open ${server} ${member}`)
    return { first: parts.first }
  },
  closeAndClear: async (server: string) => void parts.calls.push(`clear ${server}`),
}))
vi.mock('#/renderer/features/feed', () => ({ FEED_VIEW: [], feedOnScreen: () => [] }))
vi.mock('#/renderer/features/safety', () => ({ MUTED_KEY: ['muted'] }))
vi.mock('#/renderer/features/messages', () => ({ isOfDeletedConversation: () => false }))
vi.mock('#/renderer/lib/live', () => ({
  checkConnection: () => undefined,
  handleSocketClosed: () => undefined,
  handleVersions: () => undefined,
}))

beforeEach(() => {
  vi.mocked(logFailure).mockClear()
  parts.calls = []
  parts.user = { id: 'ada' }
  parts.first = [{ queryKey: ['own profile'], data: { username: 'ada.l' } }]
  useServerInfo.setState({ server: null, storageKey: null, isConnecting: false, isUnavailable: false })
})

test('FEED-18 the member of the stored session is shown from disk before the server is known', async () => {
  expect(await restoreFromDisk()).toBe(true)
  expect(parts.calls).toEqual(['open embedded ada', 'restore ada ada.l'])
  expect(useServerInfo.getState()).toMatchObject({ server: null, storageKey: 'embedded' })
})

test('FEED-18 without a stored session nothing is read, and without a cached profile nothing is shown', async () => {
  parts.user = null
  expect(await restoreFromDisk()).toBe(false)
  expect(parts.calls).toEqual([])
  parts.user = { id: 'ada' }
  parts.first = []
  expect(await restoreFromDisk()).toBe(false)
  expect(parts.calls).toEqual(['open embedded ada'])
})

test('FEED-18 NOTE-05 the cache is cleared, and notifications are dismissed, as soon as nobody is signed in', async () => {
  await restoreFromDisk()
  parts.calls = []
  parts.signOut(false)
  expect(parts.calls).toEqual(['dismiss null', 'clear embedded'])
})

/** What follows the sign-out of a member. */
const ENDED = ['dismiss null', 'forget opened files', 'clear embedded']

test('AUTH-11 files that the app was opened with are forgotten when their member signs out', async () => {
  await restoreFromDisk()
  parts.calls = []
  parts.signOut(true)
  expect(parts.calls).toEqual(ENDED)
})

/** A page that notes the entries of its history and its reload. */
const page = () => ({
  location: { reload: () => parts.calls.push('reload') },
  navigation: {
    entries: () => [
      { key: 'another document', sameDocument: false },
      { key: 'first', sameDocument: true },
      { key: 'last', sameDocument: true },
    ],
    currentEntry: { key: 'last' },
    traverseTo: (key: string) => ({ finished: Promise.resolve(parts.calls.push(`go to ${key}`)) }),
  },
  history: {
    replaceState: (_: unknown, __: string, address: string) => parts.calls.push(`replace ${address}`),
    pushState: (_: unknown, __: string, address: string) => parts.calls.push(`push ${address}`),
  },
})

test('AUTH-11 AUTH-12 the page of a member is loaded anew once the cache is cleared, and no other', async () => {
  vi.stubGlobal('window', page())
  await restoreFromDisk()
  parts.calls = []
  parts.signOut(true)
  await wait()
  parts.isOver = true
  parts.signOut(true)
  await wait()
  expect(parts.calls).toEqual([...ENDED, ...ENDED, 'go to first', 'replace /', 'push /', 'reload'])
  vi.unstubAllGlobals()
})

test('AUTH-11 it is so too if the host said only later which server it uses', async () => {
  vi.stubGlobal('window', page())
  parts.signOut = () => undefined
  parts.storageKey = () => Promise.reject(new Error('not yet'))
  await restoreFromDisk()
  parts.storageKey = async () => 'embedded'
  await reconnect()
  parts.calls = []
  parts.isOver = true
  parts.signOut(true)
  await wait()
  expect(parts.calls).toEqual([...ENDED, 'go to first', 'replace /', 'push /', 'reload'])
  parts.isOver = false
  vi.unstubAllGlobals()
})

test('a disk that cannot be read is logged, and the app starts without it', async () => {
  const cause = new Error('no keychain')
  parts.storageKey = () => Promise.reject(cause)
  expect(await restoreFromDisk()).toBe(false)
  expect(vi.mocked(logFailure).mock.calls).toEqual([['restore from disk', cause]])
  parts.storageKey = async () => 'embedded'
})

test('FEED-18 a server that is not found counts as unreachable, and is retried', async () => {
  const cause = new Error('backend-failed')
  parts.current = () => Promise.reject(cause)
  await connect()
  expect(parts.calls).toEqual(['fail restored'])
  expect(vi.mocked(logFailure).mock.calls).toEqual([['find the server', cause]])
  expect(useServerInfo.getState().isUnavailable).toBe(true)
  parts.current = async () => ({ storageKey: 'embedded' })
  parts.calls = []
  await reconnect()
  expect(parts.calls).toEqual(['connect', 'ask', 'follow'])
  expect(useServerInfo.getState().isUnavailable).toBe(false)
  await reconnect()
  expect(parts.calls).toEqual(['connect', 'ask', 'follow', 'retry'])
})

test('FEED-18 the session opens once the cached content is on screen, after a bounded wait', async () => {
  vi.useFakeTimers()
  const { opened: shown, open: finish } = gate()
  const connected = connect(shown)
  await vi.advanceTimersByTimeAsync(0)
  expect(parts.calls).toEqual([])
  finish()
  await connected
  expect(parts.calls).toEqual(['connect', 'ask', 'follow'])

  parts.calls = []
  const late = connect(new Promise(() => undefined))
  await vi.advanceTimersByTimeAsync(2_000)
  await late
  expect(parts.calls).toEqual(['connect', 'ask', 'follow'])
  vi.useRealTimers()
})
