import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Message } from '#/renderer/features/messages/message'
import {
  type JoinedConversation,
  joinConversation,
  useConversationChannel,
} from '#/renderer/features/messages/queries/conversation-channel'
import { trackWindow } from '#/renderer/lib/browser/visibility'
import { logFailure } from '#/renderer/lib/core/logger'
import { emitCaughtUp, emitRowChange } from '#/renderer/lib/live/row-changes-store'
import type { WindowState } from '#/shared/bridge'

/** The used part of a channel, with functions that act as the server. */
class FakeChannel {
  readonly topic: string
  /** Presence keys of the members who are present. */
  present: string[] = []
  tracked = 0
  sent: unknown[] = []
  joined: (status: string, cause?: Error) => void = () => undefined
  private readonly listeners = new Map<string, () => void>()
  constructor(
    topic: string,
    readonly options: unknown,
  ) {
    this.topic = `realtime:${topic}`
  }
  on(_kind: string, { event }: { event: string }, listener: () => void): this {
    this.listeners.set(event, listener)
    return this
  }
  subscribe(callback: (status: string, cause?: Error) => void): this {
    this.joined = callback
    return this
  }
  presenceState(): Record<string, unknown> {
    return Object.fromEntries(this.present.map((key) => [key, [{}]]))
  }
  async track(): Promise<void> {
    this.tracked += 1
  }
  async untrack(): Promise<void> {
    this.tracked -= 1
  }
  async send({ event }: { event: string }): Promise<void> {
    this.sent.push(event)
  }
  tell(event: 'sync' | 'typing'): void {
    this.listeners.get(event)?.()
  }
}

const server = vi.hoisted(() => ({
  channels: [] as FakeChannel[],
  removed: [] as FakeChannel[],
  isConnected: true,
  epoch: 2 as number | null,
}))

/** The signed-in member, and how to end the effects of their hooks. */
const page = vi.hoisted(() => ({
  profile: { show_activity_status: true },
  cleanups: [] as (() => void)[],
}))

vi.mock('react', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  useState: (value: unknown) => [value, () => undefined],
  useRef: (current: unknown) => ({ current }),
  useCallback: (callback: unknown) => callback,
  useEffect: (effect: () => undefined | (() => void)) => {
    const cleanup = effect()
    if (cleanup !== undefined) page.cleanups.push(cleanup)
  },
}))
vi.mock('#/renderer/features/auth', () => ({ useMe: () => ({ id: 'me', profile: page.profile }) }))
vi.mock('#/renderer/lib/server/supabase', () => ({
  unwrap: <T>(answer: T) => answer,
  loadRealtime: async () => undefined,
  supabase: () => ({
    realtime: { setAuth: async () => undefined, isConnected: () => server.isConnected },
    channel: (topic: string, options: unknown) => {
      const channel = new FakeChannel(topic, options)
      server.channels.push(channel)
      return channel
    },
    removeChannel: async (channel: FakeChannel) => {
      server.removed.push(channel)
    },
    from: () => ({
      select: () => ({
        eq: () => ({ maybeSingle: async () => (server.epoch === null ? null : { epoch: server.epoch }) }),
      }),
    }),
  }),
}))

let conversation: JoinedConversation
const onTyping = vi.fn()
const onPresence = vi.fn()

async function open(): Promise<FakeChannel> {
  conversation = joinConversation({
    conversationId: 'c1',
    epoch: 2,
    me: 'me',
    onTyping,
    onPresence,
  })
  await vi.advanceTimersByTimeAsync(0)
  const channel = server.channels.at(-1)
  if (channel === undefined) throw new Error('No channel was made')
  return channel
}

/** Closes the socket under a channel; the library joins the channel again once the socket is back. */
function loseSocket(channel: FakeChannel): void {
  server.isConnected = false
  channel.joined('CHANNEL_ERROR', new Error('socket closed: 1006'))
  server.isConnected = true
}

function hear(sender_id: string): void {
  const row = { conversation_id: 'c1', sender_id } as Message
  emitRowChange('messages', { kind: 'insert', row })
}

beforeEach(() => {
  vi.useFakeTimers()
  server.epoch = 2
  onTyping.mockReset()
  onPresence.mockReset()
  vi.mocked(logFailure).mockClear()
})

