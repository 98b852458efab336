import { beforeEach, describe, expect, test, vi } from 'vitest'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { closeToast, useToast } from '#/renderer/lib/core/toasts'
import { listObjects, removeObjects, signPaths, storageError } from '#/renderer/lib/media-store/requests'
import { uploadObject } from '#/renderer/lib/media-store/upload/upload-object'
import { texts } from '#/renderer/lib/texts'

const BASE = 'https://server.example/storage/v1'

const server = vi.hoisted(() => ({
  requests: [] as { method: string; url: string; body: unknown }[],
  respond: (_url: string): Response => Response.json([]),
}))

vi.mock('#/renderer/lib/server/supabase', () => ({
  storageRequest: async (path: string) => ({ url: `${BASE}${path}`, headers: { apikey: 'key' } }),
  clientFetch: async (url: string, init: RequestInit = {}) => {
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    server.requests.push({ method: init.method ?? 'GET', url, body })
    return server.respond(url)
  },
}))

const connectTo = (kind: 'embedded' | 'chosen' | 'fixed') =>
  useServerInfo.setState({
    server: { kind, url: BASE, publishableKey: 'key', storageKey: kind, demo: [], mailFile: null },
  })

beforeEach(() => {
  connectTo('embedded')
  server.requests = []
  server.respond = () => Response.json([])
})

describe('MEDIA-01 requests to Storage', () => {
  test('sign several paths at once, omit objects that the member may not see, and keep which the server has checked', async () => {
    server.respond = () =>
      Response.json([
        {
          path: 'ada/1.webp',
          signedURL: '/object/sign/media/ada/1.webp?token=t',
          error: null,
          checked: true,
        },
        { path: 'ada/3.webp', signedURL: '/object/sign/media/ada/3.webp?token=t', error: null },
        {
          path: 'ben/2.webp',
          signedURL: null,
          error: 'Either the object does not exist or you do not have access to it',
        },
      ])
    const signed = await signPaths(['ada/1.webp', 'ben/2.webp', 'ada/3.webp'])
    expect([...signed]).toEqual([
      ['ada/1.webp', { url: `${BASE}/object/sign/media/ada/1.webp?token=t`, isChecked: true }],
      ['ada/3.webp', { url: `${BASE}/object/sign/media/ada/3.webp?token=t`, isChecked: false }],
    ])
    expect(server.requests).toEqual([
      {
        method: 'POST',
        url: `${BASE}/object/sign/media`,
        body: { expiresIn: 3_600, paths: ['ada/1.webp', 'ben/2.webp', 'ada/3.webp'] },
      },
    ])
  })

  test.each(['chosen', 'fixed'] as const)(
    'MEDIA-07 believe no %s server that it has checked an object',
    async (kind) => {
      connectTo(kind)
      const url = '/object/sign/media/ada/1.webp?token=t'
      server.respond = () => Response.json([{ path: 'ada/1.webp', signedURL: url, checked: true }])
      expect([...(await signPaths(['ada/1.webp']))]).toEqual([
        ['ada/1.webp', { url: `${BASE}${url}`, isChecked: false }],
      ])
    },
  )

  test('omit a link that is longer than any: parsing the claims of its token would stop the page', async () => {
    const url = `/object/sign/media/ada/1.webp?token=x.${'A'.repeat(4_096)}.x`
    server.respond = () => Response.json([{ path: 'ada/1.webp', signedURL: url }])
    expect([...(await signPaths(['ada/1.webp']))]).toEqual([])
  })

  test('list a folder, and remove objects by their paths', async () => {
    server.respond = () => Response.json([{ name: '1.webp' }, { name: '2.webp' }])
    expect(await listObjects('ada', 10)).toEqual(['ada/1.webp', 'ada/2.webp'])
    await removeObjects(['ada/1.webp'])
    await removeObjects([])
    expect(server.requests).toEqual([
      {
        method: 'POST',
        url: `${BASE}/object/list/media`,
        body: { prefix: 'ada', limit: 10, offset: 0, sortBy: { column: 'name', order: 'asc' } },
      },
      { method: 'DELETE', url: `${BASE}/object/media`, body: { prefixes: ['ada/1.webp'] } },
    ])
  })

  test.each([
    [
      'an expired token of a hosted project',
      400,
      '{"statusCode":"403","message":"jwt expired"}',
      'session-expired',
    ],
    ['an object that exists already', 400, '{"statusCode":"409","error":"Duplicate"}', 'conflict'],
    [
      'a refused row',
      400,
      '{"statusCode":"403","message":"new row violates row-level security policy"}',
      'refused',
    ],
    ['too many requests', 429, '', 'rate-limited'],
    ['a failing server', 500, '{"message":"no"}', 'server'],
    ['a page of a proxy', 503, '<html>', 'server'],
  ])('report %s', (_, status, body, code) => {
    expect(storageError(status, body)).toMatchObject({ name: 'AppError', code })
  })
})

/** A request whose events the test sends. */
class FakeRequest extends EventTarget {
  static last: FakeRequest
  upload = new EventTarget()
  status = 0
  responseText = ''
  headers: Record<string, string> = {}
  sent: unknown
  isAborted = false
  opened = ''

  constructor() {
    super()
    FakeRequest.last = this
  }

  open(method: string, url: string) {
    this.opened = `${method} ${url}`
  }

  setRequestHeader(name: string, value: string) {
    this.headers[name] = value
  }

  send(content: unknown) {
    this.sent = content
  }

