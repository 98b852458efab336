import { QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type DiskCache, openDiskCache } from '#/renderer/lib/disk-cache/disk-cache'
import { forgetMember } from '#/renderer/lib/disk-cache/forget-member'
import {
  type CachedQueries,
  forgetOnDisk,
  readThroughDisk,
  restoreQuery,
  rewriteDiskCache,
  storeQueries,
} from '#/renderer/lib/disk-cache/persist'
import { createQueryClient, STALE, staleFromDisk } from '#/renderer/lib/queries/query-client'
import { setSessionStatus } from '#/renderer/lib/server/session/session-status-store'
import { memoryCache } from './memory-cache'

vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('removeEventListener', () => undefined)

const QUERIES: CachedQueries = {
  names: new Set(['feed', 'post', 'picture', 'grid', 'profile']),
  firstPageOnly: new Set(['grid']),
  unstored: new Map([['profile', 'opened']]),
  parts: { of: 'post', names: new Set(['picture']) },
  isDeleted: (_, { state }) => state.data === 'deleted',
}
const YESTERDAY = Date.now() - 24 * 60 * 60_000

beforeEach(() => {
  setSessionStatus({ status: 'confirmed', member: 'me' })
})

async function open(disk = memoryCache()) {
  const client = createQueryClient(readThroughDisk)
  const cache = openDiskCache(disk.store)
  await cache.list()
  onTestFinished(storeQueries(client, cache, QUERIES))
  const keys = async () => {
    await cache.flush()
    return [...disk.rows.keys()].sort()
  }
  return { client, cache, disk, keys }
}

async function save(
  cache: DiskCache,
  queryKey: readonly unknown[],
  data: unknown,
  updatedAt = YESTERDAY,
): Promise<void> {
  cache.put(JSON.stringify(queryKey), () => ({ queryKey, data, updatedAt }))
  await cache.flush()
}

/** A screen that shows a query; records the shown data and the number of requests. */
function show(
  client: ReturnType<typeof createQueryClient>,
  queryKey: readonly unknown[],
  staleTime: number | typeof staleFromDisk,
) {
  const screen = { reads: 0, shown: [] as unknown[], data: (): unknown => observer.getCurrentResult().data }
  const queryFn = async () => {
    screen.reads += 1
    return 'from the server'
  }
  const observer = new QueryObserver(client, { queryKey, queryFn, staleTime })
  onTestFinished(
    observer.subscribe(({ data }) => {
      if (data !== undefined && data !== screen.shown.at(-1)) screen.shown.push(data)
    }),
  )
  return screen
}

test('FEED-18 only listed queries are stored', async () => {
  const { client, keys } = await open()
  client.setQueryData(['feed', 'pages'], { pages: [] })
  client.setQueryData(['sessions'], [{ id: 's' }])
  client.setQueryData(['editable-profile', 'me'], { bio: 'typed' })
  expect(await keys()).toEqual(['["feed","pages"]'])
})

test('FEED-18 a deleted or hidden post is removed from disk with its picture', async () => {
  const { client, keys } = await open()
  for (const id of ['a', 'b']) {
    client.setQueryData(['post', id], { id })
    client.setQueryData(['picture', id], 'data:')
  }
  expect(await keys()).toHaveLength(4)
  client.setQueryData(['post', 'a'], null)
  expect(await keys()).toEqual(['["picture","b"]', '["post","b"]'])
})

test('deleted content is removed from disk and stays in memory', async () => {
  const { client, keys } = await open()
  client.setQueryData(['profile', 'ada'], 'Ada')
  expect(await keys()).toEqual(['["profile","ada"]'])
  client.setQueryData(['profile', 'ada'], 'deleted')
  expect(await keys()).toEqual([])
  await rewriteDiskCache(client)
  expect(await keys()).toEqual([])
  expect(client.getQueryData(['profile', 'ada'])).toBe('deleted')
})

