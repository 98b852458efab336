import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { retryDelay } from '#/renderer/lib/live/backoff'
import {
  type Connection,
  type ConnectionManager,
  connection,
  createConnectionManager,
  handleVersions,
  onReconnected,
} from '#/renderer/lib/live/connection'

const START = Date.parse('2026-11-21T12:00:00Z')
/** No jitter: each delay is at its maximum. */
const latest = () => 1

let keeper: ConnectionManager
const socket = { reopen: vi.fn(), sendHeartbeat: vi.fn() }
const state = () => connection.getState()

beforeEach(() => {
  vi.useFakeTimers({ now: START })
  socket.reopen.mockReset()
  socket.sendHeartbeat.mockReset()
  keeper = createConnectionManager(socket, latest)
})

afterEach(() => {
  keeper.stop()
  expect(vi.getTimerCount(), 'timers left behind').toBe(0)
  vi.useRealTimers()
})

describe('the delay between attempts', () => {
  test('doubles up to half a minute', () => {
    const waits = [0, 1, 2, 3, 4, 5, 6, 100].map((attempt) => retryDelay(attempt, latest))
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  })

  test('is spread over its upper half', () => {
    expect(retryDelay(3, () => 0)).toBe(4_000)
    expect(retryDelay(3, () => 0.5)).toBe(6_000)
  })
})

describe('the connection', () => {
  test('is lost when the socket closes, exposes the time of the next attempt, and retries then', () => {
    keeper.subscribed()
    // A closing socket also closes its channel; both report it.
    keeper.unsubscribed()
    keeper.socketClosed()
    expect(state()).toEqual({ state: 'lost', retryAt: START + 1_000, mismatch: null })

    vi.advanceTimersByTime(999)
    expect(socket.reopen).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(socket.reopen).toHaveBeenCalledTimes(1)
    expect(state()).toEqual({ state: 'lost', retryAt: null, mismatch: null })

    keeper.subscribed()
    expect(state()).toEqual({ state: 'online', retryAt: null, mismatch: null })
  })

  test('waits longer after each failed attempt, and starts over after a success', () => {
    keeper.subscribed()
    const waits: number[] = []
    for (let attempt = 0; attempt < 4; attempt += 1) {
      keeper.socketClosed()
      waits.push((state().retryAt ?? 0) - Date.now())
      vi.runOnlyPendingTimers()
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000])
    keeper.subscribed()
    keeper.socketClosed()
    expect((state().retryAt ?? 0) - Date.now()).toBe(1_000)
  })

  test('counts a socket that closes twice once', () => {
    keeper.subscribed()
    keeper.socketClosed()
    keeper.socketClosed()
    expect(state().retryAt).toBe(START + 1_000)
  })

  test('an attempt without any response times out', () => {
    keeper.subscribed()
    keeper.socketClosed()
    vi.advanceTimersByTime(1_000)
    expect(socket.reopen).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(15_000)
    expect(state().retryAt).toBe(Date.now() + 2_000)
    vi.advanceTimersByTime(2_000)
    expect(socket.reopen).toHaveBeenCalledTimes(2)
  })

  test('is lost when the channel fails with an open socket, and reconnects if it does not recover', () => {
    keeper.subscribed()
    keeper.unsubscribed()
    expect(state()).toEqual({ state: 'lost', retryAt: null, mismatch: null })
    vi.advanceTimersByTime(15_000)
    expect(state().retryAt).not.toBeNull()
  })

  test("'Try now' tries now, from the shortest wait on", () => {
    keeper.subscribed()
    for (let attempt = 0; attempt < 5; attempt += 1) {
      keeper.socketClosed()
      vi.runOnlyPendingTimers()
    }
    keeper.socketClosed()
    const before = socket.reopen.mock.calls.length
    keeper.retryNow()
    expect(socket.reopen).toHaveBeenCalledTimes(before + 1)
    expect(state()).toEqual({ state: 'lost', retryAt: null, mismatch: null })
    // Already retrying.
    keeper.retryNow()
    expect(socket.reopen).toHaveBeenCalledTimes(before + 1)
    keeper.socketClosed()
    expect((state().retryAt ?? 0) - Date.now()).toBe(1_000)
  })
})

