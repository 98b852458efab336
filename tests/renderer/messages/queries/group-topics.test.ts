import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setOpenGroup } from '#/renderer/features/messages/active-conversation-store'
import { conversationKeys, messageKeys, UNREAD_KEY } from '#/renderer/features/messages/keys'
import type { Message } from '#/renderer/features/messages/message'
import { followGroups } from '#/renderer/features/messages/queries/group-topics'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { connection } from '#/renderer/lib/live/connection'
import {
  emitCaughtUp,
  emitIdsChange,
  emitRowChange,
  onRowChange,
} from '#/renderer/lib/live/row-changes-store'
import type { Tables } from '#/shared/database.types'
import { message } from '../messages'

interface Group {
  id: string
  epoch: number
  last_message_at: string
  mine: { muted_until: string | null }[]
}
interface Joined {
  onJoined: () => void
  onEnded: () => void
}

const server = vi.hoisted(() => ({
  groups: [] as Group[],
  messages: [] as Message[],
  reads: 0,
  failure: null as Error | null,
  /** The channels that are joined, by id and epoch. */
  topics: new Map<string, Joined>(),
}))

vi.mock('#/renderer/lib/live/group-channel', () => ({
  joinGroup: (id: string, epoch: number, parts: Joined) => {
    server.topics.set(`${id}:${epoch}`, parts)
    return () => server.topics.delete(`${id}:${epoch}`)
  },
}))

/** A query that resolves with what `find` returns for its filters, whatever else it asks for. */
function query(find: (filters: Record<string, string>) => unknown) {
  const filters: Record<string, string> = {}
  const asked: object = new Proxy(
    {
      // biome-ignore lint/suspicious/noThenProperty: supabase-js answers when it is awaited.
      then: (resolve: (value: unknown) => unknown, reject: (cause: unknown) => unknown) =>
        Promise.resolve()
          .then(() => find(filters))
          .then(resolve, reject),
    },
    {
      get: (target, name, ...rest) => {
        if (name === 'then') return Reflect.get(target, name, ...rest)
        return (column: string, value: string) => {
          if (name === 'eq' || name === 'gt') filters[column] = value
          return asked
        }
      },
    },
  )
  return asked
}

vi.mock('#/renderer/lib/server/supabase', () => ({
  unwrap: <T>(answer: T) => answer,
  supabase: () => ({
    rpc: (name: string) =>
      query(() => {
        expect(name).toBe('my_conversations')
        server.reads += 1
        if (server.failure !== null) throw server.failure
        return server.groups.slice(0, 30)
      }),
    from: (table: string) =>
      query(({ id, conversation_id, created_at = '' }) => {
        if (server.failure !== null) throw server.failure
        if (table === 'conversations') return server.groups.find((group) => group.id === id) ?? null
        return server.messages
          .filter((each) => each.conversation_id === conversation_id && each.created_at > created_at)
          .reverse()
      }),
  }),
}))

/** Groups with these ids, the latest first. */
const groupsOf = (...ids: string[]): Group[] =>
  ids.map((id, place) => ({
    id,
    epoch: 0,
    last_message_at: new Date(2026, 10, 21, 12, 100 - place).toISOString(),
    mine: [{ muted_until: null }],
  }))
const topics = () => [...server.topics.keys()]
const idsOf = (count: number) => Array.from({ length: count }, (_, place) => `g${place}`)
const view = (id: string, folder: string, writes = true) =>
  emitRowChange('conversation_views', {
    kind: 'update',
    row: { conversation_id: id, is_group: true, folder, writes } as Tables<'conversation_views'>,
  })

let client: QueryClient
let stop: () => void

/** Follows the groups and waits until these channels are joined. */
async function follow(...groups: Group[]): Promise<void> {
  server.groups = groups
  connection.setState({ state: 'online' })
  stop = followGroups(client)
  await vi.advanceTimersByTimeAsync(12_000)
}

beforeEach(() => {
  vi.useFakeTimers()
  client = new QueryClient()
  server.messages = []
  server.reads = 0
  server.failure = null
  server.topics.clear()
  vi.mocked(logFailure).mockClear()
})

afterEach(() => {
  stop()
  expect(topics(), 'joined channels').toEqual([])
  expect(vi.getTimerCount(), 'timers left behind').toBe(0)
  connection.setState({ state: 'connecting' })
  vi.useRealTimers()
  client.clear()
})

test('MSG-05 joins the groups with the latest messages, one in half a second, the open one first', async () => {
  server.groups = groupsOf('g1', 'g2', 'g3')
  connection.setState({ state: 'online' })
  const close = setOpenGroup('g3')
  stop = followGroups(client)
  await vi.advanceTimersByTimeAsync(200)
  expect(topics()).toEqual(['g3:0'])
  await vi.advanceTimersByTimeAsync(500)
  expect(topics()).toEqual(['g3:0', 'g1:0'])
  await vi.advanceTimersByTimeAsync(500)
  expect(topics()).toEqual(['g3:0', 'g1:0', 'g2:0'])
  close()
})

test('MSG-05 joins twenty groups that are not muted', async () => {
  const groups = groupsOf(...idsOf(25))
  const mute = (place: number, muted_until: string) => {
    groups[place] = { ...(groups[place] as Group), mine: [{ muted_until }] }
  }
  mute(1, 'infinity')
  mute(2, '2999-01-01T00:00:00Z')
  mute(3, '2001-01-01T00:00:00Z')
  await follow(...groups)
  expect(topics()).toHaveLength(20)
  expect(topics()).toEqual(expect.arrayContaining(['g0:0', 'g3:0', 'g21:0']))
  expect(topics()).not.toContain('g1:0')
  expect(topics()).not.toContain('g2:0')
})