afterEach(async () => {
  conversation.leave()
  await vi.advanceTimersByTimeAsync(0)
  expect(vi.getTimerCount(), 'timers left behind').toBe(0)
  vi.useRealTimers()
})

test('SET-05 sends presence after each join', async () => {
  const channel = await open()
  expect(channel.topic).toBe('realtime:room:c1:2')
  expect(channel.options).toMatchObject({ config: { private: true } })
  channel.joined('SUBSCRIBED')
  loseSocket(channel)
  channel.joined('SUBSCRIBED')
  expect(channel.tracked).toBe(2)
})

test('SET-05 removes presence while the window is hidden', async () => {
  const host = new Set<(state: WindowState) => void>()
  const show = (isVisible: boolean, isFocused = isVisible) => {
    for (const listener of host) listener({ isVisible, isFocused })
  }
  trackWindow({
    state: async () => ({ isVisible: true, isFocused: true }),
    onChange: (listener) => {
      host.add(listener)
      return () => host.delete(listener)
    },
  })
  const channel = await open()
  channel.joined('SUBSCRIBED')
  expect(channel.tracked).toBe(1)
  show(false)
  expect(channel.tracked).toBe(0)
  // A rejoin does not change that.
  loseSocket(channel)
  channel.joined('SUBSCRIBED')
  expect(channel.tracked).toBe(0)
  show(true)
  expect(channel.tracked).toBe(1)
  // Losing the focus does not hide the window.
  show(true, false)
  show(true)
  expect(channel.tracked).toBe(1)
  conversation.leave()
  show(false)
  expect(channel.tracked).toBe(1)
  show(true)
})

test.each([
  ['shows', true, ['realtime:room:c2:7']],
  ['hides', false, []],
])(
  'SET-05 MSG-10 a member who %s their activity joins: %s, for typing and presence',
  async (_, isShown, topics) => {
    page.profile.show_activity_status = isShown
    const before = server.channels.length
    useConversationChannel('c2', 7)
    await vi.advanceTimersByTimeAsync(0)
    expect(server.channels.slice(before).map(({ topic }) => topic)).toEqual(topics)
    for (const cleanUp of page.cleanups.splice(0)) cleanUp()
  },
)

test('ignores the presence of the same member in another window', async () => {
  const channel = await open()
  channel.joined('SUBSCRIBED')
  channel.present = ['me']
  channel.tell('sync')
  expect(onPresence).toHaveBeenLastCalledWith(false)
  channel.present = ['me', 'other']
  channel.tell('sync')
  expect(onPresence).toHaveBeenLastCalledWith(true)
  loseSocket(channel)
  expect(onPresence).toHaveBeenLastCalledWith(false)
})

test('MSG-10 sends typing at most every 5 seconds, and no sooner after a message', async () => {
  const channel = await open()
  conversation.sendTyping()
  expect(channel.sent, 'not joined yet').toEqual([])
  channel.joined('SUBSCRIBED')
  conversation.sendTyping()
  conversation.sendTyping()
  expect(channel.sent).toEqual(['typing'])
  await vi.advanceTimersByTimeAsync(5_000)
  conversation.sendTyping()
  expect(channel.sent).toHaveLength(2)
  hear('me')
  conversation.sendTyping()
  expect(channel.sent).toHaveLength(2)
})

/** Quotas of a free hosted project per second, averaged over a minute. */
const FREE = { members: 200, messages: 100, presence: 20 }

test('MSG-10 members who type without pause leave a fifth of a free project’s messages', async () => {
  const channel = await open()
  channel.joined('SUBSCRIBED')
  for (let tenth = 0; tenth < 600; tenth += 1) {
    conversation.sendTyping()
    await vi.advanceTimersByTimeAsync(100)
  }
  // Realtime counts a message when it is sent and when it is delivered.
  const perSecond = (channel.sent.length * 2) / 60
  expect(perSecond).toBeGreaterThan(0)
  expect(perSecond * FREE.members).toBeLessThanOrEqual(FREE.messages * 0.8)
})

