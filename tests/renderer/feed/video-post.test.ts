import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type NewPost, type NewVideo, postKind } from '#/renderer/features/feed/mutations'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { closeToast, useToast } from '#/renderer/lib/core/toasts'
import { connection } from '#/renderer/lib/live'
import { startOutbox, submit } from '#/renderer/lib/outbox/active'
import { pendingRows } from '#/renderer/lib/outbox/pending'
import type { OutboxKind } from '#/renderer/lib/outbox/row'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { texts } from '#/renderer/lib/texts'
import { RESUMABLE_BYTES } from '#/shared/limits'
import { type FakeServer, fakeServer, ME, signIn } from '#tests/renderer/fake-server'
import { clearTusServer, FakeRequest, tusServer } from '#tests/renderer/lib/media-store/upload/tus-server'
import { clearMemoryStore } from '#tests/renderer/lib/outbox/memory-store'

vi.mock(
  '#/renderer/lib/outbox/store',
  async () => (await import('#tests/renderer/lib/outbox/memory-store')).storeModule,
)

let server: FakeServer
/** The posts that the server has stored, by their ids. */
let posts: Map<string, Record<string, unknown>[]>

const file = (bytes: number, type: string) => new Blob([new Uint8Array(bytes)], { type })
const still = () => file(100, 'image/webp')
const cover = (): NewVideo['cover'] => ({
  full: still(),
  feed: still(),
  grid: still(),
  thumbhash: 'aGFzaA==',
  width: 1920,
  height: 1080,
})
const VIDEO_BYTES = RESUMABLE_BYTES + 5
const video = (altText: string): NewVideo => ({
  video: file(VIDEO_BYTES, 'video/mp4'),
  cover: cover(),
  durationMs: 45_000,
  hasSound: true,
  captions: 'WEBVTT\n',
  altText,
})
const post = (): NewPost => ({
  content: 'Waves',
  location: '',
  photos: [video('First'), { picture: cover(), altText: 'A pier', camera: null }, video('Last')],
})

/** Starts the outbox with the rows that are stored, as the app does. */
function start() {
  const client = createQueryClient()
  const stop = startOutbox(client, { me: ME, server: 'photos' }, [postKind as OutboxKind])
  onTestFinished(stop)
  return { stop, client }
}

/** Puts a post into the outbox, as the composer does while the connection is lost; then it is back. */
async function queue(payload = post()): Promise<string> {
  const id = crypto.randomUUID()
  connection.setState({ state: 'lost', retryAt: null })
  expect(await submit(postKind, { id, scope: 'post', payload })).toBe('waiting')
  return id
}
const reconnect = () => connection.setState({ state: 'online', retryAt: null })
const isSent = () => vi.waitFor(() => expect(pendingRows.getState()).toEqual([]))

/** The page ends when its request with this number has been answered; nothing arrives afterwards. Returns how many there were. */
function endPageAt(last: number) {
  let count = 0
  const { send } = FakeRequest.prototype
  const spy = vi.spyOn(FakeRequest.prototype, 'send').mockImplementation(function (this: FakeRequest, body) {
    count += 1
    if (count <= last) send.call(this, body)
  })
  tusServer.isGone = () => count >= last
  return {
    count: () => count,
    restart: () => {
      spy.mockRestore()
      tusServer.isGone = () => false
    },
  }
}

beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true })
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, () => undefined)
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  vi.stubGlobal('WebSocket', EventTarget)
  clearTusServer()
  clearMemoryStore()
  closeToast()
  posts = new Map()
  server = fakeServer()
  // As a hosted project is to the app.
  const { server: info } = useServerInfo.getState()
  useServerInfo.setState({ server: info && { ...info, kind: 'chosen', url: 'https://photos.example.com' } })
  signIn()
  server.on('GET media_limit', () => 200_000_000)
  server.on('GET my_unused_objects', () => [])
  server.on('POST my_unused_objects', () => [])
  server.on('DELETE media', () => [])
  server.on('POST create_post', ({ body }) => {
    const { post_id, media } = body as { post_id: string; media: Record<string, unknown>[] }
    if (!posts.has(post_id)) posts.set(post_id, media)
    return [{ id: post_id, created_at: '2026-03-01T12:00:00Z' }]
  })
  server.on('GET post_media', ({ query }) => [
    { full_path: posts.get(query.get('post_id')?.slice(3) ?? '')?.[0]?.full_path ?? null },
  ])
  reconnect()
})

