import { beforeEach, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import type { DiskCache } from '#/renderer/lib/disk-cache/disk-cache'
import { closeAndClear, openCache, openedCache } from '#/renderer/lib/disk-cache/opened-store'

const disk = vi.hoisted(() => ({
  stored: new Map<string, unknown>(),
  clear: async (_server: string): Promise<void> => undefined,
}))

vi.mock('#/renderer/lib/disk-cache/store', () => ({
  clearServerCache: (server: string) => disk.clear(server),
  indexedDbCache: ({ member }: { member: string }, form: number) => ({
    open: async () => [],
    read: async () => [],
    change: async () => void disk.stored.set(member, form),
    clear: async () => undefined,
  }),
}))

const ada = { server: 'embedded', member: 'ada' }
const ben = { server: 'embedded', member: 'ben' }
const nothing = async () => []
const query = () => ({ queryKey: ['feed'], data: 1, updatedAt: 1 })

async function isOpen(cache: DiskCache): Promise<boolean> {
  disk.stored.clear()
  cache.put('feed', query)
  await cache.flush()
  return disk.stored.size > 0
}

beforeEach(async () => {
  disk.clear = async () => undefined
  await closeAndClear('embedded')
  vi.mocked(logFailure).mockClear()
})

test('FEED-18 the cache of a member is opened once, and has the form of what this build stores', async () => {
  const first = { queryKey: ['own profile'], data: {}, updatedAt: 1 }
  const [one, two] = await Promise.all([openCache(ada, 7, async () => [first]), openCache(ada, 7, nothing)])
  expect(one).toBe(two)
  expect(openedCache('ada')?.first).toEqual([first])
  expect(openedCache('ben')).toBeNull()
  expect(await isOpen(one.cache)).toBe(true)
  expect(disk.stored.get('ada')).toBe(7)
})

test('FEED-18 the next member closes the cache of the one before', async () => {
  const { cache } = await openCache(ada, 7, nothing)
  await openCache(ben, 7, nothing)
  expect(openedCache('ada')).toBeNull()
  expect(await isOpen(cache)).toBe(false)
})

test('FEED-18 a sign-out clears the server and closes the cache, also one that is being opened', async () => {
  const cleared: string[] = []
  disk.clear = async (server) => void cleared.push(server)
  const open = await openCache(ada, 7, nothing)
  await closeAndClear('embedded')
  expect(await isOpen(open.cache)).toBe(false)
  const opening = openCache(ada, 7, nothing)
  await closeAndClear('embedded')
  expect(await isOpen((await opening).cache)).toBe(false)
  expect(openedCache('ada')).toBeNull()
  expect(cleared).toEqual(['embedded', 'embedded'])
})

test('a cache that cannot be cleared is logged', async () => {
  const cause = new Error('blocked')
  disk.clear = () => Promise.reject(cause)
  await closeAndClear('embedded')
  expect(vi.mocked(logFailure).mock.calls).toEqual([['clear disk cache', cause]])
})
