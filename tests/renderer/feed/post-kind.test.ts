import type { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type NewPost, postKind } from '#/renderer/features/feed/mutations'
import type { PreparedPicture } from '#/renderer/lib/media'
import { removeMedia } from '#/renderer/lib/media-store'
import type { OutboxRow, SendTools } from '#/renderer/lib/outbox'
import { uploadParts } from '#/renderer/lib/outbox/upload-parts'
import { createQueryClient } from '#/renderer/lib/queries/query-client'

const server = vi.hoisted(() => ({
  /** Requests in order, with their bodies. */
  requests: [] as [string, unknown][],
  /** The path of the stored photo. */
  storedPath: 'me/full 0.webp' as string | null,
}))

vi.mock('#/renderer/features/auth', () => ({}))
vi.mock('#/renderer/features/messages', () => ({}))
vi.mock('#/renderer/features/desktop', () => ({ desktop: {} }))
vi.mock('#/renderer/lib/media/picture/prepare-picture', () => ({
  toStoredPicture: async (picture: object) => ('full' in picture ? picture : STORED),
}))
vi.mock('#/renderer/lib/outbox/upload-parts', () => ({ uploadParts: vi.fn() }))
vi.mock('#/renderer/lib/media-store', async (load) => ({ ...(await load<object>()), removeMedia: vi.fn() }))
vi.mock('#/renderer/lib/server/supabase', () => {
  const filtered = (result: unknown) => {
    const request = Object.assign(Promise.resolve(result), {
      eq: () => request,
      select: () => request,
      maybeSingle: () => request,
    })
    return request
  }
  const note = (name: string, sent: unknown, result: unknown = null) => {
    server.requests.push([name, sent])
    return filtered(result)
  }
  return {
    unwrap: (request: Promise<unknown>) => request,
    supabase: () => ({
      rpc: (name: string, args: unknown) => note(name, args),
      from: (table: string) => ({
        select: () => filtered({ full_path: server.storedPath }),
        update: (columns: unknown) => note(`update ${table}`, columns, { content: '' }),
        upsert: (row: unknown) => note(`upsert ${table}`, row, [row]),
      }),
    }),
  }
})

const blob = (text: string) => new Blob([text], { type: 'image/webp' })
const INLINE = { dataUrl: 'data:,full', thumbnailUrl: 'data:,small', width: 3, height: 2 }
const STORED = {
  full: blob('full'),
  middle: blob('middle'),
  feed: blob('feed'),
  grid: blob('grid'),
  thumbhash: 'aGFzaA==',
  width: 2048,
  height: 1365,
}

const row = (...pictures: PreparedPicture[]): OutboxRow<NewPost> => ({
  id: 'p',
  scope: 'post',
  kind: 'post',
  createdAt: '2026-11-22T12:00:00Z',
  state: 'sending',
  payload: {
    content: ' Fog ',
    location: ' Trieste ',
    photos: pictures.map((picture, index) => ({
      picture,
      altText: index === 0 ? ' A pier ' : ' ',
      camera: null,
    })),
  },
})

let client: QueryClient

const send = (...pictures: PreparedPicture[]) =>
  postKind.send(row(...pictures), 'me', client, {} as SendTools)

beforeEach(() => {
  client = createQueryClient()
  Object.assign(server, { requests: [], storedPath: 'me/full 0.webp' })
  vi.mocked(removeMedia).mockReset()
  vi.mocked(uploadParts)
    .mockReset()
    .mockImplementation(async (parts) =>
      Object.fromEntries(Object.keys(parts).map((name) => [name, `me/${name}.webp`])),
    )
})

