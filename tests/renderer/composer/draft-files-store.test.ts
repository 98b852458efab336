import { beforeEach, expect, test, vi } from 'vitest'
import {
  filesPlace,
  keepOnly,
  loadFiles,
  removeLeftFiles,
  saveFiles,
} from '#/renderer/features/composer/draft-files-store'
import { logFailure } from '#/renderer/lib/core/logger'
import { useServerInfo } from '#/renderer/lib/core/server-info'

const disk = vi.hoisted(() => ({
  stored: new Map<string, unknown>(),
  /** Keys in the order in which they were written. */
  written: [] as string[],
  failure: null as Error | null,
}))

vi.mock('#/renderer/lib/local/indexed-db', () => ({
  storedObjects: () => ({
    database: async () => ({ get: async (_store: string, key: string) => disk.stored.get(key) }),
    write: async (change: (store: object) => Promise<unknown>) => {
      if (disk.failure !== null) throw disk.failure
      await change({
        put: async (value: unknown, key: string) => {
          disk.stored.set(key, value)
          disk.written.push(key)
        },
        delete: async (key: string) => disk.stored.delete(key),
        getAllKeys: async ({ lower, upper } = { lower: '', upper: '\uffff' }) =>
          [...disk.stored.keys()].filter((key) => key >= lower && key <= upper),
      })
    },
  }),
}))

const picture = { dataUrl: 'data:,', thumbnailUrl: 'data:,', width: 3, height: 2 }
const photo = (id: string) => ({ id, source: new Blob([id]), picture: null, captions: null })
const keys = () => [...disk.stored.keys()].sort()

/** Resolves when all writes have ended. */
const settled = () => keepOnly('none.', [])

beforeEach(() => {
  vi.stubGlobal('IDBKeyRange', { bound: (lower: string, upper: string) => ({ lower, upper }) })
  Object.assign(disk, { stored: new Map(), written: [], failure: null })
  vi.mocked(logFailure).mockClear()
})

test('CREATE-08 an edit writes the prepared picture again, and not the original', async () => {
  const chosen = photo('a')
  saveFiles('ada.', [chosen], [])
  const ready = { ...chosen, picture }
  saveFiles('ada.', [ready], [chosen])
  saveFiles('ada.', [ready], [ready])
  saveFiles('ada.', [{ ...ready, picture: { ...picture, width: 9 } }], [ready])
  await settled()
  expect(disk.written).toEqual(['ada.a.source', 'ada.a.picture', 'ada.a.picture'])
  expect(await loadFiles('ada.', 'a')).toMatchObject({ source: chosen.source, picture: { width: 9 } })
  expect(await loadFiles('ada.', 'b')).toBeNull()
})

test('CREATE-08 files are removed with their photo, and those of a removed draft when the next one opens', async () => {
  const [a, b] = [photo('a'), { ...photo('b'), picture }]
  saveFiles('ada.', [a, b], [])
  saveFiles('ben.', [a], [])
  saveFiles('ada.', [b], [a, b])
  await settled()
  expect(keys()).toEqual(['ada.b.picture', 'ada.b.source', 'ben.a.source'])
  await keepOnly('ada.', [])
  expect(keys()).toEqual(['ben.a.source'])
})

test('CREATE-08 a full disk is logged, and later changes are stored again', async () => {
  const cause = new Error('QuotaExceededError')
  disk.failure = cause
  saveFiles('ada.', [photo('a')], [])
  await settled()
  expect(vi.mocked(logFailure).mock.calls).toContainEqual(['keep draft photos', cause])
  disk.failure = null
  saveFiles('ada.', [photo('b')], [])
  await settled()
  expect(keys()).toEqual(['ada.b.source'])
})

test('CREATE-08 each member and server has separate files', () => {
  useServerInfo.setState({ storageKey: 'one' })
  const place = filesPlace('ada')
  expect(filesPlace('ben')).not.toBe(place)
  useServerInfo.setState({ storageKey: 'two' })
  expect(filesPlace('ada')).not.toBe(place)
})

test('CREATE-08 the files of members without a draft are removed, original and picture', async () => {
  const [ada, ben] = [filesPlace('ada'), filesPlace('ben')]
  saveFiles(ada, [{ ...photo('a'), picture }], [])
  saveFiles(ben, [{ ...photo('b'), picture }], [])
  await removeLeftFiles((place) => place === ben)
  expect(keys()).toEqual([`${ben}b.picture`, `${ben}b.source`])
})
