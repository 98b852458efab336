import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { SERVED_CHANNELS } from '#/backend/realtime/served'
import { joinConversation } from '#/renderer/features/messages/queries/conversation-channel'
import { CHANGE_EVENT } from '#/renderer/lib/live/changes'
import { joinGroup } from '#/renderer/lib/live/group-channel'
import { startLive } from '#/renderer/lib/live/live'

const RENDERER = resolve(import.meta.dirname, '../../../../src/renderer')

interface Opened {
  topic: string
  isPrivate: boolean
  bindings: { kind: string; event?: string }[]
  sent: string[]
}

const opened = vi.hoisted(() => [] as Opened[])

vi.mock('#/renderer/lib/server/supabase', () => ({
  loadRealtime: async () => undefined,
  supabase: () => ({
    realtime: {
      setAuth: async () => undefined,
      onHeartbeat: () => undefined,
      disconnect: async () => 'ok',
    },
    removeChannel: async () => 'ok',
    channel: (topic: string, { config }: { config: { private?: boolean } }) => {
      const channel: Opened = { topic, isPrivate: config.private === true, bindings: [], sent: [] }
      opened.push(channel)
      const api = {
        topic: `realtime:${topic}`,
        on: (kind: string, options: object) => {
          channel.bindings.push({ kind, ...options })
          return api
        },
        subscribe: (callback: (status: string) => void) => {
          callback('SUBSCRIBED')
          return api
        },
        send: async ({ event }: { event: string }) => {
          channel.sent.push(event)
        },
        track: async () => 'ok',
        untrack: async () => 'ok',
        presenceState: () => ({}),
      }
      return api
    },
  }),
}))

const ME = crypto.randomUUID()
const CONVERSATION = crypto.randomUUID()
const GROUP = crypto.randomUUID()

beforeAll(async () => {
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  const stop = startLive(ME, [], () => undefined)
  const conversation = joinConversation({
    conversationId: CONVERSATION,
    epoch: 0,
    me: ME,
    onTyping: () => undefined,
    onPresence: () => undefined,
  })
  const leaveGroup = joinGroup(GROUP, 0, { onJoined: () => undefined, onEnded: () => undefined })
  await vi.waitFor(() => expect(opened).toHaveLength(3))
  leaveGroup()
  conversation.sendTyping()
  conversation.leave()
  stop()
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const channelOf = (topic: string) => {
  const found = opened.filter((channel) => channel.topic === topic)
  expect(found).toHaveLength(1)
  expect(topic).toMatch(SERVED_CHANNELS.topic)
  expect(found[0]?.isPrivate).toBe(true)
  return found[0] as Opened
}

describe('the table of channels that Realtime serves', () => {
  test.each([
    ['the member', `member:${ME}`],
    ['a group', `conversation:${GROUP}:0`],
  ])('has the private channel of %s, to which only the database broadcasts', (_, topic) => {
    const { bindings, sent } = channelOf(topic)
    expect(bindings.filter(({ kind }) => kind !== 'system')).toEqual([
      { kind: 'broadcast', event: CHANGE_EVENT },
    ])
    expect(sent).toEqual([])
    expect(SERVED_CHANNELS.broadcasts).not.toContain(CHANGE_EVENT)
  })

  test('has the private channel that the renderer joins, and the broadcast that it sends and receives', () => {
    const { bindings, sent } = channelOf(`room:${CONVERSATION}:0`)
    const received = bindings.filter(({ kind }) => kind === 'broadcast').map(({ event }) => event)
    expect([sent, received]).toEqual([SERVED_CHANNELS.broadcasts, SERVED_CHANNELS.broadcasts])
    expect(bindings.filter(({ kind }) => !['broadcast', 'presence'].includes(kind))).toEqual([])
  })

  test('covers every place in the renderer that opens a channel', async () => {
    const files = await readdir(RENDERER, { recursive: true, withFileTypes: true })
    const sources = files.filter((file) => file.isFile() && /\.tsx?$/.test(file.name))
    const opening = await Promise.all(
      sources.map(async (file) =>
        /\.channel\(|'postgres_changes'/.test(await readFile(join(file.parentPath, file.name), 'utf8'))
          ? [file.name]
          : [],
      ),
    )
    expect(opening.flat().sort()).toEqual([
      'conversation-channel.ts',
      'group-channel.ts',
      'live.ts',
      'post-channel.ts',
    ])
  })
})
