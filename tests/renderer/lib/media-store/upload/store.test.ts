import { beforeEach, describe, expect, test, vi } from 'vitest'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { removeMedia } from '#/renderer/lib/media-store'
import { listObjects, removeObjects } from '#/renderer/lib/media-store/requests'
import { removeFolder } from '#/renderer/lib/media-store/upload/store'

vi.mock('#/renderer/lib/media-store/requests', () => ({
  listObjects: vi.fn(),
  removeObjects: vi.fn(),
}))
vi.mock('#/renderer/lib/server/supabase', () => ({}))

beforeEach(() => {
  vi.mocked(logFailure).mockClear()
  for (const request of [listObjects, removeObjects]) vi.mocked(request).mockReset()
})

describe('MEDIA-04 removing objects', () => {
  test('removes the given ones, and only logs a failure', async () => {
    await removeMedia(['ada/1.webp', null, undefined])
    expect(removeObjects).toHaveBeenCalledExactlyOnceWith(['ada/1.webp'])
    const cause = new AppError('offline', '', '')
    vi.mocked(removeObjects).mockRejectedValue(cause)
    await removeMedia(['ada/2.webp'])
    expect(vi.mocked(logFailure).mock.calls).toEqual([['remove media', cause]])
  })

  test('sends no request when there is nothing to remove', async () => {
    await removeMedia([null])
    expect(removeObjects).not.toHaveBeenCalled()
  })

  test('empties the folder of a member page by page, and stops at what cannot be removed', async () => {
    vi.mocked(listObjects)
      .mockResolvedValueOnce(['ada/1.webp', 'ada/2.webp'])
      .mockResolvedValue(['ada/used.webp'])
    await removeFolder('ada')
    expect(vi.mocked(removeObjects).mock.calls).toEqual([[['ada/1.webp', 'ada/2.webp']], [['ada/used.webp']]])
  })

  test('a server that lists other objects for ever is asked a limited number of times', async () => {
    let page = 0
    vi.mocked(listObjects).mockImplementation(async () => {
      page += 1
      return [`ada/${page}.webp`]
    })
    await expect(removeFolder('ada')).rejects.toMatchObject({ name: 'AppError', code: 'server' })
    expect(page).toBe(1_000)
  })

  test('keeps the account when the folder cannot be listed', async () => {
    vi.mocked(listObjects).mockRejectedValue(new AppError('offline', '', ''))
    await expect(removeFolder('ada')).rejects.toMatchObject({ code: 'offline' })
  })
})
