import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connection } from '#/renderer/lib/live/connection'
import { onCaughtUp } from '#/renderer/lib/live/events'
import { startLive } from '#/renderer/lib/live/live'

type Listener = (payload: Record<string, unknown>) => void

/** The member's channel as far as it is used here, and how the test plays the server. */
class FakeChannel {
  readonly topic: string
  private readonly system: Listener[] = []
  joined: (status: string) => void = () => undefined
  constructor(
    topic: string,
    readonly options: unknown,
  ) {
    this.topic = `realtime:${topic}`
  }
  on(kind: string, _filter: unknown, listener: Listener): this {
    if (kind === 'system') this.system.push(listener)
    return this
  }
  subscribe(callback: (status: string) => void): this {
    this.joined = callback
    return this
  }
  tell(extension: string, status: 'ok' | 'error'): void {
    for (const listener of this.system)
      listener({ extension, status, message: 'for the log', channel: 'member' })
  }
}

const server = vi.hoisted(() => ({ channels: [] as FakeChannel[], beats: 0 }))

vi.mock('#/renderer/lib/logger', () => ({ logFailure: vi.fn() }))
vi.mock('#/renderer/lib/supabase', () => ({
  loadRealtime: async () => undefined,
  onSocketClosed: () => () => undefined,
  onSlowAnswer: () => () => undefined,
  supabase: () => ({
    realtime: {
      setAuth: async () => undefined,
      isConnected: () => true,
      isConnecting: () => false,
      disconnect: async () => 'ok',
      onHeartbeat: () => undefined,
      sendHeartbeat: async () => {
        server.beats += 1
      },
    },
    channel: (topic: string, options: unknown) => {
      const channel = new FakeChannel(topic, options)
      server.channels.push(channel)
      return channel
    },
    removeChannel: async () => 'ok',
  }),
}))

let stop: () => void
let caughtUp: number
let ignore: () => void

async function open(): Promise<FakeChannel> {
  stop = startLive('me')
  await vi.advanceTimersByTimeAsync(0)
  const channel = server.channels.at(-1)
  if (channel === undefined) throw new Error('No channel was made')
  return channel
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  server.channels = []
  server.beats = 0
  caughtUp = 0
  ignore = onCaughtUp(() => {
    caughtUp += 1
  })
})

afterEach(async () => {
  stop()
  ignore()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(vi.getTimerCount(), 'timers left behind').toBe(0)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('MSG-08 it counts as joined once changes are told, not before', async () => {
  const channel = await open()
  expect(channel.options).toMatchObject({ config: { postgres_changes_options: { wait: true } } })
  expect(connection.getState().state).toBe('connecting')
  channel.joined('SUBSCRIBED')
  // The server says so once more, for those that do not wait.
  channel.tell('postgres_changes', 'ok')
  expect(connection.getState().state).toBe('online')
  expect(caughtUp).toBe(1)
})

test('MSG-08 changes that stop coming are a lost connection, and when they are back one catches up', async () => {
  const channel = await open()
  channel.joined('SUBSCRIBED')
  channel.tell('postgres_changes', 'error')
  expect(connection.getState().state).toBe('lost')
  channel.tell('system', 'ok')
  expect(connection.getState().state).toBe('lost')
  channel.tell('postgres_changes', 'ok')
  expect(connection.getState().state).toBe('online')
  expect(caughtUp).toBe(2)
})

test('a server that does not mend it is left and asked anew', async () => {
  const channel = await open()
  channel.joined('SUBSCRIBED')
  channel.tell('postgres_changes', 'error')
  await vi.advanceTimersByTimeAsync(30_000)
  // The second heartbeat without an answer ends the socket.
  expect(server.beats).toBeGreaterThanOrEqual(2)
})

test('what is told of a channel after it was left counts for nothing', async () => {
  const channel = await open()
  channel.joined('SUBSCRIBED')
  channel.tell('postgres_changes', 'error')
  stop()
  channel.tell('postgres_changes', 'ok')
  expect(connection.getState().state).toBe('connecting')
  expect(caughtUp).toBe(1)
})
