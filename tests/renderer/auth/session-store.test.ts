import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import WebSocket from 'ws'
import { INITIAL } from '#/renderer/features/auth/session'
import {
  checkSession,
  chooseUsername,
  endRefusedSession,
  failRestored,
  followSession,
  followSignOut,
  holdWelcome,
  leavePage,
  onSignedOut,
  pageOver,
  refreshProfile,
  restoreSession,
  retryEnter,
  signOut,
  useSessionStore,
  whileEnding,
} from '#/renderer/features/auth/session-store'
import { connectLogger } from '#/renderer/lib/core/logger'
import { sessionStatus } from '#/renderer/lib/server/session/session-status-store'
import {
  type AuthChangeEvent,
  connectSupabase,
  forgetSession,
  type Session,
  storageRequest,
  supabase,
} from '#/renderer/lib/server/supabase'
import type { DesktopBridge } from '#/shared/bridge'
import { type ServerInfo, sessionKey } from '#/shared/server'
import { gate } from '#tests/gate'
import { PROFILE } from '#tests/renderer/lib/server/session/auth-server'
import { stopRefreshing } from '#tests/renderer/stop-refresh'

const SERVER: ServerInfo = {
  kind: 'embedded',
  url: 'http://127.0.0.1:1',
  publishableKey: 'sb_publishable_test',
  storageKey: 'embedded',
  demo: [],
  mailFile: null,
}
const KEY = sessionKey(SERVER)
const ID = '00000000-0000-4000-8000-000000000001'
const OTHER = '00000000-0000-4000-8000-000000000002'

type Answer = { status: number; json: unknown } | 'no network'
type Answering = Answer | ((token: string | null) => Answer | Promise<Answer>)

/** Responses by method and path; an unknown request throws. */
const answers = new Map<string, Answering>()
const asked: string[] = []

async function fakeFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const { pathname } = new URL(input instanceof Request ? input.url : input)
  const call = `${init?.method ?? 'GET'} ${pathname}`
  asked.push(call)
  const answering = answers.get(call)
  if (answering === undefined) throw new Error(`unexpected request: ${call}`)
  const token = new Headers(init?.headers).get('Authorization')
  const answer = await (typeof answering === 'function' ? answering(token) : answering)
  if (answer === 'no network') throw new TypeError('Failed to fetch')
  return Response.json(answer.json, { status: answer.status })
}

function sessionAs(patch: { id?: string; email?: string; metadata?: Record<string, unknown> } = {}): Session {
  const { id = ID, email = 'mara@example.com', metadata = {} } = patch
  return {
    access_token: 'header.payload.signature',
    refresh_token: 'refresh',
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: Math.floor(Date.now() / 1000) + 3600,
    user: {
      id,
      email,
      aud: 'authenticated',
      app_metadata: {},
      user_metadata: metadata,
      created_at: '2026-11-21T12:00:00Z',
    },
  }
}

