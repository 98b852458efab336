import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { setPassword } from '#/renderer/features/auth/mutations'
import { openRecoveryLink, useRecoveryLink } from '#/renderer/features/auth/recovery-link'
import { handleRecoveryLinks } from '#/renderer/features/auth/recovery-links'
import { rememberRecovery } from '#/renderer/features/auth/recovery-request'
import { INITIAL } from '#/renderer/features/auth/session'
import {
  followSession,
  followSignOut,
  holdRecovery,
  leavePage,
  useSessionStore,
} from '#/renderer/features/auth/session-store'
import { recordServerTime } from '#/renderer/lib/core/clock-store'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { useToast } from '#/renderer/lib/core/toasts'
import { connectSupabase, supabase } from '#/renderer/lib/server/supabase'
import { texts } from '#/renderer/lib/texts'
import { type ServerInfo, sessionKey } from '#/shared/server'
import { stopRefreshing } from '#tests/renderer/stop-refresh'

const SERVER: ServerInfo = {
  kind: 'embedded',
  url: 'http://127.0.0.1:1',
  publishableKey: 'sb_publishable_test',
  storageKey: 'embedded',
  demo: [],
  mailFile: null,
}
const HOUR_MS = 60 * 60_000
const EMAIL = 'mara@example.com'

const IDS = {
  mara: '00000000-0000-4000-8000-000000000001',
  eve: '00000000-0000-4000-8000-000000000002',
  niki: '00000000-0000-4000-8000-000000000003',
} as const
type Name = keyof typeof IDS
const nameOf = (id: string) => Object.entries(IDS).find(([, known]) => known === id)?.[0]

/** A user as the server describes it. */
const userOf = (name: Name, email = `${name}@example.com`) => ({ id: IDS[name], email, user_metadata: {} })
const MARA = userOf('mara', 'Mara@Example.com')
const EVE = userOf('eve')
const NIKI = userOf('niki', 'νίκη@example.com')

/** What each of the server's tokens gives. A token that it has not issued is refused. */
const issued = new Map<string, { user: ReturnType<typeof userOf>; exp: number }>()

function token(name: string, email: string, exp = Date.now() + HOUR_MS, iss?: string): string {
  const parts = ['{"alg":"none"}', JSON.stringify({ email, exp: Math.floor(exp / 1_000), iss }), name]
  return parts.map((part) => Buffer.from(part).toString('base64url')).join('.')
}

/** An access token that the server has issued. */
function issue(user: ReturnType<typeof userOf>, exp = Date.now() + HOUR_MS, iss?: string): string {
  const made = token(user.id, user.email, exp, iss)
  issued.set(made, { user, exp })
  return made
}

const fragment = (access: string, refresh: string, type = 'recovery') =>
  `access_token=${access}&expires_in=3600&refresh_token=${refresh}&token_type=bearer&type=${type}`

let now: number
let isOffline: boolean
/** The user that the server names when the app stores the session, if it is another one. */
let lastAnswer: ReturnType<typeof userOf> | null
let writes: string[]
let kept: Map<string, string>
let requests: string[]
let unfollow = (): void => undefined
/** Runs after the app has stored a session. */
let stored = (): void => undefined
/** The accounts whose password was set. */
let changed: (string | undefined)[]

/** A server that checks tokens and their times, and gives `refresh-<name>` a session of that account. */
async function serve(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input)
  requests.push(`${init?.method ?? 'GET'} ${url.pathname}${url.search}`)
  if (isOffline) throw new TypeError('Failed to fetch')
  const headers = { date: new Date(now).toUTCString() }
  const refuse = (code: string, status: number) =>
    Response.json({ code, error_code: code, message: `server: ${code}`, msg: code }, { status, headers })
  const bearer = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '') ?? ''
  if (url.pathname === '/auth/v1/user') {
    const found = issued.get(bearer)
    if (found === undefined || found.exp <= now) return refuse('bad_jwt', 403)
    if (init?.method === 'PUT') changed.push(nameOf(found.user.id))
    const isStored = requests.filter((call) => call === 'GET /auth/v1/user').length > 1
    return Response.json((isStored ? lastAnswer : null) ?? found.user, { headers })
  }
  // The code of the mail is Mara's.
  if (['/auth/v1/token', '/auth/v1/verify'].includes(url.pathname)) {
    const { refresh_token = 'refresh-mara' } = JSON.parse(String(init?.body))
    const user = [MARA, EVE, NIKI].find(({ id }) => refresh_token.startsWith(`refresh-${nameOf(id)}`))
    if (user === undefined) return refuse('refresh_token_not_found', 400)
    const access_token = issue(user, now + HOUR_MS)
    return Response.json(
      {
        access_token,
        refresh_token: `refresh-${nameOf(user.id)}-2`,
        token_type: 'bearer',
        expires_in: 3_600,
        user,
      },
      { headers },
    )
  }
  if (url.pathname === '/auth/v1/logout') return new Response(null, { status: 204, headers })
  if (url.pathname === '/rest/v1/profiles') return Response.json([], { headers })
  throw new Error(`unexpected request: ${url.pathname}`)
}