test('SET-05 toggling a window’s visibility stays within a free project’s presence quota, and sends its last state', async () => {
  const host = new Set<(state: WindowState) => void>()
  trackWindow({
    state: async () => ({ isVisible: true, isFocused: true }),
    onChange: (listener) => {
      host.add(listener)
      return () => host.delete(listener)
    },
  })
  const show = (isVisible: boolean) => {
    for (const listener of host) listener({ isVisible, isFocused: isVisible })
  }
  const channel = await open()
  const calls = [vi.spyOn(channel, 'track'), vi.spyOn(channel, 'untrack')]
  const count = () => calls.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  channel.joined('SUBSCRIBED')
  await vi.advanceTimersByTimeAsync(30_000)
  for (const spy of calls) spy.mockClear()
  for (let second = 0; second < 60; second += 1) {
    show(second % 2 !== 0)
    await vi.advanceTimersByTimeAsync(1_000)
  }
  const perSecond = count() / 60
  expect(perSecond).toBeGreaterThan(0)
  expect(perSecond * FREE.members).toBeLessThanOrEqual(FREE.presence)
  show(false)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(channel.tracked).toBe(0)
  show(true)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(channel.tracked).toBe(1)
})

test('SET-05 MSG-10 only logs failed broadcasts, and sends presence again after a rejoin', async () => {
  const channel = await open()
  const cause = new Error('closing')
  vi.spyOn(channel, 'track').mockRejectedValueOnce(cause)
  vi.spyOn(channel, 'send').mockRejectedValueOnce(cause)
  channel.joined('SUBSCRIBED')
  conversation.sendTyping()
  await vi.advanceTimersByTimeAsync(0)
  expect(vi.mocked(logFailure).mock.calls).toEqual([
    ['send presence', cause],
    ['send typing', cause],
  ])
  expect([channel.tracked, channel.sent]).toEqual([0, []])
  loseSocket(channel)
  channel.joined('SUBSCRIBED')
  await vi.advanceTimersByTimeAsync(5_000)
  conversation.sendTyping()
  expect([channel.tracked, channel.sent]).toEqual([1, ['typing']])
})

test('MSG-10 shows typing until 7 seconds without a broadcast, or until their message arrives', async () => {
  const channel = await open()
  channel.joined('SUBSCRIBED')
  channel.tell('typing')
  await vi.advanceTimersByTimeAsync(6_999)
  channel.tell('typing')
  await vi.advanceTimersByTimeAsync(6_999)
  expect(onTyping.mock.calls).toEqual([[true], [true]])
  await vi.advanceTimersByTimeAsync(1)
  expect(onTyping).toHaveBeenLastCalledWith(false)
  channel.tell('typing')
  hear('other')
  expect(onTyping).toHaveBeenLastCalledWith(false)
})

test.each([
  ['a message arrives', () => hear('other')],
  ['the connection is restored', () => emitCaughtUp()],
])('SAFE-01 a refused channel is joined again when %s', async (_, happen) => {
  const channel = await open()
  const before = server.channels.length
  channel.joined('SUBSCRIBED')
  // Only a refusal means that access has ended.
  loseSocket(channel)
  expect(server.removed).not.toContain(channel)
  channel.joined(
    'CHANNEL_ERROR',
    new Error('Unauthorized: You do not have permissions to read from this Channel'),
  )
  expect(server.removed).toContain(channel)
  expect(onPresence).toHaveBeenLastCalledWith(false)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(server.channels).toHaveLength(before)
  server.epoch = 3
  happen()
  await vi.advanceTimersByTimeAsync(0)
  expect(server.channels).toHaveLength(before + 1)
  expect(server.channels.at(-1)?.topic).toBe('realtime:room:c1:3')
  server.channels.at(-1)?.joined('SUBSCRIBED')
  happen()
  await vi.advanceTimersByTimeAsync(0)
  expect(server.channels).toHaveLength(before + 1)
})

test('SAFE-01 a channel that the server closed is joined again with the epoch that the conversation has then', async () => {
  const channel = await open()
  channel.joined('SUBSCRIBED')
  server.epoch = 3
  channel.joined('CLOSED')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(server.channels.at(-1)?.topic).toBe('realtime:room:c1:3')
})

test('a conversation that is gone keeps its epoch', async () => {
  const channel = await open()
  server.epoch = null
  channel.joined('CLOSED')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(server.channels.at(-1)).not.toBe(channel)
  expect(server.channels.at(-1)?.topic).toBe('realtime:room:c1:2')
})
