import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import {
  AuthServer,
  KEY,
  PROFILE,
  SERVER,
  sessionsIn,
  USER,
} from '#tests/renderer/lib/server/session/auth-server'
import '#tests/fresh-modules'

let server: AuthServer

beforeEach(() => {
  // Node 20 has no built-in one.
  vi.stubGlobal('WebSocket', WebSocket)
  server = new AuthServer(() => Date.now(), true)
  vi.stubGlobal('fetch', server.fetch)
})

// The app may still look for a session whose opening it has given up, and would ask for its profile during the tests of another file.
// This search starts later, so it also ends later.
afterAll(async () => {
  const { hasSessionOf } = await import('#/renderer/features/auth/queries')
  await hasSessionOf({ ...USER, id: 'nobody' })
  await (await import('#/renderer/lib/core/pending-work-store')).requestsAnswered()
})

/** Starts the app with this text in the store. Resolves with what the member sees: the app, or the sign-in. */
async function startWith(text: string): Promise<string> {
  const kept = new Map([[KEY, text]])
  const { connectSupabase } = await import('#/renderer/lib/server/supabase')
  const { followSession, useSessionStore } = await import('#/renderer/features/auth/session-store')
  const { INITIAL } = await import('#/renderer/features/auth/session')
  useSessionStore.setState(INITIAL)
  const ignore = () => undefined
  const client = connectSupabase(SERVER, sessionsIn(kept), {
    onSocketClosed: ignore,
    onSlowResponse: ignore,
    onSessionRefused: ignore,
    onOthersSession: () => undefined,
    onSignedOut: ignore,
    onVersions: ignore,
  })
  const unfollow = followSession(client)
  const status = () => useSessionStore.getState().session.status
  await vi.waitFor(() => expect(status()).not.toBe('loading'), { timeout: 60_000, interval: 1 })
  await vi.waitFor(() => expect(useSessionStore.getState().opening).toBeNull())
  unfollow()
  await client.auth.dispose()
  expect(kept.has(KEY), 'a session that cannot be used is removed').toBe(status() !== 'signed-out')
  return status()
}

const APP_OR_SIGN_IN = ['signed-in', 'signed-out']

describe('ACC-05 a stored session', () => {
  test('without the user’s metadata opens the app', async () => {
    const { user_metadata: _, ...user } = USER
    expect(await startWith(JSON.stringify(server.session(user)))).toBe('signed-in')
    const { useSessionStore } = await import('#/renderer/features/auth/session-store')
    expect(useSessionStore.getState().session).toMatchObject({ me: { id: USER.id, profile: PROFILE } })
  })

  test('without a time opens the app', async () => {
    const { expires_at: _, ...session } = server.session()
    expect(await startWith(JSON.stringify(session))).toBe('signed-in')
  })

  test.each([
    ['of the first version', (session: object) => ({ currentSession: session, expiresAt: 1 })],
    ['without a user', (session: object) => ({ ...session, user: undefined })],
    ['with a null user', (session: object) => ({ ...session, user: null })],
    ['of another account than its token', (session: object) => ({ ...session, user: { ...USER, id: 'x' } })],
    ['with a token that no header can contain', (session: object) => ({ ...session, access_token: '💥\n' })],
    ['with a refresh token of another type', (session: object) => ({ ...session, refresh_token: 7 })],
  ])('%s opens the sign-in', async (_, change) => {
    expect(await startWith(JSON.stringify(change(server.session())))).toBe('signed-out')
  })

  test('that was cut off anywhere opens the app or the sign-in', async () => {
    const text = JSON.stringify(server.session())
    for (let length = 0; length < text.length; length += 23)
      expect(await startWith(text.slice(0, length))).toBe('signed-out')
  })

  test('of any shape opens the app or the sign-in', async () => {
    const names = [...Object.keys(server.session()), ...Object.keys(USER).map((name) => `user.${name}`)]
    const value = fc.oneof(
      fc.constantFrom<unknown>(undefined, null, '', 'a.b.c', 0, -1, 1e300, [], {}, true, USER),
      fc.jsonValue(),
    )
    /** A good session, in which some parts are missing or replaced. */
    const changed = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 3 }).map((changes) => {
      const session: Record<string, unknown> = server.session({ ...USER })
      for (const [name, replacement] of changes) {
        const [part = '', inner] = name.split('.')
        const { user } = session
        if (inner === undefined) session[part] = replacement
        else if (typeof user === 'object' && user !== null) session.user = { ...user, [inner]: replacement }
      }
      return JSON.stringify(session)
    })
    const text = fc.oneof(
      { weight: 6, arbitrary: changed },
      { weight: 1, arbitrary: fc.json() },
      { weight: 1, arbitrary: fc.string() },
    )
    await fc.assert(
      fc.asyncProperty(text, async (stored) => {
        expect(APP_OR_SIGN_IN).toContain(await startWith(stored))
      }),
      { numRuns: 300 },
    )
  })
})
