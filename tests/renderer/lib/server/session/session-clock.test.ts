import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { AuthServer, startClient } from '#tests/renderer/lib/server/session/auth-server'
import '#tests/fresh-modules'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const TRUE_START = Date.parse('2026-11-26T12:00:00Z')

/** The true time, which no change of this machine's clock moves. */
let trueNow: () => number
let kept: Map<string, string>
let stop = async (): Promise<void> => undefined

beforeEach(() => {
  vi.useFakeTimers()
  const start = performance.now()
  trueNow = () => TRUE_START + performance.now() - start
  vi.setSystemTime(TRUE_START)
  kept = new Map()
  // Node 20 has no built-in one.
  vi.stubGlobal('WebSocket', WebSocket)
})

afterEach(async () => {
  await stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const setClock = (wrongBy: number) => vi.setSystemTime(trueNow() + wrongBy)

/** Starts the app, after ending it if it runs. */
async function start(server: AuthServer) {
  await stop()
  const app = await startClient(server, kept)
  stop = () => app.client.auth.dispose()
  return app
}

/** Uses the app for this long: one read every five minutes. */
async function use({ read }: { read: () => Promise<unknown[]> }, time: number): Promise<void> {
  for (let passed = 0; passed < time; passed += 5 * MINUTE) {
    expect(await read()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(5 * MINUTE)
  }
}

const WRONG_CLOCKS: [string, number][] = [
  ['right', 0],
  ['a minute and a half fast', 90 * SECOND],
  ['a minute and a half slow', -90 * SECOND],
  ['an hour fast', HOUR],
  ['an hour slow', -HOUR],
  ['a day fast', DAY],
  ['a day slow', -DAY],
  ['ten years slow', -3_650 * DAY],
]

describe.each([
  ['that shows its time', true],
  ['that shows no time', false],
])('ACC-05 with a server %s and a clock that is', (_, showsDate) => {
  test.each(WRONG_CLOCKS)('%s, a session is refreshed once an hour', async (_, wrongBy) => {
    setClock(wrongBy)
    const server = new AuthServer(trueNow, showsDate)
    const app = await start(server)
    await app.signIn()
    await use(app, HOUR - 5 * MINUTE)
    expect(server.refreshes).toBe(0)
    await use(app, 4 * HOUR)
    // Each about 90 s before the token expires.
    expect(server.refreshes).toBe(5)
    expect(server.refused).toEqual({ expired: 0, visitor: 0 })
  })

  test.each(WRONG_CLOCKS)('%s, a restart does not refresh', async (_, wrongBy) => {
    setClock(wrongBy)
    const server = new AuthServer(trueNow, showsDate)
    await (await start(server)).signIn()
    for (let restart = 0; restart < 5; restart += 1) await use(await start(server), 10 * MINUTE)
    expect(server.refreshes).toBe(0)
    expect(server.refused).toEqual({ expired: 0, visitor: 0 })
  })

  test.each(WRONG_CLOCKS)(
    '%s at the sign-in and corrected later refreshes at most once more',
    async (_, wrongBy) => {
      setClock(wrongBy)
      const server = new AuthServer(trueNow, showsDate)
      await (await start(server)).signIn()
      setClock(0)
      const app = await start(server)
      await use(app, 50 * MINUTE)
      expect(server.refreshes).toBeLessThanOrEqual(1)
      await use(app, HOUR)
      expect(server.refreshes).toBeLessThanOrEqual(2)
      expect(server.refused.visitor).toBe(0)
    },
  )

  test.each(WRONG_CLOCKS)(
    'right at the sign-in and %s from then on refreshes at most once more',
    async (_, wrongBy) => {
      const server = new AuthServer(trueNow, showsDate)
      const app = await start(server)
      await app.signIn()
      await use(app, 10 * MINUTE)
      setClock(wrongBy)
      await use(app, 40 * MINUTE)
      expect(server.refreshes).toBeLessThanOrEqual(1)
      await use(app, HOUR)
      expect(server.refreshes).toBeLessThanOrEqual(2)
      expect(server.refused).toEqual({ expired: 0, visitor: 0 })
    },
  )
})

test('ACC-05 a night of sleep, in which the monotonic clock may stop, costs one refresh', async () => {
  const server = new AuthServer(() => Date.now(), false)
  const app = await start(server)
  await app.signIn()
  await use(app, 10 * MINUTE)
  vi.setSystemTime(Date.now() + 8 * HOUR)
  await use(app, 30 * MINUTE)
  expect(server.refreshes).toBe(1)
  expect(server.refused).toEqual({ expired: 0, visitor: 0 })
})