/** Delays the response until the returned function is called, which waits until the caller has handled it. */
function delay(call: string, answer: Answer): () => Promise<void> {
  const { opened: released, open: release } = gate()
  answers.set(call, async () => {
    await released
    return answer
  })
  return async () => {
    release()
    // This request takes the same steps as the delayed one and starts later, so it also ends later.
    answers.set('GET /rest/v1/profiles', { status: 200, json: [] })
    await supabase().from('profiles').select('id').maybeSingle()
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
}

const state = () => useSessionStore.getState().session
const hold = () => useSessionStore.getState().hold
const profileReads = () => asked.filter((call) => call === 'GET /rest/v1/profiles').length

const kept = new Map<string, string>()
/** Whether removing from the store fails. */
let isStoreStuck = false
/** Whether reading the store fails. */
let isStoreUnreadable = false
/** The logged failures. */
let logged: string[]
let unfollow = (): void => undefined
let emit: (event: AuthChangeEvent, session: Session | null) => void

/** Follows a client whose events the test emits; its requests go to the fake server. */
async function follow(stored: Session | null): Promise<void> {
  if (stored !== null) kept.set(KEY, JSON.stringify(stored))
  const client = connectSupabase(
    SERVER,
    {
      getItem: async (key) => {
        if (isStoreUnreadable) throw new Error('EIO: i/o error')
        return kept.get(key) ?? null
      },
      setItem: async (key, value) => void kept.set(key, value),
      removeItem: async (key) => {
        if (isStoreStuck) throw new Error('ENOSPC: no space left on device')
        kept.delete(key)
      },
      persistence: async () => 'browser',
      keepAnyway: async () => undefined,
    },
    {
      onSocketClosed: () => undefined,
      onSlowResponse: () => undefined,
      onSessionRefused: endRefusedSession,
      onOthersSession: leavePage,
      onSignedOut: followSignOut,
      onVersions: () => undefined,
    },
  )
  await stopRefreshing(client.auth)
  vi.spyOn(client.auth, 'onAuthStateChange').mockImplementation((listener) => {
    emit = listener
    return { data: { subscription: { id: 'test', callback: listener, unsubscribe: () => undefined } } }
  })
  unfollow = followSession(client)
}

async function settled(status: ReturnType<typeof state>['status']): Promise<void> {
  await vi.waitFor(() => expect(state().status).toBe(status))
}

async function signedIn(): Promise<void> {
  answers.set('GET /rest/v1/profiles', { status: 200, json: [PROFILE] })
  await follow(sessionAs())
  emit('SIGNED_IN', sessionAs())
  await settled('signed-in')
}

beforeEach(() => {
  vi.stubGlobal('fetch', fakeFetch)
  // Node 20 has no built-in one.
  vi.stubGlobal('WebSocket', WebSocket)
  answers.clear()
  answers.set('GET /auth/v1/user', { status: 200, json: sessionAs().user })
  asked.length = 0
  kept.clear()
  isStoreStuck = false
  isStoreUnreadable = false
  logged = []
  connectLogger({ log: { write: async (_level, line) => void logged.push(line) } } as DesktopBridge)
  useSessionStore.setState(INITIAL)
})

afterEach(() => {
  unfollow()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('a start without a response of the server', () => {
  test('is unreachable after eight seconds with an expired session, and a later token still opens it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    // The client reports nothing until it has a token.
    await follow(sessionAs())
    await vi.advanceTimersByTimeAsync(7_999)
    expect(state().status).toBe('loading')
    await vi.advanceTimersByTimeAsync(1)
    expect(state()).toMatchObject({ status: 'unreachable', user: { id: ID } })

    vi.useRealTimers()
    answers.set('GET /rest/v1/profiles', { status: 200, json: [PROFILE] })
    emit('TOKEN_REFRESHED', sessionAs())
    await settled('signed-in')
  })

  test('is signed out immediately without a session', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const signedOut = vi.fn()
    onTestFinished(onSignedOut(signedOut))
    await follow(null)
    emit('INITIAL_SESSION', null)
    await vi.advanceTimersByTimeAsync(0)
    expect(state().status).toBe('signed-out')
    expect(signedOut).toHaveBeenCalledExactlyOnceWith(false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(state().status).toBe('signed-out')
  })
})

describe('AUTH-16 a session that was ended elsewhere', () => {
  const ended = { status: 403, json: { error_code: 'session_not_found', msg: 'Session does not exist' } }

  test('FEED-18 a restored session that has ended is removed from the screen and from this device', async () => {
    answers.set('GET /rest/v1/profiles', { status: 200, json: [] })
    answers.set('GET /auth/v1/user', ended)
    restoreSession(sessionAs().user, PROFILE)
    const signedOut = vi.fn()
    onTestFinished(onSignedOut(signedOut))
    await follow(sessionAs())
    emit('INITIAL_SESSION', sessionAs())
    await settled('left')
    expect(await pageOver()).toBe(true)
    expect(kept.has(KEY)).toBe(false)
    expect(signedOut).toHaveBeenCalledOnce()
    expect(sessionStatus.getState().status).toBe('ended')
  })

  test('signs out when the server reports it, and logs nothing', async () => {
    await signedIn()
    answers.set('GET /auth/v1/user', ended)
    await checkSession()
    expect(kept.get(KEY)).toBeUndefined()
    expect(logged).toEqual([])
  })

  test('stays signed in when the server cannot answer', async () => {
    await signedIn()
    answers.set('GET /auth/v1/user', { status: 500, json: { message: 'Busy' } })
    await checkSession()
    expect(state().status).toBe('signed-in')
    expect(kept.get(KEY)).toBeDefined()
    expect(logged).toEqual(['check session: server AuthRetryableFetchError 500'])
  })
})

describe('AUTH-12 events of the session', () => {
  test('SIGNED_IN loads the profile once, though a session found at start is reported twice', async () => {
    answers.set('GET /rest/v1/profiles', { status: 200, json: [PROFILE] })
    await follow(sessionAs())
    emit('SIGNED_IN', sessionAs())
    emit('INITIAL_SESSION', sessionAs())
    await settled('signed-in')
    expect(state()).toEqual({
      status: 'signed-in',
      me: { id: ID, email: 'mara@example.com', profile: PROFILE },
    })
    expect(profileReads()).toBe(1)
  })

  test('ignores a profile that arrives after sign-out', async () => {
    const respond = delay('GET /rest/v1/profiles', { status: 200, json: [PROFILE] })
    await follow(sessionAs())
    emit('SIGNED_IN', sessionAs())
    await vi.waitFor(() => expect(profileReads()).toBe(1))
    emit('SIGNED_OUT', null)
    await respond()
    expect(state()).toEqual({ status: 'signed-out' })
  })

  test('ignores the refreshed profile that arrives after sign-out', async () => {
    await signedIn()
    const respond = delay('GET /rest/v1/profiles', { status: 200, json: [PROFILE] })
    const refreshing = refreshProfile()
    await vi.waitFor(() => expect(profileReads()).toBe(2))
    emit('SIGNED_OUT', null)
    await respond()
    await refreshing
    expect(state()).toEqual({ status: 'left' })
  })

  test('saved fields of the profile show although the refresh fails, unless they are of another member', async () => {
    await signedIn()
    answers.set('GET /rest/v1/profiles', 'no network')
    const saved = { id: ID, username: 'mara.lind', is_private: true }
    await expect(refreshProfile(saved)).rejects.toMatchObject({ code: 'offline' })
    expect(state()).toMatchObject({ me: { profile: { ...PROFILE, ...saved } } })
    await expect(refreshProfile({ id: 'other', username: 'noor' })).rejects.toMatchObject({ code: 'offline' })
    expect(state()).toMatchObject({ me: { profile: { username: 'mara.lind' } } })
  })

  test('ignores the chosen username that is confirmed after sign-out', async () => {
    answers.set('GET /rest/v1/profiles', { status: 200, json: [] })
    await follow(sessionAs())
    emit('SIGNED_IN', sessionAs())
    await settled('needs-username')
    const respond = delay('POST /rest/v1/profiles', { status: 201, json: PROFILE })
    const choosing = chooseUsername('mara')
    await vi.waitFor(() => expect(asked).toContain('POST /rest/v1/profiles'))
    emit('SIGNED_OUT', null)
    await respond()
    await choosing
    expect(state()).toEqual({ status: 'signed-out' })
    expect(hold()).toBeNull()
  })

  test.each(['TOKEN_REFRESHED', 'SIGNED_IN'] as const)(
    '%s of the signed-in member changes nothing',
    async (event) => {
      await signedIn()
      const before = state()
      emit(event, sessionAs())
      await new Promise((resolve) => setTimeout(resolve, 0))
      expect(state()).toBe(before)
      expect(profileReads()).toBe(1)
    },
  )

  test('USER_UPDATED shows the new address', async () => {
    await signedIn()
    emit('USER_UPDATED', sessionAs({ email: 'new@example.com' }))
    expect(state()).toMatchObject({ me: { email: 'new@example.com', profile: PROFILE } })
    expect(profileReads()).toBe(1)
  })

  test('PASSWORD_RECOVERY holds the screen until the account was updated', async () => {
    answers.set('GET /rest/v1/profiles', { status: 200, json: [PROFILE] })
    await follow(sessionAs())
    emit('PASSWORD_RECOVERY', sessionAs())
    await settled('signed-in')
    expect(hold()).toBe('recovery')
    emit('USER_UPDATED', sessionAs())
    expect(hold()).toBeNull()
  })

  test('waits for the stored session of another window', async () => {
    answers.set('GET /rest/v1/profiles', { status: 200, json: [PROFILE] })
    await follow(null)
    emit('SIGNED_IN', sessionAs())
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(profileReads()).toBe(0)
    kept.set(KEY, JSON.stringify(sessionAs()))
    await settled('signed-in')
  })

  test('a session that never arrives counts as failed', async () => {
    await follow(null)
    vi.useFakeTimers()
    emit('SIGNED_IN', sessionAs())
    await vi.advanceTimersByTimeAsync(5_000)
    expect(state()).toEqual({ status: 'signed-out', hasFailed: true })
    expect(asked).toEqual([])
  })

  test('the sign-in of another member in another window ends the page', async () => {
    await signedIn()
    const signedOut = vi.fn()
    onTestFinished(onSignedOut(signedOut))
    kept.set(KEY, JSON.stringify(sessionAs({ id: OTHER })))
    emit('SIGNED_IN', sessionAs({ id: OTHER }))
    expect(state()).toEqual({ status: 'left' })
    expect(signedOut).toHaveBeenCalledOnce()
    expect(await pageOver()).toBe(true)
    expect(profileReads()).toBe(1)
  })
})

describe('AUTH-10 at the start', () => {
  test('keeps a stored session that cannot be refreshed now, and opens it later', async () => {
    const stored = sessionAs()
    await follow(stored)
    emit('INITIAL_SESSION', null)
    await settled('unreachable')
    expect(kept.has(KEY)).toBe(true)
    answers.set('GET /rest/v1/profiles', { status: 200, json: [PROFILE] })
    emit('TOKEN_REFRESHED', stored)
    await settled('signed-in')
  })

  test('is signed out if the store cannot be read, and logs that', async () => {
    await follow(null)
    // The client itself reads the store first.
    await supabase().auth.getSession()
    isStoreUnreadable = true
    emit('INITIAL_SESSION', null)
    await settled('signed-out')
    expect(logged).toEqual(['read stored session: Error: EIO: i/o error'])
  })

  test('is signed out if a session that the app cannot use cannot be removed, and logs that', async () => {
    isStoreStuck = true
    kept.set(KEY, '{}')
    await follow(null)
    await supabase().auth.getSession()
    emit('INITIAL_SESSION', null)
    await settled('signed-out')
    expect(logged).toContain('remove unusable session: Error: ENOSPC: no space left on device')
  })

  test('opens the session on retry after an unreachable server', async () => {
    answers.set('GET /rest/v1/profiles', 'no network')
    await follow(sessionAs())
    emit('SIGNED_IN', sessionAs())
    await settled('unreachable')
    answers.set('GET /rest/v1/profiles', { status: 200, json: [PROFILE] })
    await retryEnter()
    expect(state().status).toBe('signed-in')
  })

  test('FEED-18 confirms a restored session, and reports its state', async () => {
    answers.set('GET /rest/v1/profiles', 'no network')
    restoreSession(sessionAs().user, PROFILE)
    expect(sessionStatus.getState()).toEqual({ status: 'restored', member: ID })
    await follow(sessionAs())
    emit('INITIAL_SESSION', sessionAs())
    await vi.waitFor(() => expect(state()).toMatchObject({ restored: { isUnreachable: true } }))
    expect(state().status).toBe('signed-in')
    answers.set('GET /rest/v1/profiles', { status: 200, json: [{ ...PROFILE, full_name: 'Mara' }] })
    await retryEnter()
    expect(state()).toMatchObject({ me: { profile: { full_name: 'Mara' } } })
    expect(sessionStatus.getState()).toEqual({ status: 'confirmed', member: ID })
  })

  test('FEED-18 a restored session counts as unreachable when its server is not found', () => {
    failRestored()
    expect(state().status).toBe('loading')
    restoreSession(sessionAs().user, PROFILE)
    failRestored()
    expect(state()).toMatchObject({ status: 'signed-in', restored: { isUnreachable: true } })
  })

  test('signs out of a deleted account', async () => {
    answers.set('GET /rest/v1/profiles', { status: 200, json: [] })
    answers.set('POST /rest/v1/profiles', { status: 409, json: { code: '23503', message: 'no such user' } })
    answers.set('POST /auth/v1/logout', { status: 204, json: {} })
    await follow(sessionAs())
    emit('SIGNED_IN', sessionAs({ metadata: { username: 'mara' } }))
    await vi.waitFor(() => expect(kept.has(KEY)).toBe(false))
  })

  test('keeps the session when the server forbids the read', async () => {
    answers.set('GET /rest/v1/profiles', { status: 403, json: { code: '42501', message: 'denied' } })
    await follow(sessionAs())
    emit('SIGNED_IN', sessionAs())
    await settled('unreachable')
    expect(kept.has(KEY)).toBe(true)
  })
})

describe('AUTH-10 a token that the server rejects before it expires by this machine’s clock', () => {
  const EXPIRED = { status: 401, json: { code: 'PGRST303', message: 'JWT expired' } }
  const RENEWED = { ...sessionAs(), access_token: 'header.payload.renewed', refresh_token: 'next' }
  const GONE = { status: 400, json: { code: 'refresh_token_not_found', message: 'gone' } }
  const renewals = () => asked.filter((call) => call === 'POST /auth/v1/token').length

  /** The server accepts only the renewed token, and responds to the renewal with `renewal`. */
  function expire(renewal: Answer): void {
    answers.set('GET /rest/v1/profiles', (token) =>
      token === `Bearer ${RENEWED.access_token}` ? { status: 200, json: [PROFILE] } : EXPIRED,
    )
    answers.set('POST /auth/v1/token', renewal)
    answers.set('POST /auth/v1/logout', { status: 401, json: { code: 'bad_jwt', message: 'expired' } })
  }

  test('is renewed, and the member does not notice', async () => {
    await follow(sessionAs())
    expire({ status: 200, json: RENEWED })
    emit('SIGNED_IN', sessionAs())
    await settled('signed-in')
    expect(renewals()).toBe(1)
    expect(kept.get(KEY)).toContain(RENEWED.access_token)
  })

  test('is kept while it cannot be renewed', async () => {
    await follow(sessionAs())
    expire('no network')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    emit('SIGNED_IN', sessionAs())
    // The client retries the token for longer than a member should see a spinner.
    await vi.advanceTimersByTimeAsync(9_000)
    await settled('unreachable')
    expect(kept.has(KEY)).toBe(true)
  })

  test('ends with its session when the renewal is refused, and the form is notified', async () => {
    await follow(sessionAs())
    expire(GONE)
    emit('SIGNED_IN', sessionAs())
    await settled('signed-out')
    expect(state()).toEqual({ status: 'signed-out', hasFailed: true })
    expect(kept.size).toBe(0)
  })

  test('while signed in is renewed once for all its requests', async () => {
    await signedIn()
    expire({ status: 200, json: RENEWED })
    const reads = await Promise.all([1, 2, 3].map(() => supabase().from('profiles').select('id')))
    expect(reads.map(({ error }) => error)).toEqual([null, null, null])
    expect(renewals()).toBe(1)
    expect(state().status).toBe('signed-in')
  })

  test('while signed in ends the session when its renewal is refused', async () => {
    await signedIn()
    expire(GONE)
    const { error } = await supabase().from('profiles').select('id')
    expect(error).toMatchObject({ code: 'PGRST303' })
    await vi.waitFor(() => expect(kept.size).toBe(0))
  })
})

describe('AUTH-13 AUTH-09 the profile created at the first sign-in', () => {
  const METADATA = { username: 'Mara', full_name: ' Mara Lind ' }

  test('is created from the sign-up data', async () => {
    const bodies: unknown[] = []
    vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
      if (String(input).endsWith('/auth/v1/user')) return Response.json(sessionAs().user)
      if (init?.method === 'POST') bodies.push(JSON.parse(String(init.body)))
      return Response.json(init?.method === 'POST' ? PROFILE : [], { status: 200 })
    })
    await follow(sessionAs())
    emit('SIGNED_IN', sessionAs({ metadata: METADATA }))
    await settled('signed-in')
    expect(bodies).toEqual([{ id: ID, username: 'mara', full_name: 'Mara Lind' }])
  })

  test.each([
    ['without a name in the data', {}, false],
    ['with a name that is not text', { username: 7 }, false],
    ['with a name that is taken', METADATA, true],
  ])('%s asks for a username, and the welcome waits', async (_, metadata, isTaken) => {
    answers.set('GET /rest/v1/profiles', { status: 200, json: [] })
    answers.set('POST /rest/v1/profiles', { status: 409, json: { code: '23505', message: 'taken' } })
    await follow(sessionAs())
    holdWelcome()
    emit('SIGNED_IN', sessionAs({ metadata }))
    await settled('needs-username')
    expect(state()).toMatchObject({ isTaken })
    expect(hold()).toBeNull()

    await expect(chooseUsername('noor')).rejects.toMatchObject({ code: 'conflict' })
    expect(hold()).toBeNull()
    answers.set('POST /rest/v1/profiles', { status: 201, json: PROFILE })
    await chooseUsername('mara')
    expect(state().status).toBe('signed-in')
    expect(hold()).toBe('welcome')
  })
})

