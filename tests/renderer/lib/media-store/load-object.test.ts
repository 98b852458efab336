import { beforeEach, describe, expect, test, vi } from 'vitest'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { readChecked } from '#/renderer/lib/media-store/check-object'
import { loadObject } from '#/renderer/lib/media-store/load-object'
import { PICTURE_BYTES } from '#/shared/limits'
import { mp4, track } from '#tests/mp4-files'
import { animatedPng, animatedWebp, png, progressiveJpeg, webpFile, webpFrame } from '#tests/picture-files'

const BASE = 'https://server.example/storage/v1'

const server = vi.hoisted(() => ({
  respond: (_url: string, _init: RequestInit): Response => Response.json([]),
}))

vi.mock('#/renderer/lib/server/supabase', () => ({
  storageRequest: async (path: string) => ({ url: `${BASE}${path}`, headers: {} }),
  clientFetch: async (url: string, init: RequestInit = {}) => server.respond(url, init),
}))

/** A server with one object. */
function serve(path: string, content: BodyInit, isChecked = false) {
  server.respond = (url) =>
    url.includes('token')
      ? new Response(content, { headers: { 'content-type': 'text/html' } })
      : Response.json([
          { path, signedURL: `/object/sign/media/${path}?token=t`, ...(isChecked && { checked: true }) },
        ])
}

beforeEach(() => {
  useServerInfo.setState({
    server: { kind: 'embedded', url: BASE, publishableKey: '', storageKey: '', demo: [], mailFile: null },
  })
  server.respond = () => Response.json([])
})

const SMALL = { width: 32, height: 24 }
const still = webpFile(webpFrame(SMALL))
const MP4 = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0isommp42\0\0\0\x08moov', 'latin1')

describe('MEDIA-07 an object whose content the server has not checked', () => {
  test('is loaded with the type of its content', async () => {
    expect(await loadObject('ben/2.webp', 'full')).toBeNull()
    serve('ada/1.webp', still)
    const file = await loadObject('ada/1.webp', 'full')
    expect(file?.type).toBe('image/webp')
    expect(new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(still)
  })

  test.each([
    ['an animated PNG', 'ada/1.png', animatedPng(SMALL), 'full'],
    ['an animated WebP', 'ada/1.webp', animatedWebp(SMALL), 'story'],
    ['a JPEG with 3,000 scans', 'ada/1.jpg', progressiveJpeg(SMALL, 3_000), 'feed'],
    ['a PNG that is named as a WebP', 'ada/1.webp', png(SMALL), 'full'],
    ['a picture that is named as a video', 'ada/1.mp4', still, 'full'],
    ['a picture of another format', 'ada/1.svg', new TextEncoder().encode('<svg/>'), 'full'],
    ['a picture that is cut off', 'ada/1.webp', still.slice(0, -20), 'grid'],
    ['a large avatar', 'ada/1.png', png({ width: 1_025, height: 1_024 }), 'avatar'],
    ['a page instead of a video', 'ada/1.mp4', new TextEncoder().encode('<html>'), 'video'],
    ['a video of 170 million samples', 'ada/1.mp4', mp4([track({ samples: 170_000_000 })]), 'video'],
    ['no content', 'ada/1.webp', new Uint8Array(), 'full'],
  ] as const)('is refused: %s', async (_, path, content, use) => {
    serve(path, content)
    await expect(loadObject(path, use)).rejects.toMatchObject({ code: 'invalid' })
  })

  test('is a video by its boxes', async () => {
    serve('ada/1.mp4', MP4)
    expect((await loadObject('ada/1.mp4', 'video'))?.type).toBe('video/mp4')
  })

  test('is not read beyond the largest picture', async () => {
    let sent = 0
    let hasEnded = false
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1_000_000
        controller.enqueue(new Uint8Array(1_000_000))
      },
    })
    serve('ada/1.webp', endless)
    const { respond } = server
    server.respond = (url, init) => {
      init.signal?.addEventListener('abort', () => {
        hasEnded = true
      })
      return respond(url, init)
    }
    await expect(loadObject('ada/1.webp', 'full')).rejects.toMatchObject({ code: 'invalid' })
    expect(hasEnded).toBe(true)
    expect(sent).toBeLessThan(PICTURE_BYTES + 3_000_000)
  })

  test('rejects with the reason of an abort', async () => {
    const reading = new AbortController()
    server.respond = (_url, { signal }) =>
      new Response(
        new ReadableStream({
          start: (controller) => {
            signal?.addEventListener('abort', () => controller.error(signal.reason))
          },
        }),
      )
    const read = readChecked(`${BASE}/x?token=t`, 'ada/1.webp', 'full', reading.signal)
    const left = new Error('left')
    reading.abort(left)
    await expect(read).rejects.toBe(left)
  })
})

describe('MEDIA-07 an object that is loaded as it is', () => {
  test('because the server has checked it', async () => {
    serve('ada/1.webp', 'bytes', true)
    expect(await (await loadObject('ada/1.webp', 'full'))?.text()).toBe('bytes')
  })

  test('because the member downloads what they uploaded', async () => {
    serve('ada/1.webp', 'bytes')
    expect(await (await loadObject('ada/1.webp', null))?.text()).toBe('bytes')
  })
})
