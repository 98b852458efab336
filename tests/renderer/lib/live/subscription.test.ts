import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import { keepSubscribed, whenAllLeft } from '#/renderer/lib/live/subscription'
import type { RealtimeChannel } from '#/renderer/lib/server/supabase'

type Status = 'SUBSCRIBED' | 'CHANNEL_ERROR' | 'TIMED_OUT' | 'CLOSED'

/** The used part of a channel, with functions that act as the server. */
class FakeChannel {
  tell: (status: Status, cause?: Error) => void = () => undefined
  readonly topic: string
  constructor(topic: string) {
    this.topic = `realtime:${topic}`
  }
  subscribe(callback: (status: Status, cause?: Error) => void): this {
    this.tell = callback
    return this
  }
}

const server = vi.hoisted(() => ({
  /** Confirms the oldest leave. */
  goodbyes: [] as (() => void)[],
  removed: [] as unknown[],
  setAuth: async () => undefined,
  isConnected: false,
  load: async (): Promise<void> => undefined,
}))

vi.mock('#/renderer/lib/server/supabase', () => ({
  loadRealtime: () => server.load(),
  supabase: () => ({
    realtime: { setAuth: () => server.setAuth(), isConnected: () => server.isConnected },
    removeChannel: (channel: unknown) => {
      server.removed.push(channel)
      return new Promise<void>((resolve) => server.goodbyes.push(resolve))
    },
  }),
}))

let made: FakeChannel[]
let states: boolean[]

function keep(topic: string): () => void {
  return keepSubscribed(
    topic,
    (name) => {
      const channel = new FakeChannel(name)
      made.push(channel)
      return channel as unknown as RealtimeChannel
    },
    (isSubscribed) => states.push(isSubscribed),
  )
}

const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => {
  vi.useFakeTimers()
  made = []
  states = []
  server.removed = []
  vi.mocked(logFailure).mockClear()
})

afterEach(async () => {
  for (const answer of server.goodbyes.splice(0)) answer()
  await settle()
  vi.useRealTimers()
})

test('joins a channel and reports its status', async () => {
  const leave = keep('one')
  await settle()
  made[0]?.tell('SUBSCRIBED')
  made[0]?.tell('CHANNEL_ERROR')
  made[0]?.tell('SUBSCRIBED')
  expect(states).toEqual([true, false, true])
  leave()
  expect(server.removed).toEqual([made[0]])
})

test('logs an error of the channel while the socket is open, but not a closed socket', async () => {
  const leave = keep('seven')
  await settle()
  made[0]?.tell('CHANNEL_ERROR', new Error('socket closed: 1006'))
  expect(logFailure).not.toHaveBeenCalled()
  server.isConnected = true
  const cause = new Error('too many channels')
  made[0]?.tell('CHANNEL_ERROR', cause)
  server.goodbyes.shift()?.()
  await vi.advanceTimersByTimeAsync(2_000)
  made[1]?.tell('TIMED_OUT')
  server.isConnected = false
  expect(vi.mocked(logFailure).mock.calls).toEqual([
    ['live channel', cause],
    ['live channel', 'TIMED_OUT'],
  ])
  leave()
})

test('rejoins a channel that the server closed, e.g. because of an expired token', async () => {
  const leave = keep('two')
  await settle()
  made[0]?.tell('SUBSCRIBED')
  made[0]?.tell('CLOSED')
  expect(states).toEqual([true, false])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(made).toHaveLength(2)
  made[1]?.tell('SUBSCRIBED')
  expect(states).toEqual([true, false, true])
  leave()
  made[1]?.tell('CLOSED')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(made).toHaveLength(2)
})

test('MSG-08 a channel that fails again and again is joined after growing, random delays', async () => {
  server.isConnected = true
  const random = vi.spyOn(Math, 'random')
  const delayAfterFailure = async (isLate: boolean) => {
    random.mockReturnValue(isLate ? 1 : 0)
    const count = made.length
    const failedAt = Date.now()
    made.at(-1)?.tell('CHANNEL_ERROR', new Error('ClientJoinRateLimitReached: Too many joins per second'))
    server.goodbyes.shift()?.()
    while (made.length === count) await vi.advanceTimersByTimeAsync(500)
    return Date.now() - failedAt
  }
  const leave = keep('eight')
  await settle()
  const early: number[] = []
  for (const _ of [1, 2, 3, 4, 5]) early.push(await delayAfterFailure(false))
  expect(early).toEqual([1_000, 2_000, 4_000, 5_000, 5_000])
  expect(await delayAfterFailure(true)).toBe(10_000)
  made.at(-1)?.tell('SUBSCRIBED')
  expect(await delayAfterFailure(true), 'after it was joined').toBe(2_000)
  leave()
  random.mockRestore()
  server.isConnected = false
})

test('does not create a channel that is left before it was joined', async () => {
  keep('three')()
  await settle()
  expect(made).toEqual([])
})

test('rejoins a topic after the pending leave', async () => {
  const leave = keep('four')
  await settle()
  leave()
  const leaveAgain = keep('four')
  await settle()
  expect(made).toHaveLength(1)
  server.goodbyes.shift()?.()
  await settle()
  expect(made).toHaveLength(2)
  leaveAgain()
})

test('waits for the realtime code, and retries when it cannot be loaded', async () => {
  const cause = new Error('offline')
  server.load = () => Promise.reject(cause)
  const leave = keep('six')
  await settle()
  expect(made).toEqual([])
  expect(vi.mocked(logFailure).mock.calls).toEqual([['join live channel', cause]])
  let loaded = (): void => undefined
  server.load = () =>
    new Promise((resolve) => {
      loaded = resolve
    })
  await vi.advanceTimersByTimeAsync(15_000)
  expect(made).toEqual([])
  loaded()
  await settle()
  expect(made).toHaveLength(1)
  leave()
  server.load = async () => undefined
})

test('waits for leaves only until a timeout', async () => {
  const leave = keep('five')
  await settle()
  leave()
  const left = vi.fn()
  void whenAllLeft().then(left)
  await vi.advanceTimersByTimeAsync(999)
  expect(left).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(left).toHaveBeenCalled()
})