test('AUTH-11 signing out leaves nothing stored, even if the server is not reached', async () => {
  await signedIn()
  answers.set('POST /auth/v1/logout', 'no network')
  await signOut()
  expect(kept.size).toBe(0)
  expect(state()).toEqual({ status: 'left' })
})

test('AUTH-11 ends the session after pending requests are answered', async () => {
  await signedIn()
  answers.set('POST /auth/v1/logout', { status: 204, json: {} })
  const respond = delay('GET /rest/v1/profiles', { status: 200, json: [PROFILE] })
  const refreshing = refreshProfile()
  await vi.waitFor(() => expect(profileReads()).toBe(2))
  const leaving = signOut()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(asked).not.toContain('POST /auth/v1/logout')
  await respond()
  await Promise.all([refreshing, leaving])
  expect(asked).toContain('POST /auth/v1/logout')
  expect(state()).toEqual({ status: 'left' })
})

test('AUTH-11 AUTH-15 marks the session as ending while the server ends it, and no longer if it stays', async () => {
  await signedIn()
  const isEnding = () => useSessionStore.getState().isEnding
  const refused = whileEnding(async () => {
    expect(isEnding()).toBe(true)
    throw new Error('refused')
  })
  await expect(refused).rejects.toThrow('refused')
  expect(isEnding()).toBe(false)
  let wasEnding: boolean | null = null
  answers.set('POST /auth/v1/logout', () => {
    wasEnding = isEnding()
    return { status: 204, json: {} }
  })
  await signOut()
  expect(wasEnding).toBe(true)
  expect(isEnding()).toBe(false)
})

