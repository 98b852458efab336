import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { AuthServer, KEY, startClient } from '#tests/renderer/lib/server/session/auth-server'
import '#tests/fresh-modules'

const SECOND = 1_000
const MINUTE = 60 * SECOND

let server: AuthServer
let kept: Map<string, string>
let stop = async (): Promise<void> => undefined

beforeEach(() => {
  vi.useFakeTimers()
  // Node 20 has no built-in one.
  vi.stubGlobal('WebSocket', WebSocket)
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  server = new AuthServer(() => Date.now(), true)
  kept = new Map()
})

afterEach(async () => {
  await stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function start() {
  const app = await startClient(server, kept)
  stop = () => app.client.auth.dispose()
  return app
}

/** Starts the app with a session whose token has expired. */
async function startExpired() {
  const session = server.session()
  kept.set(KEY, JSON.stringify(session))
  vi.setSystemTime(Date.now() + 2 * 60 * MINUTE)
  return start()
}

const html = (status: number, headers = {}) =>
  new Response('<html><body>Sign in to this network</body></html>', {
    status,
    headers: { 'content-type': 'text/html', ...headers },
  })
const json = (body: unknown, status = 200) => Response.json(body, { status })
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(server.session()).filter(([name]) => !names.includes(name)))

const ODD: [string, () => Response][] = [
  [
    'no network',
    () => {
      throw new TypeError('Failed to fetch')
    },
  ],
  ['a 429 of Auth', () => json({ code: 'over_request_rate_limit', message: 'Too many' }, 429)],
  ...[
    302, 400, 401, 403, 404, 405, 407, 408, 410, 418, 421, 425, 429, 451, 500, 501, 502, 503, 504, 511, 520,
    525, 530,
  ].map((status): [string, () => Response] => [`a page with ${status}`, () => html(status)]),
  ['a page with 200', () => html(200)],
  ['an empty 200', () => new Response('')],
  ['a 204', () => new Response(null, { status: 204 })],
  ...[null, [], {}, 'ok', 1, { session: null }, { user: {} }].map((body): [string, () => Response] => [
    `200 ${JSON.stringify(body)}`,
    () => json(body),
  ]),
  ['a session without a user', () => json(without('user'))],
  ['a session without a refresh token', () => json(without('refresh_token'))],
  ['a session without a token', () => json(without('access_token'))],
  ['a session without a lifetime', () => json(without('expires_in', 'expires_at'))],
  ['a session of another account', () => json(server.session({ id: 'another', user_metadata: {} }))],
  ['a session with a user of another shape', () => json(server.session('mara'))],
  ['an ending code with 200', () => json({ code: 'session_not_found', message: 'gone' })],
  ['an ending code with 500', () => json({ code: 'session_not_found', message: 'gone' }, 500)],
  ['a 400 that is not Auth’s', () => json({ message: 'session_not_found' }, 400)],
  ['a 400 with another code', () => json({ code: 'validation_failed', message: 'bad request' }, 400)],
  ['a 409 of Auth', () => json({ code: 'conflict', message: 'Too many concurrent requests' }, 409)],
  ['the 400 of an OAuth proxy', () => json({ error: 'invalid_grant', error_description: 'no' }, 400)],
  ['a 403 with a code that is a number', () => json({ code: 403, msg: 'Forbidden' }, 403)],
]

describe('ACC-05 the session stays after', () => {
  test.each(ODD)('%s to a refresh', async (_what, answer) => {
    server.oddAnswer = answer
    const events: string[] = []
    const app = await startExpired()
    app.client.auth.onAuthStateChange((event) => void events.push(event))
    const read = expect(app.read()).rejects.toMatchObject({ code: 'offline' })
    await vi.advanceTimersByTimeAsync(3 * MINUTE)
    await read
    expect(events).not.toContain('SIGNED_OUT')
    expect(server.refused.visitor).toBe(0)
    expect(kept.has(KEY)).toBe(true)

    server.oddAnswer = null
    await vi.advanceTimersByTimeAsync(3 * MINUTE)
    expect(await app.read()).toHaveLength(1)
    expect(events).toContain('TOKEN_REFRESHED')
  })

  test.each(ODD)('%s to a refresh that a refused token causes', async (_what, answer) => {
    const app = await start()
    await app.signIn()
    server.oddAnswer = answer
    // As with new keys of the server: the token looks valid by its time.
    const stored = JSON.parse(kept.get(KEY) ?? '')
    kept.set(KEY, JSON.stringify({ ...stored, access_token: 'refused' }))
    const read = expect(app.read()).rejects.toMatchObject({ code: 'offline' })
    await vi.advanceTimersByTimeAsync(MINUTE)
    await read
    expect(app.onSessionRefused).not.toHaveBeenCalled()
    expect(kept.has(KEY)).toBe(true)

    server.oddAnswer = null
    await vi.advanceTimersByTimeAsync(2 * MINUTE)
    expect(await app.read()).toHaveLength(1)
  })
})

const ENDING = [
  'refresh_token_not_found',
  'refresh_token_already_used',
  'session_not_found',
  'session_expired',
  'user_not_found',
  'user_banned',
]
const FORMS: [string, (code: string) => Response][] = [
  ['', (code) => json({ code, message: 'Invalid Refresh Token' }, 400)],
  [
    ' in the first format',
    (code) => json({ code: 400, error_code: code, msg: 'Invalid Refresh Token' }, 400),
  ],
  [' with 401', (code) => json({ code, message: 'Invalid Refresh Token' }, 401)],
  [' with 403', (code) => json({ code, message: 'Invalid Refresh Token' }, 403)],
]

describe.each(ENDING)('AUTH-10 Auth’s refusal %s ends the session', (code) => {
  test.each(FORMS)('when it is refreshed%s', async (_form, answer) => {
    server.oddAnswer = () => answer(code)
    const events: string[] = []
    const app = await startExpired()
    app.client.auth.onAuthStateChange((event) => void events.push(event))
    // The answer is read in real time, which a minute of the test would overtake.
    await vi.waitFor(() => expect(kept.has(KEY)).toBe(false), 20_000)
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(kept.has(KEY)).toBe(false)
    expect(events).not.toContain('TOKEN_REFRESHED')
    expect(server.refreshes).toBe(1)
  })

  test.each(FORMS)('when a token is refused before its time%s', async (_form, answer) => {
    const app = await start()
    await app.signIn()
    server.oddAnswer = () => answer(code)
    const stored = JSON.parse(kept.get(KEY) ?? '')
    kept.set(KEY, JSON.stringify({ ...stored, access_token: 'refused' }))
    await expect(app.read()).rejects.toMatchObject({ code: 'session-expired' })
    expect(app.onSessionRefused).toHaveBeenCalledTimes(1)
  })
})

describe('ACC-05 a refresh that was not answered by Auth', () => {
  /** Lets the app run and counts its refreshes. */
  async function refreshesWithin(time: number): Promise<number> {
    const before = server.refreshes
    await vi.advanceTimersByTimeAsync(time)
    return server.refreshes - before
  }

  test.each([
    ['seconds', () => '300'],
    ['a date', () => new Date(Date.now() + 300 * SECOND).toUTCString()],
  ])('is repeated after the time of Retry-After in %s', async (_form, value) => {
    server.oddAnswer = () => html(429, { 'retry-after': value() })
    await startExpired()
    await vi.advanceTimersByTimeAsync(0)
    expect(server.refreshes).toBe(1)
    expect(await refreshesWithin(298 * SECOND)).toBe(0)
    expect(await refreshesWithin(2 * MINUTE)).toBe(1)
  })

  test('is repeated at growing intervals, and at once after a renewal', async () => {
    server.oddAnswer = () => html(407)
    await startExpired()
    expect(await refreshesWithin(MINUTE)).toBeLessThanOrEqual(6)
    expect(await refreshesWithin(10 * MINUTE)).toBeLessThanOrEqual(20)
    server.oddAnswer = null
    expect(await refreshesWithin(3 * MINUTE)).toBe(1)
    // The next failure starts with a short pause again.
    server.oddAnswer = () => html(407)
    vi.setSystemTime(Date.now() + 2 * 60 * MINUTE)
    expect(await refreshesWithin(MINUTE)).toBeGreaterThanOrEqual(3)
  })

  test('ignores a Retry-After that nobody would wait for', async () => {
    server.oddAnswer = () => html(503, { 'retry-after': '999999999' })
    await startExpired()
    expect(await refreshesWithin(59 * MINUTE)).toBe(1)
    expect(await refreshesWithin(3 * MINUTE)).toBe(1)
  })

  test('is overdue after a minute, until the session is renewed', async () => {
    server.oddAnswer = () => html(511)
    await startExpired()
    const { useSessionRenewal } = await import('#/renderer/lib/server/session/session-renewal-store')
    await vi.advanceTimersByTimeAsync(59 * SECOND)
    expect(useSessionRenewal.getState().isOverdue).toBe(false)
    await vi.advanceTimersByTimeAsync(2 * SECOND)
    expect(useSessionRenewal.getState().isOverdue).toBe(true)
    server.oddAnswer = null
    await vi.advanceTimersByTimeAsync(3 * MINUTE)
    expect(useSessionRenewal.getState().isOverdue).toBe(false)
  })
})
