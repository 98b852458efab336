import { mkdir, mkdtemp, open, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServedVideos } from '#/main/server/served-videos'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-served-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Serves a file of the bytes 0 to 9, and asks for it. */
async function serving(name = 'ten.mp4') {
  const path = join(folder, name)
  await writeFile(
    path,
    Uint8Array.from({ length: 10 }, (_, at) => at),
  )
  const videos = createServedVideos()
  const served = await videos.serve(path)
  const ask = (range?: string, method = 'GET') =>
    videos.answer(
      new Request(`app://bundle${served.url}`, { method, headers: range === undefined ? {} : { range } }),
    )
  return { path, videos, served, ask }
}

const bytesOf = async (response: Response) => [...new Uint8Array(await response.arrayBuffer())]

describe('STORY-08 videos that the app was opened with', () => {
  test('have their name and size, and a new random address each time', async () => {
    const { path, videos, served } = await serving()
    expect(served).toEqual({
      name: 'ten.mp4',
      size: 10,
      url: expect.stringMatching(/^\/opened\/[0-9a-f-]{36}$/),
    })
    expect((await videos.serve(path)).url).not.toBe(served.url)
  })

  test.each([
    ['bytes=0-3', [0, 1, 2, 3], 'bytes 0-3/10'],
    ['bytes=8-', [8, 9], 'bytes 8-9/10'],
    ['bytes=7-400', [7, 8, 9], 'bytes 7-9/10'],
    ['bytes=-2', [8, 9], 'bytes 8-9/10'],
    ['bytes=-400', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 'bytes 0-9/10'],
  ])('are sent in parts: %s', async (range, bytes, content) => {
    const response = await (await serving()).ask(range)
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(content)
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
    expect(await bytesOf(response)).toEqual(bytes)
  })

  test.each(['bytes=10-', 'bytes=10-12', 'bytes=-0'])('have no part %s', async (range) => {
    const response = await (await serving()).ask(range)
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */10'])
    expect(await bytesOf(response)).toEqual([])
  })

  test.each([undefined, 'bytes=0-1,4-5', 'bytes=5-2', 'bytes=-', 'lines=0-1', 'bytes=a-b'])(
    'are sent whole for the range %s, which names no part',
    async (range) => {
      const response = await (await serving()).ask(range)
      expect([response.status, response.headers.get('content-range')]).toEqual([200, null])
      expect(await bytesOf(response)).toHaveLength(10)
    },
  )

  test('answer HEAD without content, and are never kept or taken for something else', async () => {
    const { ask } = await serving()
    const response = await ask(undefined, 'HEAD')
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([
      200,
      '10',
      '',
    ])
    expect(Object.fromEntries((await ask('bytes=0-1')).headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
    })
  })

  test('are no longer sent once they were changed or removed', async () => {
    const { path, ask } = await serving()
    await utimes(path, 1, 1)
    expect((await ask('bytes=0-1')).status).toBe(409)
    const grown = await serving()
    await writeFile(grown.path, 'another one')
    expect((await grown.ask('bytes=0-1')).status).toBe(409)
    const removed = await serving()
    await rm(removed.path)
    expect((await removed.ask('bytes=0-1')).status).toBe(404)
  })

  test('of a gigabyte are read from the disk only where they are asked for', async () => {
    const { path, videos } = await serving('large.mp4')
    await truncate(path, 1024 ** 3)
    const file = await open(path, 'r+')
    await file.write(Uint8Array.of(1, 2, 3), 0, 3, 1024 ** 3 - 3)
    await file.close()
    const { url, size } = await videos.serve(path)
    expect(size).toBe(1024 ** 3)
    const before = process.memoryUsage().arrayBuffers
    const ask = (range: string) => videos.answer(new Request(`app://bundle${url}`, { headers: { range } }))
    expect(await bytesOf(await ask('bytes=-3'))).toEqual([1, 2, 3])
    // Of a part that the page stops reading, no more is read.
    const reader = (await ask('bytes=0-')).body?.getReader()
    expect((await reader?.read())?.value?.length).toBeLessThanOrEqual(65_536)
    await reader?.cancel()
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000)
  })

  test('an empty video has no parts', async () => {
    const { path, videos } = await serving()
    await truncate(path, 0)
    const { url } = await videos.serve(path)
    expect(await bytesOf(await videos.answer(new Request(`app://bundle${url}`)))).toEqual([])
  })

  test('are regular files that were opened: nothing else is served', async () => {
    const { videos } = await serving()
    await mkdir(join(folder, 'folder.mp4'), { recursive: true })
    for (const name of ['folder.mp4', 'gone.mp4'])
      await expect(videos.serve(join(folder, name))).rejects.toMatchObject({ code: 'file-unreadable' })
    for (const path of ['/opened/', '/opened/ten.mp4', '/opened/..%2ften.mp4', '/opened/constructor'])
      expect((await videos.answer(new Request(`app://bundle${path}`))).status).toBe(404)
  })

  test('of very many, the last twenty are served', async () => {
    const { path, videos, served, ask } = await serving()
    for (let more = 0; more < 19; more += 1) await videos.serve(path)
    expect((await ask('bytes=0-1')).status).toBe(206)
    await videos.serve(path)
    expect((await videos.answer(new Request(`app://bundle${served.url}`))).status).toBe(404)
  })
})