test.each([
  ['responds', { status: 204, json: {} }],
  ['cannot be reached', 'no network'],
] as const)('AUTH-11 signs out although the disk is full, when the server %s', async (_, answer) => {
  await signedIn()
  answers.set('POST /auth/v1/logout', answer)
  isStoreStuck = true
  await signOut()
  expect(state()).toEqual({ status: 'left' })
  expect(logged).toContain('remove stored session: Error: ENOSPC: no space left on device')
})

describe('AUTH-11 AUTH-12 a sign-out and the other windows', () => {
  /** Whose sign-outs another window gets. */
  let told: unknown[]
  let other: BroadcastChannel

  beforeEach(() => {
    told = []
    other = new BroadcastChannel(`${KEY} sign-outs`)
    other.onmessage = ({ data }: { data: unknown }) => void told.push(data)
  })
  afterEach(() => other.close())

  test.each([
    ['valid', 3_600],
    ['expired', -60],
  ])('does not wait for a server that does not answer, when the token is %s', async (_, seconds) => {
    await signedIn()
    const expires_at = Math.floor(Date.now() / 1_000) + seconds
    kept.set(KEY, JSON.stringify({ ...sessionAs(), expires_at }))
    const { opened, open } = gate()
    for (const call of ['POST /auth/v1/logout', 'POST /auth/v1/token'])
      answers.set(call, async () => {
        await opened
        return { status: 400, json: { code: 'refresh_token_not_found', message: 'gone' } }
      })
    onTestFinished(async () => {
      open()
      await new Promise((resolve) => setTimeout(resolve, 20))
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const leaving = signOut()
    await vi.advanceTimersByTimeAsync(0)
    expect(kept.size).toBe(0)
    expect(state()).toEqual({ status: 'left' })
    await vi.advanceTimersByTimeAsync(1_000)
    await leaving
    vi.useRealTimers()
    await vi.waitFor(() => expect(told).toEqual([ID]))
  })

  test('ends an expired session on the server too, and stores none', async () => {
    await signedIn()
    kept.set(KEY, JSON.stringify({ ...sessionAs(), expires_at: Math.floor(Date.now() / 1_000) - 60 }))
    const renewed = { ...sessionAs(), access_token: 'header.payload.renewed' }
    answers.set('POST /auth/v1/token', { status: 200, json: renewed })
    let revoked: string | null = null
    answers.set('POST /auth/v1/logout', (token) => {
      revoked = token
      return { status: 204, json: {} }
    })
    await signOut()
    expect(revoked).toBe('Bearer header.payload.renewed')
    expect(kept.size).toBe(0)
  })

  test('is told although the session cannot be removed, and when the server has ended it', async () => {
    await signedIn()
    isStoreStuck = true
    endRefusedSession()
    await vi.waitFor(() => expect(told).toEqual([ID]))
    expect(asked).not.toContain('POST /auth/v1/logout')
  })

  test('ends the page of its member only, also one that is known from the disk alone', async () => {
    restoreSession(sessionAs().user, PROFILE)
    await follow(sessionAs())
    other.postMessage(OTHER)
    other.postMessage({ of: 'another version' })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(state().status).toBe('signed-in')
    other.postMessage(ID)
    await settled('left')
  })

  test('ends the page of a member whom the server does not let in', async () => {
    answers.set('GET /rest/v1/profiles', 'no network')
    await follow(sessionAs())
    emit('SIGNED_IN', sessionAs())
    await settled('unreachable')
    const signedOut = vi.fn()
    onTestFinished(onSignedOut(signedOut))
    other.postMessage(ID)
    await settled('signed-out')
    // Files that they opened meanwhile are not for the next member.
    expect(signedOut).toHaveBeenCalledExactlyOnceWith(true)
  })
})

describe('AUTH-12 the session of the next member, which another window has stored and not reported yet', () => {
  /** Whose token each request had. */
  let tokens: (string | null)[]

  beforeEach(async () => {
    await signedIn()
    tokens = []
    for (const call of [
      'POST /rest/v1/posts',
      'PUT /auth/v1/user',
      'POST /auth/v1/token',
      'POST /auth/v1/logout',
    ])
      answers.set(call, (token) => {
        tokens.push(token)
        return { status: 200, json: { ...sessionAs(), access_token: 'header.payload.again' } }
      })
    kept.set(KEY, JSON.stringify({ ...sessionAs({ id: OTHER }), access_token: 'header.payload.others' }))
  })

  afterEach(() => {
    expect(kept.get(KEY), 'stays stored').toContain('header.payload.others')
    expect(state()).toEqual({ status: 'left' })
  })

  test('is not used by a request of the page, which is refused', async () => {
    expect(
      (await supabase().from('posts').insert({ user_id: ID, content: 'Of the first' })).error,
    ).not.toBeNull()
    await expect(storageRequest('/object/media/mine')).rejects.toMatchObject({ code: 'session-expired' })
    expect(tokens).toEqual([])
  })

  test('is not used to change the account', async () => {
    expect((await supabase().auth.updateUser({ password: 'another' })).error).not.toBeNull()
    expect(tokens).toEqual([])
  })

  test('is not replaced when the first member gives the password again', async () => {
    const again = supabase().auth.signInWithPassword({ email: 'mara@example.com', password: 'p' })
    await expect(again).rejects.toMatchObject({ code: 'session-expired' })
  })

  test('is not removed by a late sign-out', async () => {
    await forgetSession(ID)
    await signOut()
    expect(tokens).toEqual([])
  })

  test('nobody’s session is no visitor’s either', async () => {
    kept.delete(KEY)
    expect(
      (await supabase().from('posts').insert({ user_id: ID, content: 'Of the first' })).error,
    ).not.toBeNull()
    await expect(storageRequest('/object/media/mine')).rejects.toMatchObject({ code: 'session-expired' })
    expect(tokens).toEqual([])
    kept.set(KEY, 'header.payload.others')
    leavePage()
  })
})