const problem = () => useRecoveryLink.getState().problem
/** Everything that shows or keeps a session. */
const traces = () => ({
  writes,
  kept: [...kept.keys()],
  hold: useSessionStore.getState().hold,
  status: useSessionStore.getState().session.status,
  opening: useSessionStore.getState().opening,
})
const NOTHING = { writes: [], kept: [], hold: null, status: 'signed-out', opening: null }
const key = sessionKey(SERVER)

beforeEach(async () => {
  now = Date.now()
  isOffline = false
  lastAnswer = null
  writes = []
  changed = []
  stored = () => undefined
  requests = []
  kept = new Map()
  issued.clear()
  const local = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => local.get(name) ?? null,
    setItem: (name: string, value: string) => {
      if (!name.startsWith('vignette.recovery.')) writes.push(`localStorage ${name}`)
      local.set(name, value)
    },
    removeItem: (name: string) => local.delete(name),
  })
  vi.stubGlobal('fetch', serve)
  // Node 20 has no built-in one.
  vi.stubGlobal('WebSocket', WebSocket)
  recordServerTime({ headers: new Headers({ date: new Date(now).toUTCString() }) })
  useRecoveryLink.setState({ problem: null })
  useServerInfo.setState({ server: SERVER, storageKey: SERVER.storageKey })
  useSessionStore.setState(INITIAL)
  const client = connectSupabase(
    SERVER,
    {
      getItem: async (name) => kept.get(name) ?? null,
      setItem: async (name, value) => {
        writes.push(`vault ${name} ${nameOf(JSON.parse(value).user.id)}`)
        kept.set(name, value)
        stored()
      },
      removeItem: async (name) => void kept.delete(name),
      persistence: async () => 'browser',
      keepAnyway: async () => undefined,
    },
    {
      onSocketClosed: () => undefined,
      onSlowResponse: () => undefined,
      onSessionRefused: () => undefined,
      onOthersSession: leavePage,
      onSignedOut: followSignOut,
      onVersions: () => undefined,
    },
  )
  await stopRefreshing(client.auth)
  unfollow = followSession(client)
  await vi.waitFor(() => expect(useSessionStore.getState().session.status).toBe('signed-out'))
  rememberRecovery(EMAIL)
})

afterEach(async () => {
  // A session that is still being opened would send its requests in the next file of this worker, to whatever that has for a server.
  await vi.waitFor(() => expect(useSessionStore.getState().opening).toBeNull())
  unfollow()
  vi.unstubAllGlobals()
})

test('AUTH-18 a recovery link signs in to the account that asked for it', async () => {
  await openRecoveryLink(fragment(issue(MARA), 'refresh-mara'))
  expect(problem()).toBeNull()
  expect(useSessionStore.getState().hold).toBe('recovery')
  expect(writes).toEqual([`vault ${key} mara`])
  // Its tokens are the ones that the server has given after both of the link's were checked.
  expect(JSON.parse(kept.get(key) ?? '').refresh_token).toBe('refresh-mara-2')
  await vi.waitFor(() => expect(useSessionStore.getState().session).toMatchObject({ user: { id: IDS.mara } }))
})

test('AUTH-18 an address may have letters of any script', async () => {
  rememberRecovery('Νίκη@Example.com')
  await openRecoveryLink(fragment(issue(NIKI), 'refresh-niki'))
  expect(problem()).toBeNull()
  expect(writes).toEqual([`vault ${key} niki`])
})

const expired = () => Date.now() - 2 * HOUR_MS

