import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import { connection } from '#/renderer/lib/live/connection'
import {
  checkConnection,
  handleSocketClosed,
  retryNow,
  startLive,
  waitForServer,
} from '#/renderer/lib/live/live'
import { type CommentNotice, joinPost } from '#/renderer/lib/live/post-channel'
import { changeSource, onCaughtUp, onIdsChange, onRowChange } from '#/renderer/lib/live/row-changes-store'
import { SESSION_ENDED } from '#/shared/realtime'

type Listener = (payload: Record<string, unknown>) => void

/** The used part of the member's channel, with functions that act as the server. */
class FakeChannel {
  readonly topic: string
  private readonly listeners = new Map<string, Listener>()
  joined: (status: string) => void = () => undefined
  constructor(
    topic: string,
    readonly options: unknown,
  ) {
    this.topic = `realtime:${topic}`
  }
  on(kind: string, _filter: unknown, listener: Listener): this {
    this.listeners.set(kind, listener)
    return this
  }
  subscribe(callback: (status: string) => void): this {
    this.joined = callback
    return this
  }
  tell(status: 'ok' | 'error', message = 'for the log'): void {
    this.listeners.get('system')?.({ extension: 'system', status, message, channel: 'member' })
  }
  broadcast(payload: Record<string, unknown>): void {
    this.listeners.get('broadcast')?.({ type: 'broadcast', event: 'change', payload })
  }
}

const server = vi.hoisted(() => ({
  channels: [] as FakeChannel[],
  reads: [] as [table: string, ids: string[]][],
  beats: 0,
  load: async (): Promise<void> => undefined,
  isConnected: true,
  disconnect: async (): Promise<string> => 'ok',
}))

