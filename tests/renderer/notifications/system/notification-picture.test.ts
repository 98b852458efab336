import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { notificationPicture } from '#/renderer/features/notifications/system/notification-picture'
import { logFailure } from '#/renderer/lib/core/logger'
import { loadObject } from '#/renderer/lib/media-store/load-object'
import { bridgeCalls } from '#/shared/bridge'

vi.mock('#/renderer/lib/media-store/load-object', () => ({ loadObject: vi.fn() }))

const drawn: unknown[][] = []

const inline = (avatar_url: string | null) => ({ avatar_url, avatar_path: null })

beforeEach(() => {
  drawn.length = 0
  vi.mocked(logFailure).mockClear()
  vi.stubGlobal('createImageBitmap', async (blob: Blob) => ({
    type: blob.type,
    text: await blob.text(),
    close: () => undefined,
  }))
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      constructor(
        readonly width: number,
        readonly height: number,
      ) {}
      getContext() {
        return { drawImage: (...args: unknown[]) => drawn.push(args) }
      }
      async convertToBlob({ type }: { type: string }) {
        return new Blob([`${type} ${this.width}×${this.height}`], { type })
      }
    },
  )
})

afterEach(() => vi.unstubAllGlobals())

describe('DESK-10 the picture of a notification', () => {
  test('is a small PNG of the avatar, which the bridge accepts', async () => {
    const icon = await notificationPicture(inline(`data:image/webp;base64,${btoa('an avatar')}`))
    expect(drawn).toMatchObject([[{ type: 'image/webp', text: 'an avatar' }, 0, 0, 96, 96]])
    expect(Buffer.from((icon ?? '').split(',')[1] ?? '', 'base64').toString()).toBe('image/png 96×96')
    const notice = { kind: 'message', id: '1', title: 'mara', body: '', route: '/messages', icon }
    expect(bridgeCalls['notifications.show'].args.safeParse([notice]).success).toBe(true)
  })

  test('is loaded from Storage for an avatar there', async () => {
    vi.mocked(loadObject).mockResolvedValueOnce(new Blob(['an object'], { type: 'image/webp' }))
    expect(await notificationPicture({ avatar_url: null, avatar_path: 'mara/1.webp' })).toBeDefined()
    expect(loadObject).toHaveBeenCalledExactlyOnceWith('mara/1.webp', 'avatar')
    expect(drawn).toMatchObject([[{ text: 'an object' }, 0, 0, 96, 96]])
  })

  test.each([null, '', 'https://example.com/a.png', 'data:image/svg+xml;base64,AAAA', 'data:image/png,x'])(
    'there is none for the avatar %j',
    async (avatar) => {
      expect(await notificationPicture(inline(avatar))).toBeUndefined()
      expect(drawn).toEqual([])
    },
  )

  test('an avatar that cannot be decoded is only logged', async () => {
    const cause = new Error('broken')
    vi.stubGlobal('createImageBitmap', () => Promise.reject(cause))
    expect(await notificationPicture(inline('data:image/png;base64,AAAA'))).toBeUndefined()
    expect(logFailure).toHaveBeenCalledExactlyOnceWith('draw picture for a notification', cause)
  })

  test.each(['https://example.com/a.png', 'file:///etc/passwd', 'data:image/svg+xml;base64,AAAA', '/a.png'])(
    'the bridge refuses %j',
    (icon) => {
      const notice = { kind: 'message', id: '1', title: 'mara', body: '', route: '/messages', icon }
      expect(bridgeCalls['notifications.show'].args.safeParse([notice]).success).toBe(false)
    },
  )
})
