import { beforeEach, expect, test, vi } from 'vitest'
import { joinGroup } from '#/renderer/lib/live/group-channel'
import { handleChange } from '#/renderer/lib/live/live'
import { emitCaughtUp } from '#/renderer/lib/live/row-changes-store'

const server = vi.hoisted(() => ({
  isConnected: true,
  channels: [] as {
    topic: string
    options: object
    status: (status: string, cause?: Error) => void
    broadcast: (message: { payload: object }) => void
  }[],
}))

vi.mock('#/renderer/lib/live/live', () => ({ handleChange: vi.fn() }))
vi.mock('#/renderer/lib/server/supabase', () => ({
  loadRealtime: async () => undefined,
  supabase: () => ({
    realtime: { setAuth: async () => undefined, isConnected: () => server.isConnected },
    removeChannel: async () => 'ok',
    channel: (topic: string, options: object) => {
      const channel = { topic, options, status: () => undefined, broadcast: () => undefined }
      server.channels.push(channel)
      const api = {
        topic: `realtime:${topic}`,
        on: (_kind: string, { event }: { event: string }, broadcast: () => undefined) => {
          expect(event).toBe('change')
          channel.broadcast = broadcast
          return api
        },
        subscribe: (status: () => undefined) => {
          channel.status = status
          return api
        },
      }
      return api
    },
  }),
}))

const parts = { onJoined: vi.fn(), onEnded: vi.fn() }
const newest = () => {
  const channel = server.channels.at(-1)
  if (channel === undefined) throw new Error('no channel')
  return channel
}

beforeEach(() => {
  vi.clearAllMocks()
  server.isConnected = true
})

test('MSG-05 what is broadcast in the private channel of a group is read like what is broadcast to the member', async () => {
  const leave = joinGroup('g1', 3, parts)
  await vi.waitFor(() => expect(newest().topic).toBe('conversation:g1:3'))
  expect(newest().options).toEqual({ config: { private: true } })
  newest().status('SUBSCRIBED')
  expect(parts.onJoined).toHaveBeenCalledTimes(1)
  const payload = { table: 'messages', type: 'INSERT', ids: ['m1'] }
  newest().broadcast({ payload })
  expect(handleChange).toHaveBeenCalledWith(payload)
  leave()
})

test('SAFE-01 a refused channel has ended, and is joined again only after a reconnect', async () => {
  const leave = joinGroup('g2', 0, parts)
  await vi.waitFor(() => expect(newest().topic).toBe('conversation:g2:0'))
  server.isConnected = false
  newest().status('CHANNEL_ERROR', new Error('socket closed: 1006'))
  expect(parts.onEnded, 'the connection is lost').not.toHaveBeenCalled()
  server.isConnected = true
  const before = server.channels.length
  newest().status('CHANNEL_ERROR', new Error('Unauthorized: You do not have permissions'))
  expect(parts.onEnded).toHaveBeenCalledTimes(1)
  expect(server.channels).toHaveLength(before)
  emitCaughtUp()
  await vi.waitFor(() => expect(server.channels).toHaveLength(before + 1))
  leave()
})