test('of a grid only the first page is stored, because all stored pages are refetched', async () => {
  const { client, cache, keys } = await open()
  const pages = { pages: ['first', 'second'], pageParams: [null, 'cursor'] }
  client.setQueryData(['grid', 'posts', 'ada'], pages)
  client.setQueryData(['feed', 'pages'], pages)
  await keys()
  const [grid, feed] = await cache.read(['["grid","posts","ada"]', '["feed","pages"]'])
  expect(grid?.data).toEqual({ pages: ['first'], pageParams: [null] })
  expect(feed?.data).toEqual(pages)
})

test('FEED-18 the first read of a query returns the stored data and refetches it', async () => {
  const { client, cache } = await open()
  await save(cache, ['profile', 'ada'], 'from disk')
  const screen = show(client, ['profile', 'ada'], STALE.short)
  await vi.waitFor(() => expect(screen.shown).toEqual(['from disk', 'from the server']))
  expect(screen.reads).toBe(1)
})

test('a picture on disk is not refetched', async () => {
  const { client, cache } = await open()
  await save(cache, ['picture', 'p'], 'from disk')
  const screen = show(client, ['picture', 'p'], STALE.immutable)
  await vi.waitFor(() =>
    expect(client.getQueryState(['picture', 'p'])?.dataUpdatedAt).toBe(YESTERDAY - 3_600_000),
  )
  expect([screen.data(), screen.reads]).toEqual(['from disk', 0])
})

test('data that was stored a moment ago is refetched, because later changes may not have reached the disk', async () => {
  const { client, cache } = await open()
  await save(cache, ['profile', 'p'], 'from disk', Date.now())
  const screen = show(client, ['profile', 'p'], STALE.short)
  await vi.waitFor(() => expect(screen.data()).toBe('from the server'))
  restoreQuery(client, { queryKey: ['profile', 'q'], data: 'from disk', updatedAt: Date.now() })
  const second = show(client, ['profile', 'q'], STALE.short)
  await vi.waitFor(() => expect(second.data()).toBe('from the server'))
})

test('ACC-05 data that was stored while the clock was ahead is refetched', async () => {
  const { client, cache } = await open()
  const tomorrow = Date.now() + 24 * 60 * 60_000
  await save(cache, ['profile', 'p'], 'from disk', tomorrow)
  restoreQuery(client, { queryKey: ['post', 'p'], data: 'from disk', updatedAt: tomorrow })
  const screens = [show(client, ['profile', 'p'], STALE.short), show(client, ['post', 'p'], staleFromDisk)]
  await vi.waitFor(() => expect(screens.map(({ reads }) => reads)).toEqual([1, 1]))
})

test('FEED-18 a restored post is refetched once, though live events keep loaded ones current', async () => {
  const { client } = await open()
  restoreQuery(client, { queryKey: ['post', 'p'], data: 'from disk', updatedAt: YESTERDAY })
  const screen = show(client, ['post', 'p'], staleFromDisk)
  expect(screen.data()).toBe('from disk')
  await vi.waitFor(() => expect(screen.data()).toBe('from the server'))
  expect(show(client, ['post', 'p'], staleFromDisk).reads).toBe(0)
})

test('data that was fetched meanwhile is not replaced from disk', async () => {
  const { client } = await open()
  client.setQueryData(['post', 'p'], 'from the server')
  restoreQuery(client, { queryKey: ['post', 'p'], data: 'from disk', updatedAt: YESTERDAY })
  expect(client.getQueryData(['post', 'p'])).toBe('from the server')
})

test('data that came from disk is not stored again', async () => {
  const { client, cache, disk } = await open()
  await save(cache, ['picture', 'p'], 'from disk')
  const change = vi.spyOn(disk.store, 'change')
  show(client, ['picture', 'p'], STALE.immutable)
  await vi.waitFor(() => expect(client.getQueryData(['picture', 'p'])).toBe('from disk'))
  await cache.flush()
  expect(change).not.toHaveBeenCalled()
})