vi.mock('#/renderer/lib/server/supabase', () => ({
  loadRealtime: () => server.load(),
  supabase: () => ({
    realtime: {
      setAuth: async () => undefined,
      isConnected: () => server.isConnected,
      isConnecting: () => false,
      disconnect: () => server.disconnect(),
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

/** Reads rows of which only the id matters here. */
async function load<Row>(table: string, ids: string[]): Promise<Row[]> {
  server.reads.push([table, ids])
  return ids.map((id) => ({ id }) as Row)
}

const sources = [
  changeSource('messages', 'id', (ids) => load('messages', ids)),
  changeSource('notifications', 'id', (ids) => load('notifications', ids)),
]

let stop: () => void
let caughtUp: number
let ignore: () => void

async function open(): Promise<FakeChannel> {
  stop = startLive('me', sources, onClosed)
  await vi.advanceTimersByTimeAsync(0)
  const channel = server.channels.at(-1)
  if (channel === undefined) throw new Error('No channel was made')
  return channel
}

const onClosed = vi.fn()

beforeEach(() => {
  onClosed.mockClear()
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  server.channels = []
  server.reads = []
  server.beats = 0
  vi.mocked(logFailure).mockClear()
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

test('MSG-08 is online once the channel is joined, and catches up once', async () => {
  const channel = await open()
  expect(channel.options).toMatchObject({ config: { broadcast: { replication_ready: true } } })
  expect(connection.getState().state).toBe('connecting')
  channel.joined('SUBSCRIBED')
  channel.tell('ok')
  expect(connection.getState().state).toBe('online')
  expect(caughtUp).toBe(1)
})

test('MSG-08 catches up again when the server listens to its database only after the join', async () => {
  const channel = await open()
  channel.joined('SUBSCRIBED')
  await vi.advanceTimersByTimeAsync(3_000)
  channel.tell('ok')
  expect(connection.getState().state).toBe('online')
  expect(caughtUp).toBe(2)
})

test('MSG-05 reads the rows that a broadcast names and emits them as events', async () => {
  const channel = await open()
  const ids = [crypto.randomUUID(), crypto.randomUUID()]
  const events: unknown[] = []
  const ignoreEvents = [
    onRowChange('messages', ({ kind, row }) => events.push([kind, row.id])),
    onRowChange('notifications', ({ row: { id } }) => events.push(id)),
  ]
  channel.joined('SUBSCRIBED')
  channel.broadcast({ table: 'messages', type: 'INSERT', ids: [ids[0]] })
  channel.broadcast({ table: 'messages', type: 'UPDATE', ids: [ids[1]] })
  channel.broadcast({ table: 'notifications', type: 'INSERT', ids })
  channel.broadcast({ table: 'posts', type: 'INSERT', ids })
  await vi.advanceTimersByTimeAsync(10)
  expect(server.reads).toEqual([
    ['messages', ids],
    ['notifications', ids],
  ])
  expect(events).toEqual([['insert', ids[0]], ['update', ids[1]], ...ids])
  events.length = 0
  for (const table of ['messages', 'notifications']) {
    channel.broadcast({ table, type: 'INSERT', ids: [ids[0]], rows: [{ id: ids[0] }] })
  }
  expect(events, 'rows of a broadcast are not read').toEqual([['insert', ids[0]], ids[0]])
  channel.broadcast({ table: 'messages', type: 'INSERT', ids })
  stop()
  await vi.advanceTimersByTimeAsync(10)
  expect(server.reads).toHaveLength(2)
  for (const ignoreEvent of ignoreEvents) ignoreEvent()
})

test('AUTH-16 MSG-08 a channel that the server closes is a lost connection, and the session may have ended', async () => {
  const channel = await open()
  channel.joined('SUBSCRIBED')
  channel.tell('error')
  expect(connection.getState().state).toBe('lost')
  expect(vi.mocked(logFailure).mock.calls).toEqual([['live changes', 'for the log']])
  expect(onClosed).toHaveBeenCalledOnce()
  vi.mocked(logFailure).mockClear()
  channel.tell('error', SESSION_ENDED)
  expect(onClosed).toHaveBeenCalledTimes(2)
  expect(logFailure).not.toHaveBeenCalled()
})

test('AUTH-16 reports a channel that a server in reach refuses, because the session may have ended', async () => {
  const channel = await open()
  server.isConnected = false
  channel.joined('CHANNEL_ERROR')
  expect(onClosed).not.toHaveBeenCalled()
  server.isConnected = true
  channel.joined('CHANNEL_ERROR')
  expect(onClosed).toHaveBeenCalledOnce()
  stop()
  channel.joined('CHANNEL_ERROR')
  expect(onClosed).toHaveBeenCalledOnce()
})

test('reconnects when the server does not recover the channel', async () => {
  const channel = await open()
  channel.joined('SUBSCRIBED')
  channel.tell('error')
  await vi.advanceTimersByTimeAsync(30_000)
  // The second unanswered heartbeat closes the socket.
  expect(server.beats).toBeGreaterThanOrEqual(2)
})

test('ignores reports about a channel that was left', async () => {
  const channel = await open()
  channel.joined('SUBSCRIBED')
  channel.tell('error')
  stop()
  channel.tell('ok')
  expect(connection.getState().state).toBe('connecting')
  expect(caughtUp).toBe(1)
})

test('MSG-08 a socket that closes loses the connection; after sign-out the report is ignored', async () => {
  const channel = await open()
  channel.joined('SUBSCRIBED')
  handleSocketClosed()
  expect(connection.getState().state).toBe('lost')
  stop()
  handleSocketClosed()
  expect(connection.getState()).toEqual({ state: 'connecting', retryAt: null, mismatch: null })
})

test('MSG-08 a slow response sends a heartbeat to check the connection', async () => {
  const channel = await open()
  channel.joined('SUBSCRIBED')
  checkConnection()
  expect(server.beats).toBe(1)
})

test('MSG-08 the connection is lost when its code cannot be loaded, and the load is retried', async () => {
  const cause = new Error('offline')
  server.load = () => Promise.reject(cause)
  stop = startLive('me', sources, onClosed)
  await vi.advanceTimersByTimeAsync(0)
  expect(connection.getState()).toMatchObject({ state: 'lost', retryAt: Date.now() + 5_000 })
  expect(vi.mocked(logFailure).mock.calls).toEqual([['load realtime', cause]])
  expect(server.channels).toEqual([])
  server.load = async () => undefined
  await vi.advanceTimersByTimeAsync(5_000)
  expect(server.channels).toHaveLength(1)
})

test('MSG-08 logs a socket that cannot be opened, and opens it with the next attempt', async () => {
  const channel = await open()
  channel.joined('SUBSCRIBED')
  channel.tell('error')
  // The library did not recover it in this time.
  await vi.advanceTimersByTimeAsync(15_000)
  server.isConnected = false
  const cause = new Error('still closing')
  const disconnect = vi.spyOn(server, 'disconnect').mockRejectedValueOnce(cause)
  vi.mocked(logFailure).mockClear()
  retryNow()
  await vi.advanceTimersByTimeAsync(0)
  expect(vi.mocked(logFailure).mock.calls).toEqual([['connect', cause]])
  expect(connection.getState()).toEqual({ state: 'lost', retryAt: null, mismatch: null })
  await vi.advanceTimersByTimeAsync(15_000)
  retryNow()
  expect(disconnect).toHaveBeenCalledTimes(2)
  disconnect.mockRestore()
  server.isConnected = true
})

test('FEED-18 FEED-12 a server that cannot be reached at the start counts as lost, and is tried again within five seconds', async () => {
  let tries = 0
  stop = waitForServer(async () => {
    tries += 1
  })
  for (let seconds = 0; seconds < 5; seconds += 1) {
    expect(connection.getState().state).toBe('lost')
    await vi.advanceTimersByTimeAsync(5_000)
  }
  expect(tries).toBeGreaterThanOrEqual(5)
  const before = tries
  retryNow()
  await vi.advanceTimersByTimeAsync(0)
  expect(tries).toBe(before + 1)
  stop()
  expect(connection.getState()).toEqual({ state: 'connecting', retryAt: null, mismatch: null })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(tries).toBe(before + 1)
})

const ROW = '00000000-0000-4000-8000-000000000001'

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a list', [{ table: 'messages' }]],
  ['no ids', { table: 'messages', type: 'INSERT' }],
  ['ids that are a text', { table: 'messages', type: 'INSERT', ids: ROW }],
  ['an id that is an object', { table: 'messages', type: 'INSERT', ids: [ROW, {}] }],
  ['an id that is a filter', { table: 'messages', type: 'INSERT', ids: [`${ROW}),or=(id.neq.1`] }],
  ['another kind', { table: 'messages', type: 'DROP', ids: [ROW] }],
  ['a table that is an object', { table: {}, type: 'INSERT', ids: [ROW] }],
  ['an unknown table', { table: 'constructor', type: 'INSERT', ids: [ROW] }],
  ['rows that are an object', { table: 'messages', type: 'INSERT', ids: [ROW], rows: {} }],
  ['a row that is a text', { table: 'messages', type: 'INSERT', ids: [ROW], rows: ['row'] }],
  ['a row without an id', { table: 'messages', type: 'INSERT', ids: [ROW], rows: [{ id: 7 }] }],
])('a change with %s is ignored, and later ones arrive', async (_, payload) => {
  const seen: unknown[] = []
  const ignoreMessages = onRowChange('messages', ({ row }) => seen.push(row.id))
  const channel = await open()
  channel.joined('SUBSCRIBED')
  channel.broadcast(payload as Record<string, unknown>)
  await vi.advanceTimersByTimeAsync(1_000)
  expect([seen, server.reads]).toEqual([[], []])
  channel.broadcast({ table: 'messages', type: 'INSERT', ids: [ROW] })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(seen).toEqual([ROW])
  ignoreMessages()
})

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['another table', { table: 'posts', type: 'INSERT', ids: [ROW], threads: null }],
  ['another kind', { table: 'comments', type: 'UPDATE', ids: [ROW], threads: null }],
  ['ids that are an object', { table: 'comments', type: 'DELETE', ids: {}, threads: null }],
  ['threads that are a text', { table: 'comments', type: 'INSERT', ids: [ROW], threads: ROW }],
  ['a thread that is a filter', { table: 'comments', type: 'INSERT', ids: [ROW], threads: ['x),or=('] }],
])('a change of comments with %s is ignored', async (_, payload) => {
  await open()
  const seen: CommentNotice[] = []
  const leave = joinPost(ROW, {
    onDeleted: () => undefined,
    onComments: (notice) => seen.push(notice),
    onJoined: () => undefined,
  })
  await vi.advanceTimersByTimeAsync(0)
  const channel = server.channels.at(-1)
  channel?.broadcast(payload as Record<string, unknown>)
  expect(seen).toEqual([])
  const notice = { table: 'comments', type: 'INSERT', ids: [ROW], threads: null } as const
  channel?.broadcast({ ...notice })
  expect(seen).toEqual([notice])
  leave()
})

test('NAV-02 FEED-04 ids of deleted rows, and of likes, arrive without a read', async () => {
  const seen: unknown[] = []
  const tables = ['notifications', 'conversations', 'likes'] as const
  const stops = tables.map((table) => onIdsChange(table, (change) => seen.push([table, change])))
  const channel = await open()
  channel.joined('SUBSCRIBED')
  for (const table of tables) channel.broadcast({ table, type: 'DELETE', ids: [ROW], own: false })
  channel.broadcast({ table: 'likes', type: 'INSERT', ids: [ROW], own: true })
  channel.broadcast({ table: 'notifications', type: 'DELETE', ids: [`${ROW}),or=(id.neq.1`] })
  await vi.advanceTimersByTimeAsync(1_000)
  const change = { type: 'DELETE', ids: [ROW] }
  expect(seen).toEqual([...tables.map((table) => [table, change]), ['likes', { type: 'INSERT', ids: [ROW] }]])
  expect(server.reads).toEqual([])
  for (const stop of stops) stop()
  channel.broadcast({ table: 'likes', type: 'DELETE', ids: [ROW] })
  expect(seen).toHaveLength(4)
})

test('FEED-15 the deletion of an open post arrives in its channel', async () => {
  await open()
  const onDeleted = vi.fn()
  const leave = joinPost(ROW, { onDeleted, onComments: () => undefined, onJoined: () => undefined })
  await vi.advanceTimersByTimeAsync(0)
  server.channels.at(-1)?.broadcast({ table: 'posts', type: 'INSERT', ids: [ROW] })
  expect(onDeleted).not.toHaveBeenCalled()
  server.channels.at(-1)?.broadcast({ table: 'posts', type: 'DELETE', ids: [ROW] })
  expect(onDeleted).toHaveBeenCalledOnce()
  leave()
})
