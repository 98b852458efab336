import type { DBSchema } from 'idb'
import { beforeEach, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import { storedObjects } from '#/renderer/lib/local/indexed-db'
import { useNotKept } from '#/renderer/lib/local/not-kept-store'
import { indexedDbStore } from '#/renderer/lib/outbox/store'

/** How opening a database ends. */
const opening = vi.hoisted(() => ({ open: async (): Promise<object> => ({}), count: 0 }))

vi.mock('idb', () => ({
  openDB: () => {
    opening.count += 1
    return opening.open()
  },
}))

interface TestSchema extends DBSchema {
  rows: { key: string; value: string }
}

const denied = new DOMException('denied', 'SecurityError')
const row = {
  id: 'a',
  scope: 'c',
  kind: 'message',
  payload: 'Hello',
  createdAt: '2026-03-01T12:00:00Z',
  state: 'sending',
} as const

/** A database of one store, as far as the outbox uses it. */
function createDatabase(stored = new Map<string, object>()) {
  const store = {
    put: async (value: { id: string }) => stored.set(value.id, value),
    delete: async (id: string) => stored.delete(id),
  }
  return {
    stored,
    objectStoreNames: { contains: () => true },
    getAllKeysFromIndex: async () => [...stored.keys()],
    get: async (_name: string, id: string) => {
      if (id === 'lost') throw new DOMException('files are missing', 'DataError')
      return stored.get(id)
    },
    transaction: () => ({ store, done: Promise.resolve() }),
  }
}

beforeEach(() => {
  Object.assign(opening, { open: async () => createDatabase(), count: 0 })
  useNotKept.setState({ isReported: false })
  vi.mocked(logFailure).mockClear()
})

test.each<[string, () => Promise<object>]>([
  ['refuses', () => Promise.reject(denied)],
  [
    'throws',
    () => {
      throw denied
    },
  ],
])(
  'ACC-05 the outbox is in memory in a browser whose IndexedDB %s to open, and the member is informed once',
  async (_, open) => {
    opening.open = open
    const store = indexedDbStore('ana', 'embedded')
    await store.save(row)
    expect(await store.load()).toEqual([row])
    await store.save({ ...row, state: 'waiting' })
    expect(await store.load()).toEqual([{ ...row, state: 'waiting' }])
    await store.remove('a')
    expect(await store.load()).toEqual([])
    await store.save(row)
    await store.clear()
    expect(await store.load()).toEqual([])
    expect(useNotKept.getState().isReported).toBe(true)
    expect(vi.mocked(logFailure).mock.calls).toEqual([['open database', denied]])
  },
)

test('ACC-05 a database that does not answer is awaited once, and used as soon as it answers', async () => {
  vi.useFakeTimers()
  try {
    let answer = (_database: object): void => undefined
    opening.open = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    const store = indexedDbStore('ana', 'embedded')
    const loading = store.load()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await loading).toEqual([])
    await store.save(row)
    expect([await store.load(), useNotKept.getState().isReported]).toEqual([[row], true])
    expect(opening.count).toBe(1)

    const earlier = { ...row, id: 'earlier', member: 'ana', server: 'embedded' }
    const database = createDatabase(new Map([['earlier', earlier]]))
    answer(database)
    await vi.advanceTimersByTimeAsync(0)
    expect((await store.load()).map(({ id }) => id)).toEqual(['earlier', 'a'])
    await store.save(row)
    expect([...database.stored.keys()]).toEqual(['earlier', 'a'])
  } finally {
    vi.useRealTimers()
  }
})

test('ACC-05 a database that fails once is opened again', async () => {
  opening.open = () => Promise.reject(denied)
  const { isOpen } = storedObjects<TestSchema, 'rows'>('test', 'rows', () => undefined)
  expect(await isOpen()).toBe(false)
  opening.open = async () => createDatabase()
  expect(await isOpen()).toBe(true)
})

test('MSG-09 a row whose files are lost does not hide the others', async () => {
  const stored = new Map<string, object>([
    ['lost', {}],
    ['a', row],
  ])
  opening.open = async () => createDatabase(stored)
  expect(await indexedDbStore('ana', 'embedded').load()).toEqual([{ id: 'lost' }, row])
  expect(logFailure).toHaveBeenCalledExactlyOnceWith('read outbox row', expect.any(DOMException))
})