test('FEED-18 reads wait until the server has confirmed the session, except reads from disk', async () => {
  setSessionStatus({ status: 'restored', member: 'me' })
  const { client, cache } = await open()
  await save(cache, ['profile', 'ada'], 'from disk')
  const cached = show(client, ['profile', 'ada'], STALE.short)
  const missing = show(client, ['profile', 'ben'], STALE.short)
  await vi.waitFor(() => expect(cached.data()).toBe('from disk'))
  expect([cached.reads, missing.reads]).toEqual([0, 0])
  setSessionStatus({ status: 'confirmed', member: 'me' })
  await vi.waitFor(() => expect([cached.reads, missing.reads]).toEqual([1, 1]))
})

test('reads of a session that has ended are never sent, not even after the next sign-in', async () => {
  setSessionStatus({ status: 'restored', member: 'me' })
  const { client } = await open()
  const screen = show(client, ['profile', 'ada'], STALE.short)
  await Promise.resolve()
  setSessionStatus({ status: 'ended', member: null })
  setSessionStatus({ status: 'confirmed', member: 'me' })
  await new Promise((resolve) => setTimeout(resolve))
  expect(screen.reads).toBe(0)
})

test('SAFE-01 FEED-18 blocking a member removes their content from disk, also content that is not in memory', async () => {
  const { client, cache, keys } = await open()
  await save(cache, ['grid', 'posts', 'gone'], { pages: [{ posts: [{ id: 'x' }] }] })
  await save(cache, ['picture', 'unloaded'], 'data:')
  client.setQueryData(
    ['feed', 'pages'],
    [
      { id: 'p', author: 'gone' },
      { id: 'q', author: 'kept' },
    ],
  )
  for (const [id, user_id] of [
    ['p', 'gone'],
    ['q', 'kept'],
  ]) {
    client.setQueryData(['post', id], { id, user_id })
    client.setQueryData(['picture', id], `data:${user_id}`)
  }
  await keys()
  const restore = await forgetMember(client, { id: 'gone', username: 'gone.name' })
  expect(await keys()).toEqual(['["feed","pages"]', '["picture","q"]', '["post","q"]'])
  expect((await cache.read(['["feed","pages"]']))[0]?.data).toEqual([{ id: 'q', author: 'kept' }])
  restore()
  expect(await keys()).toContain('["post","p"]')
})

test('SAFE-01 FEED-18 after a block no key on disk has the id of the member, such as that of a scroll position', async () => {
  const { client, keys } = await open()
  for (const id of ['gone', 'kept'])
    client.setQueryData(['grid', 'posts', id], { id: `post of ${id}`, top: 90 })
  expect(await keys()).toHaveLength(2)
  await forgetMember(client, { id: 'gone', username: 'gone.name' })
  expect(await keys()).toEqual(['["grid","posts","kept"]'])
})

test('a property of the data that a screen shows only now is not stored', async () => {
  const { client, cache, keys } = await open()
  const data = { name: 'Ada', opened: 'details' }
  client.setQueryData(['profile', 'ada'], data)
  client.setQueryData(['post', 'ada'], data)
  await keys()
  const [profile, post] = await cache.read(['["profile","ada"]', '["post","ada"]'])
  expect([profile?.data, post?.data]).toEqual([{ name: 'Ada' }, data])
  expect(client.getQueryData(['profile', 'ada'])).toEqual(data)
})

test('a rewrite omits outdated queries that are not on screen', async () => {
  const { client, keys } = await open()
  client.setQueryData(['profile', 'ada'], { id: 'ada' })
  client.setQueryData(['profile', 'ben'], { id: 'ben' })
  await client.invalidateQueries({ queryKey: ['profile', 'ada'] })
  await rewriteDiskCache(client)
  expect(await keys()).toEqual(['["profile","ben"]'])
})

test('PROF-13 FEED-18 queries are removed from disk by the prefix of their key', async () => {
  const { client, cache, keys } = await open()
  await save(cache, ['grid', 'saved', 'me'], {})
  await save(cache, ['profile', 'ada'], {})
  // Not stored yet.
  client.setQueryData(['grid', 'posts', 'me'], { pages: [] })
  forgetOnDisk(client, [['grid']])
  expect(await keys()).toEqual(['["profile","ada"]'])
})