test('MSG-09 the connection is lost at once when server and app do not fit, and open again later when they do', () => {
  keeper.subscribed()
  handleVersions(null)
  expect(state()).toEqual({ state: 'online', retryAt: null, mismatch: null })
  handleVersions('app')
  expect(state()).toEqual({ state: 'lost', retryAt: null, mismatch: 'app' })
  handleVersions(null)
  expect(state()).toEqual({ state: 'connecting', retryAt: null, mismatch: null })
})

describe('in doubt', () => {
  test('an answered heartbeat confirms the connection', () => {
    keeper.subscribed()
    keeper.check()
    expect(socket.sendHeartbeat).toHaveBeenCalledTimes(1)
    keeper.heartbeat('sent')
    keeper.heartbeat('ok')
    vi.advanceTimersByTime(60_000)
    expect(socket.sendHeartbeat).toHaveBeenCalledTimes(1)
    expect(state().state).toBe('online')
  })

  test('an unanswered heartbeat is followed by one that closes the connection', () => {
    keeper.subscribed()
    keeper.check()
    keeper.heartbeat('sent')
    vi.advanceTimersByTime(5_000)
    expect(socket.sendHeartbeat).toHaveBeenCalledTimes(2)
  })

  test('sends no second heartbeat while a heartbeat is pending', () => {
    keeper.subscribed()
    keeper.heartbeat('sent')
    keeper.check()
    expect(socket.sendHeartbeat).not.toHaveBeenCalled()
    vi.advanceTimersByTime(5_000)
    expect(socket.sendHeartbeat).toHaveBeenCalledTimes(1)
  })

  test('further checks do not extend the timeout of a heartbeat', () => {
    keeper.subscribed()
    keeper.check()
    keeper.heartbeat('sent')
    vi.advanceTimersByTime(4_000)
    keeper.check()
    vi.advanceTimersByTime(1_000)
    expect(socket.sendHeartbeat).toHaveBeenCalledTimes(2)
  })

  test('checks after a long pause between heartbeats, because the machine slept', () => {
    keeper.subscribed()
    keeper.heartbeat('sent')
    keeper.heartbeat('ok')
    vi.setSystemTime(START + 3_600_000)
    keeper.heartbeat('sent')
    vi.advanceTimersByTime(5_000)
    expect(socket.sendHeartbeat).toHaveBeenCalledTimes(1)
  })

  test('does not check a lost connection, but retries it', () => {
    keeper.socketClosed()
    keeper.check()
    expect(socket.sendHeartbeat).not.toHaveBeenCalled()
    keeper.retryNow()
    expect(socket.reopen).toHaveBeenCalledTimes(1)
  })
})

describe('FEED-12 a lost connection that returns', () => {
  function enter(...states: Connection['state'][]): void {
    for (const state of states) connection.setState({ state, retryAt: null })
  }

  test('FEED-12 is reported once; the first connection is not', () => {
    const listener = vi.fn()
    const ignore = onReconnected(listener)
    enter('connecting', 'online')
    expect(listener).not.toHaveBeenCalled()
    enter('lost', 'lost', 'online', 'online')
    expect(listener).toHaveBeenCalledTimes(1)
    ignore()
    enter('lost', 'online')
    expect(listener).toHaveBeenCalledTimes(1)
  })

  test('FEED-12 is reported to a screen that opened while it was lost', () => {
    enter('lost')
    const listener = vi.fn()
    const ignore = onReconnected(listener)
    enter('connecting', 'online')
    expect(listener).toHaveBeenCalledTimes(1)
    ignore()
  })
})
