import { beforeEach, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import { allFinished } from '#/renderer/lib/core/pending-work-store'
import { type DiskCacheLimits, openDiskCache } from '#/renderer/lib/disk-cache/disk-cache'
import { DISK_CACHE } from '#/shared/limits'
import { memoryCache } from './memory-cache'

const DAY_MS = 24 * 60 * 60_000
const queryOf = (name: string, text = '') => ({ queryKey: [name], data: { text }, updatedAt: 5 })

beforeEach(() => {
  vi.mocked(logFailure).mockClear()
})

/** A cache whose clock advances by one with each stored query, before it has listed what is stored. */
function openUnlisted(limits: Partial<DiskCacheLimits> = {}, { rows, store } = memoryCache()) {
  let now = Date.now()
  const cache = openDiskCache(store, { ...DISK_CACHE, ...limits }, () => (now += 1))
  const put = (name: string, text?: string) => cache.put(name, () => queryOf(name, text))
  return { cache, put, rows, store }
}

async function open(...options: Parameters<typeof openUnlisted>) {
  const opened = openUnlisted(...options)
  await opened.cache.list()
  return opened
}

/** A disk with these queries. */
async function diskWith(...names: string[]) {
  const { cache, put, rows, store } = await open()
  for (const name of names) put(name)
  await cache.flush()
  return { rows, store }
}

test('FEED-18 a stored query is read back after a restart', async () => {
  const { cache, put, rows, store } = await open()
  put('feed')
  await cache.flush()
  const restarted = await open({}, { rows, store })
  expect(restarted.cache.mayHave('feed')).toBe(true)
  expect(await restarted.cache.read(['post', 'feed'])).toEqual([null, queryOf('feed')])
})

test('FEED-18 changes are stored together after a second, with the latest data, and quitting waits for them', async () => {
  vi.useFakeTimers()
  const { cache, put, rows, store } = await open()
  const change = vi.spyOn(store, 'change')
  put('feed', 'old')
  put('feed', 'new')
  put('post')
  expect(cache.mayHave('feed'), 'not stored yet').toBe(false)
  vi.advanceTimersByTime(1_000)
  vi.useRealTimers()
  await allFinished()
  expect(change).toHaveBeenCalledOnce()
  expect([...rows.keys()]).toEqual(['feed', 'post'])
  expect(await cache.read(['feed'])).toEqual([queryOf('feed', 'new')])
})

test('FEED-18 a query that is nested too deep to be written keeps no other from being stored or removed', async () => {
  const { cache, put, rows } = await open({}, await diskWith('blocked', 'post'))
  let deep: unknown = null
  for (let level = 0; level < 100_000; level += 1) deep = [deep]
  cache.put('post', () => ({ queryKey: ['post'], data: deep, updatedAt: 5 }))
  put('feed')
  cache.remove(['blocked'])
  await cache.flush()
  expect([...rows.keys()]).toEqual(['feed'])
  expect(logFailure).toHaveBeenCalledExactlyOnceWith('disk cache', expect.any(RangeError))
})

test('FEED-18 the oldest queries are evicted beyond 50 MB', async () => {
  expect(DISK_CACHE.bytes).toBe(50_000_000)
  const size = JSON.stringify(queryOf('a', 'x'.repeat(1_000))).length
  const { cache, put, rows } = await open({ bytes: size * 4, keep: 0.5 })
  for (const name of ['a', 'b', 'c', 'd']) {
    put(name, 'x'.repeat(1_000))
    await cache.flush()
  }
  expect([...rows.keys()]).toEqual(['a', 'b', 'c', 'd'])
  // Stored again, it is no longer the oldest.
  put('a', 'x'.repeat(1_000))
  await cache.flush()
  put('e', 'x'.repeat(1_000))
  await cache.flush()
  expect([...rows.keys()].sort()).toEqual(['a', 'e'])
  expect(cache.mayHave('b')).toBe(false)
})

test('FEED-18 the oldest queries are evicted beyond their number, and after a month', async () => {
  const { cache, put, rows } = await open({ queries: 3, keep: 1 })
  for (const name of ['a', 'b', 'c', 'd']) put(name)
  await cache.flush()
  expect([...rows.keys()]).toEqual(['b', 'c', 'd'])

  const old = { hash: 'old', savedAt: Date.now() - 31 * DAY_MS, size: 1, text: '{}' }
  const recent = { hash: 'recent', savedAt: Date.now() - 29 * DAY_MS, size: 1, text: '{}' }
  const stored = memoryCache(new Map([old, recent].map((row) => [row.hash, row])))
  const restarted = await open({}, stored)
  await restarted.cache.flush()
  expect([...stored.rows.keys()]).toEqual(['recent'])
})

test('FEED-18 a query that has become too large is removed from disk', async () => {
  const { cache, put, rows } = await open({ queryBytes: 1_000 })
  put('grid')
  await cache.flush()
  expect([...rows.keys()]).toEqual(['grid'])
  put('grid', 'x'.repeat(1_000))
  await cache.flush()
  expect([...rows.keys()]).toEqual([])
})

test('characters beyond Latin-1 count as two bytes each', async () => {
  const { cache, put, rows } = await open()
  put('feed', 'é')
  put('post', '漢')
  await cache.flush()
  expect((rows.get('post')?.size ?? 0) / (rows.get('feed')?.size ?? 1)).toBe(2)
})

test('FEED-18 a cleared or closed cache discards scheduled writes', async () => {
  const { cache, put, rows } = await open()
  put('stored')
  await cache.flush()
  put('waiting')
  await cache.clear()
  expect([...rows.keys()]).toEqual([])
  put('late')
  cache.close()
  await cache.flush()
  expect([...rows.keys()]).toEqual([])
})

test('removed queries are not read, even before they have left the disk', async () => {
  const { cache, put } = await open()
  put('post')
  await cache.flush()
  cache.remove(['post'])
  expect(await cache.read(['post'])).toEqual([null])
})

test('FEED-18 the first screen is read before all queries are listed, without queries that are too old or were removed meanwhile', async () => {
  const disk = await diskWith('feed', 'post', 'gone', 'kept')
  disk.rows.set('old', { hash: 'old', savedAt: Date.now() - 31 * DAY_MS, size: 1, text: '{"queryKey":[]}' })
  const list = vi.spyOn(disk.store, 'open')
  const { cache, put } = openUnlisted({}, disk)
  expect(await cache.read(['feed', 'old', 'new'])).toEqual([queryOf('feed'), null, null])
  expect([cache.mayHave('feed'), cache.mayHave('new')], 'both may be stored').toEqual([true, true])
  cache.removeMatching((hash) => hash === 'gone' || hash === 'post')
  put('post', 'put again')
  expect(await cache.read(['gone', 'post'])).toEqual([null, null])
  expect(list).not.toHaveBeenCalled()

  const flushed = cache.flush()
  await Promise.all([cache.list(), cache.list()])
  await flushed
  expect(list).toHaveBeenCalledOnce()
  expect([...disk.rows.keys()].sort()).toEqual(['feed', 'kept', 'post'])
  expect(await cache.read(['post'])).toEqual([queryOf('post', 'put again')])
  expect([cache.mayHave('feed'), cache.mayHave('new')]).toEqual([true, false])
})

test('FEED-18 a cache that is cleared before it is listed has nothing of before', async () => {
  const disk = await diskWith('feed', 'post')
  const { cache, put } = openUnlisted({}, disk)
  const cleared = cache.clear()
  put('post', 'put again')
  expect(await cache.read(['feed'])).toEqual([null])
  await Promise.all([cache.list(), cleared])
  await cache.flush()
  expect([...disk.rows.keys()]).toEqual(['post'])
  expect(cache.mayHave('feed')).toBe(false)
})

test('a damaged text is read as missing', async () => {
  const damaged = ['{"queryKey":', 'null', '7', '{}'].map((text, index) => ({
    hash: String(index),
    savedAt: Date.now(),
    size: 1,
    text,
  }))
  const { cache } = await open({}, memoryCache(new Map(damaged.map((row) => [row.hash, row]))))
  expect(await cache.read(['0', '1', '2', '3'])).toEqual([null, null, null, null])
})

test('without a disk the app works as before, and the failure is logged', async () => {
  const cause = new Error('disk full')
  const broken = () => Promise.reject(cause)
  const store = { open: broken, read: broken, change: broken, clear: broken }
  const { cache, put } = await open({}, { rows: new Map(), store })
  put('feed')
  await cache.flush()
  await cache.clear()
  expect(await cache.read(['feed'])).toEqual([null])
  expect(vi.mocked(logFailure).mock.calls).toEqual(Array(4).fill(['disk cache', cause]))
})