describe('MEDIA-01 a post with a photo', () => {
  test.each([
    ['prepared for Storage', STORED],
    ['prepared as data URLs by an earlier build', INLINE],
  ])('is inserted after its sizes are uploaded (%s)', async (_, picture) => {
    vi.mocked(uploadParts).mockImplementationOnce(async (parts) => {
      expect(server.requests).toEqual([])
      expect(parts).toEqual({
        'full 0': STORED.full,
        'middle 0': STORED.middle,
        'feed 0': STORED.feed,
        'grid 0': STORED.grid,
      })
      return {
        'full 0': 'me/full 0.webp',
        'middle 0': 'me/middle.webp',
        'feed 0': 'me/feed.webp',
        'grid 0': 'me/grid.webp',
      }
    })
    await send(picture)
    const photo = {
      full_path: 'me/full 0.webp',
      middle_path: 'me/middle.webp',
      feed_path: 'me/feed.webp',
      grid_path: 'me/grid.webp',
      width: 2048,
      height: 1365,
      thumbhash: 'aGFzaA==',
      alt_text: 'A pier',
      camera: null,
    }
    expect(server.requests).toEqual([
      ['create_post', { post_id: 'p', content: 'Fog', location: 'Trieste', media: [photo] }],
    ])
    expect(removeMedia).not.toHaveBeenCalled()
  })

  test('that an earlier attempt has stored gets the current texts, and the new objects are removed', async () => {
    server.storedPath = 'me/earlier.webp'
    await send(STORED)
    expect(server.requests.slice(1)).toEqual([
      ['update post_media', { alt_text: 'A pier' }],
      ['update posts', { content: 'Fog', location: 'Trieste' }],
    ])
    expect(vi.mocked(removeMedia).mock.calls).toEqual([
      [['me/full 0.webp', 'me/feed 0.webp', 'me/grid 0.webp', 'me/middle 0.webp']],
    ])
  })

  test('MEDIA-02 without a middle size has none in its row', async () => {
    const { middle, ...picture } = STORED
    await send(picture)
    expect(Object.keys(vi.mocked(uploadParts).mock.calls[0]?.[0] ?? {})).toHaveLength(3)
    expect(server.requests).toMatchObject([['create_post', { media: [{ middle_path: null }] }]])
  })

  test('CREATE-07 several photos are inserted in their order, once all their objects are uploaded', async () => {
    await send(STORED, INLINE, STORED)
    const [parts] = vi.mocked(uploadParts).mock.calls[0] ?? []
    expect(Object.keys(parts ?? {})).toHaveLength(12)
    const paths = (index: number) => ({
      full_path: `me/full ${index}.webp`,
      feed_path: `me/feed ${index}.webp`,
      grid_path: `me/grid ${index}.webp`,
    })
    expect(server.requests).toMatchObject([
      [
        'create_post',
        {
          media: [
            { ...paths(0), alt_text: 'A pier' },
            { ...paths(1), alt_text: null },
            { ...paths(2), alt_text: null },
          ],
        },
      ],
    ])
  })

  test('CREATE-09 the chosen camera details are sent as text', async () => {
    const sent = row(STORED)
    const photos = sent.payload.photos.map((photo) => ({ ...photo, camera: { iso: 'ISO 400' } }))
    await postKind.send({ ...sent, payload: { ...sent.payload, photos } }, 'me', client, {} as SendTools)
    expect(server.requests).toMatchObject([['create_post', { media: [{ camera: '{"iso":"ISO 400"}' }] }]])
  })

  test('CREATE-10 with videos uploads all stills first, then the videos, and inserts both in their order', async () => {
    const { middle, ...cover } = STORED
    const video = {
      video: new Blob(['video'], { type: 'video/mp4' }),
      cover,
      durationMs: 45_000,
      hasSound: true,
      captions: 'WEBVTT',
      altText: ' Waves ',
    }
    const sent = row(STORED)
    const photos = [video, ...sent.payload.photos, { ...video, hasSound: false, captions: null, altText: '' }]
    await postKind.send({ ...sent, payload: { ...sent.payload, photos } }, 'me', client, {} as SendTools)
    const [parts] = vi.mocked(uploadParts).mock.calls[0] ?? []
    expect(Object.keys(parts ?? {})).toEqual([
      ...['full 0', 'feed 0', 'grid 0'],
      ...['full 1', 'feed 1', 'grid 1', 'middle 1'],
      ...['full 2', 'feed 2', 'grid 2'],
      ...['video 0', 'video 2'],
    ])
    const stillsOf = (index: number) => ({
      full_path: `me/full ${index}.webp`,
      feed_path: `me/feed ${index}.webp`,
      grid_path: `me/grid ${index}.webp`,
      width: 2048,
      height: 1365,
      thumbhash: 'aGFzaA==',
    })
    const videoOf = (index: number) => ({
      ...stillsOf(index),
      middle_path: null,
      kind: 'video',
      media_path: `me/video ${index}.webp`,
      duration_ms: 45_000,
    })
    expect(server.requests).toEqual([
      [
        'create_post',
        {
          post_id: 'p',
          content: 'Fog',
          location: 'Trieste',
          media: [
            { ...videoOf(0), has_sound: true, captions: 'WEBVTT', alt_text: 'Waves' },
            { ...stillsOf(1), middle_path: 'me/middle 1.webp', alt_text: 'A pier', camera: null },
            { ...videoOf(2), has_sound: false, captions: null, alt_text: null },
          ],
        },
      ],
    ])
  })

  test('a text alone is one row, and uploads nothing', async () => {
    await send()
    expect(server.requests).toMatchObject([['upsert posts', { content: 'Fog' }]])
    expect(uploadParts).not.toHaveBeenCalled()
  })
})