test('MSG-05 a group that is opened is joined, though it is archived or muted', async () => {
  await follow(...groupsOf(...idsOf(21)))
  expect(topics()).not.toContain('g20:0')
  const closeLast = setOpenGroup('g20')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(topics()).toContain('g20:0')
  expect(topics()).not.toContain('g19:0')
  closeLast()
})

test('MSG-05 reads what a group has missed before each join, the latest ten messages', async () => {
  const received: string[] = []
  const ignore = onRowChange('messages', ({ row }) => received.push(row.id))
  const refetched = vi.spyOn(client, 'invalidateQueries')
  await follow(...groupsOf('g1', 'g2'))
  const sent = (id: string, minute: number) => message(id, minute, { conversation_id: 'g1' })
  server.messages = [sent('before', 99), sent('missed', 101), sent('missed too', 102)]
  server.topics.get('g1:0')?.onJoined()
  await vi.advanceTimersByTimeAsync(0)
  expect(received).toEqual(['missed', 'missed too'])
  expect(refetched).toHaveBeenCalledWith({ queryKey: messageKeys.history('g1') })
  // They are known now, also when the channel is joined again.
  server.topics.get('g1:0')?.onJoined()
  server.topics.get('g2:0')?.onJoined()
  await vi.advanceTimersByTimeAsync(0)
  expect(received).toEqual(['missed', 'missed too'])

  connection.setState({ state: 'lost' })
  expect(topics(), 'not by the library, all at once').toEqual([])
  server.messages.push(sent('in the gap', 103))
  server.groups = groupsOf('g1', 'g2').map((group) => ({
    ...group,
    last_message_at: sent('in the gap', 103).created_at,
  }))
  connection.setState({ state: 'online' })
  emitCaughtUp()
  await vi.advanceTimersByTimeAsync(1_000)
  server.topics.get('g1:0')?.onJoined()
  await vi.advanceTimersByTimeAsync(0)
  expect(received).toEqual(['missed', 'missed too', 'in the gap'])
  ignore()
})

test('SAFE-01 a group with another epoch is joined again after a random part of five seconds', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  await follow(...groupsOf('g1', 'g2'))
  server.groups = groupsOf('g1', 'g2').map((group) => (group.id === 'g1' ? { ...group, epoch: 1 } : group))
  const before = server.reads
  emitIdsChange('conversations', { type: 'UPDATE', ids: ['g1'] })
  emitIdsChange('conversations', { type: 'UPDATE', ids: ['another'] })
  await vi.advanceTimersByTimeAsync(2_499)
  expect(server.reads).toBe(before)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(topics().sort()).toEqual(['g1:1', 'g2:0'])
  expect(server.reads).toBe(before + 1)
})

test.each([
  ['has left it', () => view('g1', 'none', false)],
  ['has archived it', () => view('g1', 'archived')],
  ['is refused', () => server.topics.get('g1:0')?.onEnded()],
])('SAFE-01 MSG-15 a group is left once the member %s', async (_, happen) => {
  await follow(...groupsOf('g1', 'g2'))
  server.groups = groupsOf('g2')
  happen()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(topics()).toEqual(['g2:0'])
})

test('MSG-07 a group is joined once the member is in it; a mark that moves reads nothing', async () => {
  await follow(...groupsOf('g1'))
  const before = server.reads
  view('g1', 'inbox')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(server.reads).toBe(before)
  server.groups = groupsOf('g2', 'g1')
  view('g2', 'inbox')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(topics()).toEqual(['g1:0', 'g2:0'])
})

test('MSG-07 the groups beyond twenty are read every two minutes, with the list and the number', async () => {
  await follow(...groupsOf(...idsOf(20)))
  const refetched = vi.spyOn(client, 'invalidateQueries')
  await vi.advanceTimersByTimeAsync(240_000)
  expect(refetched).not.toHaveBeenCalled()
  view('new', 'inbox')
  server.groups = groupsOf(...idsOf(21))
  await vi.advanceTimersByTimeAsync(1_000)
  const [last] = server.groups.slice(-1)
  server.groups = [...groupsOf('g20'), ...server.groups.filter((group) => group !== last)]
  await vi.advanceTimersByTimeAsync(120_000)
  expect(topics()).toContain('g20:0')
  expect(topics()).not.toContain('g19:0')
  expect(refetched).toHaveBeenCalledWith({ queryKey: conversationKeys.all })
  expect(refetched).toHaveBeenCalledWith({ queryKey: UNREAD_KEY })
})

test('MSG-05 groups and their messages that could not be read are only logged; groups are read again', async () => {
  server.failure = new Error('no answer')
  await follow(...groupsOf('g1'))
  expect(topics()).toEqual([])
  expect(logFailure).toHaveBeenLastCalledWith('read groups', server.failure)
  server.failure = null
  await vi.advanceTimersByTimeAsync(121_000)
  expect(topics()).toEqual(['g1:0'])
  server.failure = new Error('no answer')
  server.topics.get('g1:0')?.onJoined()
  await vi.advanceTimersByTimeAsync(0)
  expect(logFailure).toHaveBeenLastCalledWith('read messages of a group', server.failure)
})

test('MSG-08 an answer that is lost with the connection is no failure', async () => {
  server.failure = new AppError('offline', '', 'read')
  await follow(...groupsOf('g1'))
  server.failure = null
  emitCaughtUp()
  await vi.advanceTimersByTimeAsync(1_000)
  server.failure = new AppError('offline', '', 'read')
  server.topics.get('g1:0')?.onJoined()
  await vi.advanceTimersByTimeAsync(0)
  expect(topics()).toEqual(['g1:0'])
  expect(logFailure).not.toHaveBeenCalled()
})
