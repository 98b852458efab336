import { InfiniteQueryObserver, MutationObserver, type QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { notificationKeys } from '#/renderer/features/notifications/keys'
import { markReadOptions } from '#/renderer/features/notifications/mutations'
import type {
  NotificationGroup,
  NotificationPage,
  NotificationPages,
} from '#/renderer/features/notifications/queries'
import { createQueryClient, refetch } from '#/renderer/lib/queries/query-client'

const server = vi.hoisted(() => ({
  /** Whether each group is read. */
  rows: new Map<string, boolean>(),
  /** The notifications of groups that have more than one; of others the id is the key. */
  groups: new Map<string, { id: string; at: string }[]>(),
  /** The ids in each completed update. */
  marked: [] as string[][],
  /** Writes in flight; each call completes or refuses one. */
  writes: [] as ((error?: Error) => void)[],
  /** Reads in flight; each returns the rows of the moment it completes. */
  reads: [] as (() => void)[],
}))

vi.mock('#/renderer/lib/server/supabase', () => {
  /** A read of ids or an update, with its filters. */
  class Request {
    group: string | undefined
    until: string | undefined
    ids: string[] | undefined
    from: string | undefined
    skipped = 0
    most = Number.POSITIVE_INFINITY
    constructor(readonly kind: 'read' | 'update') {}
    eq(column: string, value: string): this {
      if (column === 'group_key') this.group = value
      return this
    }
    lte(_column: 'created_at', value: string): this {
      this.until = value
      return this
    }
    in(_column: 'id', ids: string[]): this {
      this.ids = ids
      return this
    }
    gt(_column: 'created_at', value: string): this {
      this.from = value
      return this
    }
    order(_column: 'created_at'): this {
      return this
    }
    range(first: number, _last: number): this {
      this.skipped = first
      this.most = 1
      return this
    }
    limit(most: number): this {
      this.most = most
      return this
    }
  }
  const rowsOf = ({ group }: Request) =>
    group === undefined
      ? [...server.groups.values()].flat()
      : (server.groups.get(group) ?? [{ id: group, at: '' }])
  const unread = (request: Request) =>
    rowsOf(request)
      .filter(
        ({ id, at }) =>
          at <= (request.until ?? at) &&
          (request.from === undefined || at > request.from) &&
          server.rows.get(id) !== true,
      )
      .slice(request.skipped, request.skipped + request.most)
      .map(({ id, at }) => ({ id, created_at: at }))
  return {
    supabase: () => ({
      from: () => ({ select: () => new Request('read'), update: () => new Request('update') }),
    }),
    unwrap: (request: Request) =>
      request.kind === 'read'
        ? Promise.resolve(unread(request))
        : new Promise<null>((resolve, reject) => {
            server.writes.push((error) => {
              if (error !== undefined) return reject(error)
              const ids = request.ids ?? unread(request).map(({ id }) => id)
              server.marked.push(ids)
              for (const id of request.ids ?? [...ids, ...server.rows.keys()]) server.rows.set(id, true)
              resolve(null)
            })
          }),
  }
})

const AT = '2026-11-21T10:00:00Z'
const row = (group_key: string, read: boolean) => ({ group_key, read, created_at: AT }) as NotificationGroup
const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

function openList(client: QueryClient) {
  return new InfiniteQueryObserver(client, {
    queryKey: notificationKeys.list,
    staleTime: 0,
    queryFn: () =>
      new Promise<NotificationPage>((resolve) => {
        server.reads.push(() =>
          resolve({ groups: [...server.rows].map(([key, read]) => row(key, read)), next: undefined }),
        )
      }),
    initialPageParam: null,
    getNextPageParam: () => undefined,
  })
}

let client: QueryClient
let list: ReturnType<typeof openList>
let close: () => void

const shown = () =>
  client
    .getQueryData<NotificationPages>(notificationKeys.list)
    ?.pages.flatMap(({ groups }) => groups)
    .map(({ group_key, read }) => `${group_key}${read ? '' : ' unread'}`)

async function letReadsThrough(): Promise<void> {
  for (const read of server.reads.splice(0)) read()
  await settle()
}

async function mark(key: string): Promise<void> {
  const marking = new MutationObserver(client, markReadOptions(client, 'me'))
  marking.mutate(key === 'all' ? key : row(key, false)).catch(() => undefined)
  await settle()
}

beforeEach(async () => {
  server.rows = new Map([
    ['a', false],
    ['b', false],
  ])
  server.groups = new Map()
  server.marked = []
  server.writes = []
  server.reads = []
  client = createQueryClient()
  list = openList(client)
  close = list.subscribe(() => undefined)
  await letReadsThrough()
})

afterEach(() => {
  close()
  client.clear()
})

test('NOTE-02 NOTE-03 marking a group as read does not lose one that arrives meanwhile', async () => {
  server.rows.set('c', false)
  const arriving = refetch(client, notificationKeys.all)
  await settle()
  await mark('a')
  expect(shown()).toEqual(['a', 'b unread'])
  await letReadsThrough()
  server.writes.shift()?.()
  await settle()
  await letReadsThrough()
  await arriving
  expect(shown()).toEqual(['a', 'b unread', 'c unread'])
})

test('NOTE-02 a refusal restores the marked groups, and keeps new ones', async () => {
  await mark('a')
  server.rows.set('c', false)
  void refetch(client, notificationKeys.all)
  await settle()
  await letReadsThrough()
  server.writes.shift()?.(new Error('refused'))
  await settle()
  expect(shown()).toEqual(['a unread', 'b unread', 'c unread'])
})

test('NOTE-02 only the last of several mutations refetches, so that none shows as unread in between', async () => {
  await mark('a')
  await mark('b')
  server.writes.shift()?.()
  await settle()
  await letReadsThrough()
  expect(shown()).toEqual(['a', 'b'])
  server.writes.shift()?.()
  await settle()
  expect(server.reads).toHaveLength(1)
  await letReadsThrough()
  expect(shown()).toEqual(['a', 'b'])
})

test('NOTE-02 marks and restores groups on later pages', async () => {
  const next = { createdAt: '2026-11-21T10:00:00Z', id: 'b' }
  client.setQueryData<NotificationPages>(notificationKeys.list, {
    pages: [
      { groups: [row('a', true), row('b', false)], next },
      { groups: [row('z', false)], next: undefined },
    ],
    pageParams: [null, next],
  })
  await mark('all')
  expect(shown()).toEqual(['a', 'b', 'z'])
  server.writes.shift()?.(new Error('refused'))
  await settle()
  expect(shown()).toEqual(['a', 'b unread', 'z unread'])
})

test('NOTE-02 marks all notifications of a group by id, and none that arrived since it was listed', async () => {
  const [earlier, later] = ['2026-11-21T09:00:00Z', '2026-11-21T11:00:00Z']
  const listed = Array.from({ length: 250 }, (_, n) => ({ id: `id ${n}`, at: n === 0 ? AT : earlier }))
  server.groups.set('a', [...listed, { id: 'new', at: later }])
  await mark('a')
  for (let n = 0; n < 3; n += 1) {
    server.writes.shift()?.()
    await settle()
  }
  expect(server.writes).toEqual([])
  expect(server.marked.map(({ length }) => length)).toEqual([100, 100, 50])
  expect(server.marked.flat()).toEqual(listed.map(({ id }) => id))
})

test('NOTE-02 a server that keeps notifications unread is asked a limited number of times', async () => {
  server.groups.set(
    'a',
    Array.from({ length: 20_000 }, (_, n) => ({ id: `id ${n}`, at: AT })),
  )
  await mark('a')
  for (let n = 0; n < 200 && server.writes.length > 0; n += 1) {
    server.writes.shift()?.()
    await settle()
  }
  expect(server.writes).toEqual([])
  expect(server.marked).toHaveLength(100)
})

test('NOTE-02 thousands of notifications are marked in updates of at most five hundred, the oldest first', async () => {
  const listed = Array.from({ length: 1_250 }, (_, n) => ({
    id: `id ${n}`,
    at: `2026-11-21 ${String(n).padStart(4, '0')}`,
  }))
  server.groups.set('a', listed)
  await mark('all')
  for (let n = 0; n < 10 && server.writes.length > 0; n += 1) {
    server.writes.shift()?.()
    await settle()
  }
  expect(server.marked.map(({ length }) => length)).toEqual([500, 500, 250])
  expect(server.marked.flat()).toEqual(listed.map(({ id }) => id))
})