test.each([
  [
    'an unsigned, expired token with the address that asked',
    () => [token('forged', EMAIL, expired()), 'eve'],
  ],
  ['an unsigned token that has not expired', () => [token('forged', EMAIL), 'eve']],
  ['an expired token of the account that asked', () => [issue(MARA, expired()), 'mara']],
  ['an expired token, and the refresh token of another account', () => [issue(MARA, expired()), 'eve']],
  ['a refresh token that the server does not know', () => [issue(MARA), 'nobody']],
])('AUTH-18 refuses a link with %s, and leaves nothing of it', async (_, link) => {
  const [access = '', refresh = ''] = link()
  await openRecoveryLink(fragment(access, `refresh-${refresh}`))
  expect(problem()).toEqual({ message: texts.access.linkExpired, advice: null })
  expect(traces()).toEqual(NOTHING)
})

test.each([
  [
    'a token signed for another account with the address that asked',
    () => {
      const access = token('eve', EMAIL)
      issued.set(access, { user: EVE, exp: now + HOUR_MS })
      return [access, 'eve']
    },
  ],
  ['a token of another account', () => [issue(EVE), 'eve']],
  ['the refresh token of another account', () => [issue(MARA), 'eve']],
])('AUTH-18 refuses a link with %s, and leaves nothing of it', async (_, link) => {
  const [access = '', refresh = ''] = link()
  await openRecoveryLink(fragment(access, `refresh-${refresh}`))
  expect(problem()).toEqual({ message: texts.access.linkNotAsked, advice: null })
  expect(traces()).toEqual(NOTHING)
})

test('AUTH-18 does not refresh the session of a link whose access token is refused', async () => {
  await openRecoveryLink(fragment(token('forged', EMAIL, expired()), 'refresh-eve'))
  expect(requests).toEqual(['GET /auth/v1/user'])
})

test('AUTH-18 forgets the session if the server finally names another account', async () => {
  lastAnswer = EVE
  await openRecoveryLink(fragment(issue(MARA), 'refresh-mara'))
  expect(problem()).toEqual({ message: texts.access.linkNotAsked, advice: null })
  expect(traces()).toEqual({ ...NOTHING, writes: [`vault ${key} eve`] })
})

test.each([2, -2])(
  'AUTH-18 judges a link by the server’s time if this clock differs by %i hours',
  async (hours) => {
    now = Date.now() + hours * HOUR_MS
    await openRecoveryLink(fragment(issue(MARA, now + HOUR_MS / 2), 'refresh-mara'))
    expect(problem()).toBeNull()
    expect(JSON.parse(kept.get(key) ?? '').user.id).toBe(IDS.mara)
  },
)

test('AUTH-18 refuses a token that has expired by the server’s time, although the server accepts it', async () => {
  const access = issue(MARA, Date.now() + HOUR_MS)
  issued.set(access, { user: MARA, exp: Number.POSITIVE_INFINITY })
  now = Date.now() + 2 * HOUR_MS
  await openRecoveryLink(fragment(access, 'refresh-mara'))
  expect(problem()?.message).toBe(texts.access.linkExpired)
  expect(traces()).toEqual(NOTHING)
})

test('AUTH-18 stores nothing without a connection, and the link works later', async () => {
  const link = fragment(issue(MARA), 'refresh-mara')
  isOffline = true
  await openRecoveryLink(link)
  expect(problem()).toEqual({ message: texts.access.linkExpired, advice: texts.access.offline })
  expect(traces()).toEqual(NOTHING)
  isOffline = false
  await openRecoveryLink(link)
  expect(problem()).toBeNull()
  expect([...kept.keys()]).toEqual([key])
})

test.each(['magiclink', 'signup', 'invite', 'email_change', 'recovery2'])(
  'AUTH-18 a link of the type %s signs in to nothing',
  async (type) => {
    await openRecoveryLink(fragment(issue(MARA), 'refresh-mara', type))
    await openRecoveryLink(`error_code=x&${fragment(issue(MARA), 'refresh-mara', type)}`)
    await openRecoveryLink(`token_hash=abc&type=${type}`)
    await openRecoveryLink(`code=abc&type=recovery`)
    expect(requests).toEqual([])
    expect(traces()).toEqual(NOTHING)
  },
)

