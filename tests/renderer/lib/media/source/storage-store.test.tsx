import { act } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import { POST_VIDEO } from '#/shared/limits'
import type { ServerInfo } from '#/shared/server'
import { showHook } from '#tests/renderer/dom'

const rpc = vi.hoisted(() => vi.fn<(name: string) => Promise<unknown>>())
/** Where uploads in pieces begin. */
const storage = vi.hoisted(() => ({ fetch: vi.fn<(url: string, init: RequestInit) => Promise<Response>>() }))

vi.mock('#/renderer/lib/server/supabase', () => ({
  unwrap: (request: Promise<unknown>) => request,
  supabase: () => ({ rpc }),
  storageRequest: async (path: string) => ({
    url: `https://photos.example.com${path}`,
    headers: { apikey: 'key' },
  }),
  clientFetch: (url: string, init: RequestInit) => storage.fetch(url, init),
}))

/** The modules of a page that has just been loaded. */
async function open(kind: ServerInfo['kind'] = 'chosen') {
  vi.resetModules()
  const { useServerInfo } = await import('#/renderer/lib/core/server-info')
  useServerInfo.setState({ server: { kind, url: 'https://photos.example.com' } as ServerInfo })
  return import('#/renderer/lib/media/source/storage-store')
}

beforeEach(() => {
  rpc.mockReset()
  storage.fetch.mockReset().mockImplementation(async () => new Response(null, { status: 204 }))
  vi.mocked(logFailure).mockClear()
})

describe('MEDIA-01 whether a server has Storage', () => {
  test('is asked until it has', async () => {
    const { hasStorage } = await open()
    rpc.mockResolvedValueOnce(null).mockResolvedValue(200_000_000)
    expect([await hasStorage(), await hasStorage(), await hasStorage()]).toEqual([false, true, true])
    expect(rpc.mock.calls).toEqual([['media_limit'], ['media_limit']])
  })

  test('is known of the server on this computer', async () => {
    const { hasStorage } = await open('embedded')
    expect(await hasStorage()).toBe(true)
    expect(rpc).not.toHaveBeenCalled()
  })

  test('decides whether a file is prepared and sent; without an answer it is prepared, but not sent', async () => {
    const { checkStorage, requireStorage } = await open()
    rpc.mockRejectedValueOnce(new TypeError('fetch failed'))
    await checkStorage()
    rpc.mockRejectedValueOnce(new TypeError('fetch failed'))
    await expect(requireStorage()).rejects.toThrow('fetch failed')
    rpc.mockResolvedValue(null)
    await expect(checkStorage()).rejects.toMatchObject({ name: 'MediaError', code: 'no-storage' })
    await expect(requireStorage()).rejects.toMatchObject({
      code: 'no-storage',
      message: 'This server cannot store pictures and videos yet. Ask its operator.',
    })
  })

  test('is shown by a form once the server has answered, and asked again by the next form', async () => {
    const { useMayStoreMedia } = await open()
    rpc.mockResolvedValueOnce(null).mockResolvedValue(200_000_000)
    const first = showHook(useMayStoreMedia)
    expect(first.result.current).toBe(true)
    await act(async () => undefined)
    expect(first.result.current).toBe(false)
    const second = showHook(useMayStoreMedia)
    expect(second.result.current).toBe(false)
    await act(async () => undefined)
    expect(second.result.current).toBe(true)
  })

  test('is only logged when a form cannot find it out', async () => {
    const { useMayStoreMedia } = await open()
    const cause = new TypeError('fetch failed')
    rpc.mockRejectedValue(cause)
    const form = showHook(useMayStoreMedia)
    await act(async () => undefined)
    expect(form.result.current).toBe(true)
    expect(vi.mocked(logFailure).mock.calls).toEqual([['ask for Storage', cause]])
  })
})

describe('CREATE-10 the largest video that a server takes', () => {
  /** Storage names the limit of its project. */
  const answerWith = (limit: string) =>
    storage.fetch.mockImplementation(
      async () => new Response(null, { status: 204, headers: { 'Tus-Max-Size': limit } }),
    )

  test.each<[string, number, string, number]>([
    ['of a free project', 200_000_000, '50000000', 50_000_000],
    ['of a bucket', 100_000_000, '5368709120', 100_000_000],
    ['of the app', 500_000_000, '5368709120', 200_000_000],
    ['whose project has a limit that is no number', 200_000_000, '-1', 200_000_000],
  ])('is asked before it is converted: that %s', async (_, bucket, project, bytes) => {
    const { postVideoRules } = await open()
    rpc.mockResolvedValue(bucket)
    answerWith(project)
    expect(await postVideoRules()).toEqual({ ...POST_VIDEO, bytes })
    expect(rpc.mock.calls).toEqual([['media_limit']])
    expect(storage.fetch.mock.calls).toEqual([
      ['https://photos.example.com/upload/resumable', { method: 'OPTIONS', headers: { apikey: 'key' } }],
    ])
  })

  test('is the bucket’s while the project does not say its own, or cannot be asked', async () => {
    const { postVideoRules } = await open()
    rpc.mockResolvedValue(150_000_000)
    expect((await postVideoRules()).bytes).toBe(150_000_000)
    const cause = new TypeError('fetch failed')
    storage.fetch.mockRejectedValue(cause)
    expect((await postVideoRules()).bytes).toBe(150_000_000)
    expect(vi.mocked(logFailure).mock.calls).toEqual([['ask for the largest upload', cause]])
  })

  test('is known of the server on this computer, and unknown without Storage', async () => {
    const embedded = await open('embedded')
    expect(await embedded.postVideoRules()).toEqual(POST_VIDEO)
    expect([rpc.mock.calls, storage.fetch.mock.calls]).toEqual([[], []])
    const { postVideoRules } = await open()
    rpc.mockResolvedValue(null)
    await expect(postVideoRules()).rejects.toMatchObject({ code: 'no-storage' })
  })

  test('is below what was refused, also if the server says nothing or something else', async () => {
    const { limitAfterRefusal, postVideoRules } = await open()
    rpc.mockResolvedValue(200_000_000)
    expect(await limitAfterRefusal(120_000_000)).toBeNull()
    expect((await postVideoRules()).bytes).toBe(119_999_999)
    expect(await limitAfterRefusal(150_000_000)).toBeNull()
    expect((await postVideoRules()).bytes).toBe(119_999_999)
    answerWith('50000000')
    expect(await limitAfterRefusal(110_000_000)).toBe(50_000_000)
    expect((await postVideoRules()).bytes).toBe(50_000_000)
    rpc.mockRejectedValue(new TypeError('fetch failed'))
    expect(await limitAfterRefusal(100_000_000)).toBeNull()
  })
})