  abort() {
    this.isAborted = true
    this.dispatchEvent(new Event('loadend'))
  }

  progress(loaded: number, total: number) {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded, total }))
  }

  respond(status: number, body = '') {
    Object.assign(this, { status, responseText: body })
    this.dispatchEvent(new Event('load'))
    this.dispatchEvent(new Event('loadend'))
  }

  fail() {
    this.dispatchEvent(new Event('error'))
    this.dispatchEvent(new Event('loadend'))
  }
}

describe('MEDIA-05 an upload', () => {
  const file = new Blob(['four'], { type: 'image/webp' })
  const sent = () => vi.waitFor(() => expect(FakeRequest.last?.sent).toBe(file))

  beforeEach(() => {
    vi.stubGlobal('XMLHttpRequest', FakeRequest)
    Reflect.deleteProperty(FakeRequest, 'last')
  })

  test('sends the file under a new key, and reports its progress', async () => {
    const reported: number[] = []
    const done = uploadObject('ada/1.webp', file, { onProgress: (fraction) => reported.push(fraction) })
    await sent()
    const request = FakeRequest.last
    expect(request.opened).toBe(`POST ${BASE}/object/media/ada/1.webp`)
    expect(request.headers).toEqual({
      apikey: 'key',
      'Content-Type': 'image/webp',
      'Cache-Control': 'max-age=31536000',
      'x-upsert': 'false',
    })
    request.progress(1, 4)
    request.progress(4, 4)
    request.respond(200)
    await done
    expect(reported).toEqual([0.25, 1])
  })

  test('ends when the server sends more than an answer', async () => {
    const done = uploadObject('ada/1.webp', file)
    await sent()
    FakeRequest.last.dispatchEvent(Object.assign(new Event('progress'), { loaded: 64 * 1024 }))
    expect(FakeRequest.last.isAborted).toBe(false)
    FakeRequest.last.dispatchEvent(Object.assign(new Event('progress'), { loaded: 64 * 1024 + 1 }))
    await expect(done).rejects.toMatchObject({ code: 'server' })
    expect(FakeRequest.last.isAborted).toBe(true)
  })

  test('is aborted when the member cancels', async () => {
    const controller = new AbortController()
    const done = uploadObject('ada/1.webp', file, { signal: controller.signal })
    await sent()
    controller.abort()
    await expect(done).rejects.toMatchObject({ name: 'AbortError' })
    expect(FakeRequest.last.isAborted).toBe(true)
  })

  test('fails as offline without a response, and with the server’s error otherwise', async () => {
    const lost = uploadObject('ada/1.webp', file)
    await sent()
    FakeRequest.last.fail()
    await expect(lost).rejects.toMatchObject({ code: 'offline' })
    const refused = uploadObject('ada/1.webp', file)
    await vi.waitFor(() => expect(FakeRequest.last.isAborted || FakeRequest.last.status).toBe(0))
    await sent()
    FakeRequest.last.respond(413, '{"message":"The object exceeded the maximum allowed size"}')
    await expect(refused).rejects.toMatchObject({ code: 'too-large' })
  })

  test.each([
    ['429', 429, '{"statusCode":"429","message":"You have uploaded too many files that nothing uses"}', true],
    [
      'the refusal of hosted Storage',
      400,
      '{"statusCode":"403","message":"new row violates row-level security policy"}',
      true,
    ],
    ['a file that is too large', 413, '{"message":"The object exceeded the maximum allowed size"}', false],
  ])('SAFE-06 shows that the quota is used up after %s', async (_, status, body, isShown) => {
    closeToast()
    const refused = uploadObject('ada/1.webp', file)
    await sent()
    FakeRequest.last.respond(status, body)
    // As of any other write beyond a quota, without the server's text about policies.
    await expect(refused).rejects.toMatchObject(
      isShown ? { code: 'rate-limited', message: '' } : { code: 'too-large' },
    )
    expect(useToast.getState().toast?.text).toBe(isShown ? texts.tooFast : undefined)
  })

  test('SAFE-06 says that it is the quota of videos', async () => {
    closeToast()
    const video = new Blob(['four'], { type: 'video/mp4' })
    const refused = uploadObject('ada/1.mp4', video)
    await vi.waitFor(() => expect(FakeRequest.last?.sent).toBe(video))
    FakeRequest.last.respond(
      400,
      '{"statusCode":"403","message":"new row violates row-level security policy"}',
    )
    await expect(refused).rejects.toMatchObject({ code: 'rate-limited' })
    expect(useToast.getState().toast?.text).toBe(texts.tooManyVideos)
  })

  test('of a file that a hosted project finds too large fails with the code of the body', async () => {
    const refused = uploadObject('ada/1.webp', file)
    await sent()
    FakeRequest.last.respond(
      400,
      '{"statusCode":"413","error":"Payload too large","message":"The object exceeded the maximum allowed size"}',
    )
    await expect(refused).rejects.toMatchObject({ code: 'too-large', message: '' })
  })

  test('fails as offline when it makes no progress for half a minute', async () => {
    vi.useFakeTimers()
    const done = uploadObject('ada/1.webp', file).catch((cause: unknown) => cause)
    await vi.advanceTimersByTimeAsync(20_000)
    FakeRequest.last.progress(1, 4)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(FakeRequest.last.isAborted).toBe(false)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await done).toMatchObject({ code: 'offline', detail: 'upload stalled' })
    expect(FakeRequest.last.isAborted).toBe(true)
    vi.useRealTimers()
  })
})