test('AUTH-18 the link of a server is not opened on another one, which gets none of its tokens', async () => {
  useServerInfo.setState({ storageKey: 'other.example' })
  await openRecoveryLink(fragment(issue(MARA), 'refresh-mara'))
  expect(problem()).toEqual({ message: texts.access.linkNotAsked, advice: null })
  expect([requests, traces()]).toEqual([[], NOTHING])
  // It still opens where it was asked for.
  useServerInfo.setState({ storageKey: SERVER.storageKey })
  await openRecoveryLink(fragment(issue(MARA), 'refresh-mara'))
  expect(problem()).toBeNull()
})

test.each([
  'https://other.example/auth/v1',
  'http://127.0.0.1:2/auth/v1',
  'https://127.0.0.1.example/auth/v1',
])('AUTH-18 a server that made %s send its mail gets none of its tokens', async (iss) => {
  await openRecoveryLink(fragment(issue(MARA, undefined, iss), 'refresh-mara'))
  expect(problem()).toEqual({ message: texts.access.linkOfOtherServer, advice: null })
  expect([requests, traces()]).toEqual([[], NOTHING])
})

test.each(['http://127.0.0.1:1/auth/v1', 'http://localhost:1/auth/v1', 'http://127.0.0.1:1', 'supabase', ''])(
  'AUTH-18 a link of this server opens, whose tokens name %j as issuer',
  async (iss) => {
    await openRecoveryLink(fragment(issue(MARA, undefined, iss), 'refresh-mara'))
    expect(problem()).toBeNull()
  },
)

describe('AUTH-12 AUTH-18 a new password', () => {
  const BY_CODE = { email: EMAIL, code: '123456', member: null }
  const ACCEPTED = { ...BY_CODE, member: IDS.mara }
  const evesSession = () => ({
    access_token: issue(EVE),
    refresh_token: 'refresh-eve',
    token_type: 'bearer',
    expires_in: 3_600,
    expires_at: Math.floor(now / 1_000) + 3_600,
    user: EVE,
  })
  /** Another window signs Eve in, and its report is still on its way. */
  const signInEve = () => void kept.set(key, JSON.stringify(evesSession()))

  beforeEach(() => {
    const session = new Map<string, string>()
    vi.stubGlobal('sessionStorage', {
      getItem: (name: string) => session.get(name) ?? null,
      setItem: (name: string, value: string) => session.set(name, value),
      removeItem: (name: string) => session.delete(name),
    })
    useToast.setState({ toast: null })
  })

  /** What the page says after its reload. */
  const said = () => {
    handleRecoveryLinks({ take: async () => null, onOpened: () => () => undefined })
    return useToast.getState().toast?.text
  }

  test('is set for the member of the code, at once or after one that was refused', async () => {
    await setPassword(BY_CODE, 'a new horse')
    expect(useSessionStore.getState()).toMatchObject({ owner: IDS.mara, hold: null })
    await setPassword(ACCEPTED, 'another horse')
    expect(changed).toEqual(['mara', 'mara'])
    expect(said()).toBeUndefined()
  })

  test.each([
    ['the code was accepted', BY_CODE],
    ['the form waits for another password', ACCEPTED],
  ])('is not set for a member whom another window signs in when %s, and the page says so', async (_, by) => {
    if (by === ACCEPTED) await supabase().auth.verifyOtp({ email: EMAIL, token: '123456', type: 'recovery' })
    if (by === ACCEPTED) signInEve()
    else stored = signInEve
    await expect(setPassword(by, 'a new horse')).rejects.toMatchObject({ code: 'session-expired' })
    expect(changed).toEqual([])
    expect(useSessionStore.getState().session).toEqual({ status: 'left' })
    expect(JSON.parse(kept.get(key) ?? '').user.id).toBe(IDS.eve)
    expect(said()).toBe(texts.auth.recoveryLost)
    useToast.setState({ toast: null })
    expect(said()).toBeUndefined()
  })

  test('is not set in a page that another member has got while the link was being opened', async () => {
    holdRecovery(IDS.mara)
    await supabase().auth.setSession(evesSession())
    expect(useSessionStore.getState().hold).toBeNull()
    await expect(setPassword(ACCEPTED, 'a new horse')).rejects.toMatchObject({ code: 'session-expired' })
    expect(changed).toEqual([])
  })
})
