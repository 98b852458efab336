import type { DBSchema } from 'idb'
import { beforeEach, describe, expect, test, vi } from 'vitest'
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
    getKey: async (id: string) => (stored.has(id) ? id : undefined),
  }
  return {
    stored,
    objectStoreNames: { contains: () => true },
    getAllKeysFromIndex: async () => [...stored].flatMap(([id, value]) => ('member' in value ? [id] : [])),
    get: async (_name: string, id: string) => {
      if (id === 'lost') throw new DOMException('files are missing', 'DataError')
      return structuredClone(stored.get(id))
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
  const owner = { member: 'ana', server: 'embedded' }
  const stored = new Map<string, object>([
    ['lost', owner],
    ['a', { ...row, ...owner }],
  ])
  opening.open = async () => createDatabase(stored)
  expect(await indexedDbStore('ana', 'embedded').load()).toEqual([{ id: 'lost' }, row])
  expect(logFailure).toHaveBeenCalledExactlyOnceWith('read outbox row', expect.any(DOMException))
})

describe('CREATE-10 MEDIA-05 a row with files', () => {
  const payload = { content: 'Waves', photos: [{ video: new Blob(['video']) }] }
  const post = { ...row, kind: 'post', payload }
  let database: ReturnType<typeof createDatabase>
  /** The writes that contained its files. */
  let copies: number
  beforeEach(() => {
    database = createDatabase()
    copies = 0
    const { store } = database.transaction()
    const put = async (value: { id: string }) => {
      copies += 'payload' in value ? 1 : 0
      return database.stored.set(value.id, structuredClone(value))
    }
    opening.open = async () => ({
      ...database,
      transaction: () => ({ store: { ...store, put }, done: Promise.resolve() }),
    })
  })
  const open = () => indexedDbStore('ana', 'embedded')

  test('is written once, and each of its files that arrives is recorded beside it, also after a restart', async () => {
    const store = open()
    await store.save(post)
    await store.save({ ...post, state: 'waiting' })
    const restarted = open()
    const [loaded] = await restarted.load()
    expect(loaded).toEqual({ ...post, state: 'waiting' })
    const next = { ...post, ...loaded, failures: 1, uploads: { 'full 0': 'ana/1.webp' } }
    await restarted.save({ ...next, started: { 'video 0': { path: 'ana/1.mp4', id: 'u1' } } })
    await restarted.save({ ...next, reason: 'Too large', state: 'refused' })
    expect(await open().load()).toEqual([{ ...next, reason: 'Too large', state: 'refused' }])
    expect(copies).toBe(1)
    await open().remove('a')
    expect([...database.stored.keys()]).toEqual([])
  })

  test('is written again after it was removed, or with other files under the same id', async () => {
    const store = open()
    await store.save(post)
    const [loaded] = await store.load()
    const uploads = { 'full 0': 'ana/1.webp' }
    await store.save({ ...post, ...loaded, uploads })
    const other = { ...post, payload: { ...payload }, createdAt: '2026-03-01T13:00:00Z' }
    await store.save(other)
    expect(await store.load()).toEqual([other])
    await open().remove('a')
    await store.save({ ...post, ...loaded, uploads })
    expect(await store.load()).toEqual([{ ...post, uploads }])
    expect(copies).toBe(3)
  })

  test('that an earlier version has written, with its progress, goes on; a later version’s leaves nothing that an earlier one shows', async () => {
    const uploads = { 'full 0': 'ana/1.webp' }
    database.stored.set('a', { ...post, uploads, member: 'ana', server: 'embedded' })
    const store = open()
    const [loaded] = await store.load()
    expect(loaded).toEqual({ ...post, uploads })
    await store.save({ ...post, ...loaded, uploads: { ...uploads, 'feed 0': 'ana/2.webp' } })
    expect(copies).toBe(0)
    // What an earlier version lists and reads.
    expect(await database.getAllKeysFromIndex()).toEqual(['a'])
    // It sends the row, and stores another post under this id.
    const later = { ...post, createdAt: '2026-03-01T14:00:00Z', member: 'ana', server: 'embedded' }
    database.stored.set('a', later)
    expect(await open().load()).toEqual([{ ...post, createdAt: later.createdAt }])
    await open().clear()
    expect([...database.stored.keys()]).toEqual([])
  })
})
