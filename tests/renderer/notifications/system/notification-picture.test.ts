import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { notificationPicture } from '#/renderer/features/notifications/system/notification-picture'
import { logFailure } from '#/renderer/lib/core/logger'
import { loadObject } from '#/renderer/lib/media-store/load-object'
import { bridgeCalls } from '#/shared/bridge'
import { gate } from '#tests/gate'

vi.mock('#/renderer/lib/media-store/load-object', () => ({ loadObject: vi.fn() }))

const drawn: unknown[][] = []

/** The members whose columns are asked for. */
const asked: string[] = []

let client: QueryClient

const inline = (avatar_url: string | null) => ({ avatar_url, avatar_path: null })

type Avatar = Awaited<ReturnType<Parameters<typeof notificationPicture>[2]>>

function pictureOf(avatar: Avatar, member = 'mara'): Promise<string | undefined> {
  return notificationPicture(client, member, async () => {
    asked.push(member)
    return avatar
  })
}

beforeEach(() => {
  drawn.length = 0
  client = new QueryClient()
  asked.length = 0
  vi.mocked(loadObject).mockReset()
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
    const icon = await pictureOf(inline(`data:image/webp;base64,${btoa('an avatar')}`))
    expect(drawn).toMatchObject([[{ type: 'image/webp', text: 'an avatar' }, 0, 0, 96, 96]])
    expect(Buffer.from((icon ?? '').split(',')[1] ?? '', 'base64').toString()).toBe('image/png 96×96')
    const notice = { kind: 'message', id: '1', title: 'mara', body: '', route: '/messages', icon }
    expect(bridgeCalls['notifications.show'].args.safeParse([notice]).success).toBe(true)
  })

  test('is loaded from Storage for an avatar there', async () => {
    vi.mocked(loadObject).mockResolvedValueOnce(new Blob(['an object'], { type: 'image/webp' }))
    expect(await pictureOf({ avatar_url: null, avatar_path: 'mara/1.webp' })).toBeDefined()
    expect(loadObject).toHaveBeenCalledExactlyOnceWith('mara/1.webp', 'avatar')
    expect(drawn).toMatchObject([[{ text: 'an object' }, 0, 0, 96, 96]])
  })

  test('is loaded once for many events of a member, also if it cannot be shown', async () => {
    for (const [member, file] of [
      ['mara', async () => new Blob(['an object'], { type: 'image/webp' })],
      ['noor', async () => Promise.reject(new Error('too large'))],
    ] as const) {
      vi.mocked(loadObject).mockReset().mockImplementation(file)
      const events = Array.from({ length: 95 }, () =>
        pictureOf({ avatar_url: null, avatar_path: `${member}/1.webp` }, member),
      )
      const pictures = new Set(await Promise.all(events))
      pictures.add(await pictureOf({ avatar_url: null, avatar_path: `${member}/1.webp` }, member))
      expect([...pictures]).toEqual([
        member === 'mara' ? expect.stringMatching(/^data:image\/png/) : undefined,
      ])
      expect(loadObject).toHaveBeenCalledOnce()
    }
    expect(asked).toEqual(['mara', 'noor'])
  })

  test('is loaded for four members at once, and others of the same moment have none', async () => {
    const { opened, open } = gate()
    vi.mocked(loadObject).mockImplementation(async () => {
      await opened
      return new Blob(['an object'], { type: 'image/webp' })
    })
    const events = Array.from({ length: 20 }, (_, n) =>
      pictureOf({ avatar_url: null, avatar_path: 'some/1.webp' }, `member ${n}`),
    )
    open()
    expect((await Promise.all(events)).filter((picture) => picture !== undefined)).toHaveLength(4)
    expect(await pictureOf({ avatar_url: null, avatar_path: 'some/1.webp' }, 'member 9')).toBeDefined()
  })

  test.each([null, '', 'https://example.com/a.png', 'data:image/svg+xml;base64,AAAA', 'data:image/png,x'])(
    'there is none for the avatar %j',
    async (avatar) => {
      expect(await pictureOf(inline(avatar))).toBeUndefined()
      expect(drawn).toEqual([])
    },
  )

  test('an avatar that cannot be decoded is only logged', async () => {
    const cause = new Error('broken')
    vi.stubGlobal('createImageBitmap', () => Promise.reject(cause))
    expect(await pictureOf(inline('data:image/png;base64,AAAA'))).toBeUndefined()
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
