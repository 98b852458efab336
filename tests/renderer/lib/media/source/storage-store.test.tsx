import { act } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import type { ServerInfo } from '#/shared/server'
import { showHook } from '#tests/renderer/dom'

const rpc = vi.hoisted(() => vi.fn<(name: string) => Promise<unknown>>())

vi.mock('#/renderer/lib/server/supabase', () => ({
  unwrap: (request: Promise<unknown>) => request,
  supabase: () => ({ rpc }),
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
  vi.mocked(logFailure).mockClear()
})

describe('MEDIA-01 whether a server has Storage', () => {
  test('is asked until it has', async () => {
    const { hasStorage } = await open()
    rpc.mockResolvedValueOnce(false).mockResolvedValue(true)
    expect([await hasStorage(), await hasStorage(), await hasStorage()]).toEqual([false, true, true])
    expect(rpc.mock.calls).toEqual([['media_in_storage'], ['media_in_storage']])
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
    rpc.mockResolvedValue(false)
    await expect(checkStorage()).rejects.toMatchObject({ name: 'MediaError', code: 'no-storage' })
    await expect(requireStorage()).rejects.toMatchObject({
      code: 'no-storage',
      message: 'This server cannot store pictures yet. Ask its operator.',
    })
  })

  test('is shown by a form once the server has answered, and asked again by the next form', async () => {
    const { useMayStoreMedia } = await open()
    rpc.mockResolvedValueOnce(false).mockResolvedValue(true)
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