/** The files of a stored post have arrived whole. */
function expectStored(id: string): void {
  const media = posts.get(id) ?? []
  expect([...posts.keys()]).toEqual([id])
  expect(media.map(({ kind, alt_text }) => [kind ?? 'photo', alt_text])).toEqual([
    ['video', 'First'],
    ['photo', 'A pier'],
    ['video', 'Last'],
  ])
  for (const { full_path, feed_path, grid_path, media_path, kind } of media) {
    for (const path of [full_path, feed_path, grid_path])
      expect(tusServer.objects.get(String(path))?.size).toBe(100)
    if (kind === 'video') expect(tusServer.objects.get(String(media_path))?.size).toBe(VIDEO_BYTES)
  }
}

describe('CREATE-10 MEDIA-05 a post with videos in the outbox', () => {
  // Nine stills, and for each video its beginning and two pieces.
  const REQUESTS = 9 + 2 * 3

  test.each(Array.from({ length: REQUESTS + 1 }, (_, index) => index))(
    'is sent once after the app ended at its upload %i, and sends nothing again that was confirmed',
    async (last) => {
      start()
      const id = await queue()
      const page = endPageAt(last)
      reconnect()
      await vi.waitFor(() => expect(page.count()).toBe(Math.max(1, last)))
      page.restart()
      const before = tusServer.requests.length
      start()
      await isSent()
      expectStored(id)
      // The request whose answer was lost is repeated, and an upload in pieces is asked how far it has come.
      expect(tusServer.requests.length - before).toBeLessThanOrEqual(REQUESTS - last + 3)
    },
  )

  test('is one post if the answer to it was lost', async () => {
    start()
    const id = await queue()
    const create = server.calls.length
    server.on('POST create_post', ({ body }) => {
      const { post_id, media } = body as { post_id: string; media: Record<string, unknown>[] }
      const isFirst = !posts.has(post_id)
      if (isFirst) posts.set(post_id, media)
      return isFirst ? new Promise(() => undefined) : []
    })
    reconnect()
    await vi.waitFor(() => expect(posts.size).toBe(1))
    start()
    await isSent()
    expectStored(id)
    expect(server.calls.length).toBeGreaterThan(create)
    expect(tusServer.requests).toHaveLength(REQUESTS)
    expect(server.sent('DELETE media')).toEqual([])
  })

  test('that is too large at its creation is refused with the limit, keeps its files, and is sent once the server takes them', async () => {
    start()
    const id = await queue()
    server.on(
      'OPTIONS resumable',
      () => new Response(null, { status: 204, headers: { 'Tus-Max-Size': '5000000' } }),
    )
    tusServer.instead = (method, headers) =>
      method === 'POST' && 'Upload-Length' in headers
        ? { status: 413, text: 'Maximum size exceeded\n' }
        : null
    reconnect()
    const reason = texts.media.serverLimit(5_000_000, 17)
    await vi.waitFor(() => expect(pendingRows.getState()).toMatchObject([{ id, state: 'refused', reason }]))
    expect(useToast.getState().toast?.text).toBe(reason)
    expect(posts.size).toBe(0)
    tusServer.instead = () => null
    const { retryRow } = await import('#/renderer/lib/outbox/active')
    await retryRow(id)
    await isSent()
    expectStored(id)
    // The nine stills are not sent again.
    expect(tusServer.requests).toHaveLength(9 + 1 + 6)
  })

  test('beyond the videos of a day waits, and says so', async () => {
    start()
    await queue()
    server.on('POST create_post', () =>
      Response.json(
        { code: 'PT429', message: 'You are doing this too fast', details: 'video_bytes', hint: null },
        { status: 429 },
      ),
    )
    reconnect()
    await vi.waitFor(() => expect(useToast.getState().toast?.text).toBe(texts.tooManyVideos))
    await vi.waitFor(() => expect(pendingRows.getState()).toMatchObject([{ state: 'waiting' }]))
  })

  test('ends when its member signs out, so that nothing goes on in the next session, and goes on at the next sign-in', async () => {
    const { stop, client } = start()
    const id = await queue()
    tusServer.instead = () => {
      if (tusServer.requests.length === 11) stop()
      return null
    }
    reconnect()
    await vi.waitFor(() => expect(tusServer.requests).toHaveLength(11))
    await vi.waitFor(() => expect(client.isMutating()).toBe(0))
    expect(tusServer.requests).toHaveLength(11)
    expect(server.sent('POST create_post')).toEqual([])
    start()
    await vi.waitFor(() => expect(posts.size).toBe(1))
    await isSent()
    expectStored(id)
    // The piece that was cut, asked for and sent again.
    expect(tusServer.requests.length).toBeLessThanOrEqual(REQUESTS + 2)
  })
})
