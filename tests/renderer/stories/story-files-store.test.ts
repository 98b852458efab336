import { beforeEach, expect, test, vi } from 'vitest'
import { keepFiles, loadFiles } from '#/renderer/features/stories/story-files-store'
import { logFailure } from '#/renderer/lib/core/logger'
import type { PreparedMedia } from '#/renderer/lib/media'

const disk = vi.hoisted(() => ({ rows: new Map<string, unknown>(), error: null as Error | null }))

vi.mock('#/renderer/lib/local/indexed-db', () => ({
  storedObjects: () => ({
    database: async () => {
      if (disk.error !== null) throw disk.error
      return { get: async (_store: string, key: string) => disk.rows.get(key) }
    },
    write: async (change: (rows: object) => unknown) => {
      if (disk.error !== null) throw disk.error
      change({
        put: (value: unknown, key: string) => disk.rows.set(key, value),
        delete: (key: string) => disk.rows.delete(key),
      })
    },
  }),
}))

const MEDIA = { kind: 'video', durationMs: 5 } as PreparedMedia
const SOURCE = new Blob(['clip'])

beforeEach(() => {
  disk.rows.clear()
  disk.error = null
  vi.mocked(logFailure).mockClear()
})

test('STORY-08 the files of a draft are kept per member, and removed', async () => {
  keepFiles('mara', { media: MEDIA, source: SOURCE })
  expect(await loadFiles('mara')).toEqual({ media: MEDIA, source: SOURCE })
  expect(await loadFiles('noor')).toEqual({ media: null, source: null })
  keepFiles('mara', { source: null })
  expect(await loadFiles('mara')).toEqual({ media: MEDIA, source: null })
})

test('STORY-08 a disk that takes nothing is logged, and the draft stays in memory', async () => {
  disk.error = new Error('full')
  keepFiles('mara', { media: MEDIA })
  expect(await loadFiles('mara')).toEqual({ media: null, source: null })
  expect(vi.mocked(logFailure).mock.calls).toEqual([
    ['keep story draft', disk.error],
    ['restore story draft', disk.error],
  ])
})
