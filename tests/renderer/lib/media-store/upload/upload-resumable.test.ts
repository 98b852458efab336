import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import type { StartedUpload, UploadOptions } from '#/renderer/lib/media-store/upload/upload-object'
import { endUploads, uploadResumable } from '#/renderer/lib/media-store/upload/upload-resumable'
import { RESUMABLE_BYTES } from '#/shared/limits'
import { type Answer, clearTusServer, FakeRequest, offsetOf, tusServer as server } from './tus-server'

const BASE = 'https://server.example/storage/v1'

const session = vi.hoisted(() => ({ token: 1, ended: [] as string[], fails: false, isOffline: false }))

vi.mock('#/renderer/lib/queries/offline', () => ({ isKnownOffline: () => session.isOffline }))
vi.mock('#/renderer/lib/server/supabase', () => ({
  // Each request gets the token of its time.
  storageRequest: async (path: string) => ({
    url: `${BASE}${path}`,
    headers: { Authorization: `Bearer ${session.token++}` },
  }),
  clientFetch: async (url: string, { method, body }: RequestInit) => {
    if (session.fails) throw new TypeError('Failed to fetch')
    session.ended.push(`${method} ${url.slice(BASE.length)} ${body ?? ''}`.trim())
    return Response.json([])
  },
}))

const SIZE = 2 * RESUMABLE_BYTES + 5
const VIDEO = new Blob([new Uint8Array(SIZE).map((_, index) => index % 251)], { type: 'video/mp4' })
let paths = 0
const newPath = () => `ada/${++paths}.mp4`

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  clearTusServer()
  Object.assign(session, { token: 1, ended: [], fails: false, isOffline: false })
  paths = 0
  vi.mocked(logFailure).mockClear()
})

/** Uploads while time passes. */
async function run(options: UploadOptions = {}, content = VIDEO) {
  const kept: StartedUpload[] = []
  const progress: number[] = []
  const settled = uploadResumable(newPath, content, {
    keepStarted: async (started) => void kept.push(started),
    onProgress: (fraction) => progress.push(fraction),
    ...options,
  }).then(
    (path) => ({ path, error: null }),
    (error: unknown) => ({ path: null, error }),
  )
  let result: Awaited<typeof settled> | undefined
  void settled.then((value) => {
    result = value
  })
  const start = Date.now()
  while (result === undefined) await vi.advanceTimersByTimeAsync(500)
  return { ...result, kept, progress, ms: Date.now() - start }
}

async function isWhole(id: string) {
  const stored = new Blob(server.uploads.get(id)?.parts)
  return Buffer.compare(Buffer.from(await stored.arrayBuffer()), Buffer.from(await VIDEO.arrayBuffer())) === 0
}

/** Answers the first `count` requests with this method differently. */
function atFirst(method: string, count: number, given: Answer | 'cut') {
  let left = count
  server.instead = (asked) => {
    if (asked !== method || left === 0) return null
    left -= 1
    return given
  }
}

describe('MEDIA-05 a resumable upload', () => {
  test('sends pieces of 6 MB, each with the token of its time, and reports its progress', async () => {
    const { path, kept, progress } = await run()
    expect(path).toBe('ada/1.mp4')
    // Only the end of the address counts: the token goes to no other host.
    expect(server.requests).toEqual([
      'POST',
      'PATCH u1 0',
      `PATCH u1 ${RESUMABLE_BYTES}`,
      `PATCH u1 ${2 * RESUMABLE_BYTES}`,
    ])
    expect(server.tokens).toEqual(['Bearer 1', 'Bearer 2', 'Bearer 3', 'Bearer 4'])
    expect(kept).toEqual([{ path: 'ada/1.mp4', id: 'u1' }])
    expect(await isWhole('u1')).toBe(true)
    const fields = server.metadata.split(',').map((pair) => pair.split(' '))
    expect(Object.fromEntries(fields.map(([name, value = '']) => [name, atob(value)]))).toEqual({
      bucketName: 'media',
      objectName: 'ada/1.mp4',
      contentType: 'video/mp4',
      cacheControl: '31536000',
    })
    expect(progress.toSorted((a, b) => a - b)).toEqual(progress)
    expect([progress[0], progress.at(-1)]).toEqual([0, 1])
  })

  // supabase/storage, src/http/routes/tus: the address is 'bucket/object/version' in base64url; the version is a UUID. `maxSize`, the CORS
  // headers and the statuses are those of its @tus/server.
  test('sends what hosted Storage asks for, takes its address, and reads its refusals', async () => {
    const hosted = 'https://abcdefgh.supabase.co/storage/v1/upload/resumable'
    const version = '6c7e0a3e-9b0c-4f1e-8a55-2b1d4f6c9e10'
    const id = Buffer.from(`media/ada/1.mp4/${version}`).toString('base64url')
    server.location = () => `${hosted}/${id}`
    const allowed =
      /^(authorization|apikey|content-type|x-upsert|tus-resumable|upload-(length|metadata|offset))$/i
    const first = server.instead
    server.instead = (method, headers) => {
      // A page on another origin may send no other header.
      expect(Object.keys(headers).filter((name) => !allowed.test(name))).toEqual([])
      if (method === 'HEAD') return null
      expect(headers['x-upsert']).toBe('false')
      if (method === 'PATCH') expect(headers['Content-Type']).toBe('application/offset+octet-stream')
      return null
    }
    const { path, kept } = await run()
    expect(path).toBe('ada/1.mp4')
    expect(kept).toEqual([{ path: 'ada/1.mp4', id }])
    expect(server.requests).toEqual([
      'POST',
      ...[0, RESUMABLE_BYTES, 2 * RESUMABLE_BYTES].map((offset) => `PATCH ${id} ${offset}`),
    ])
    server.instead = first

    // Another request for the same upload holds its lock; an upload of yesterday is gone; the file is larger than the bucket takes.
    const locked = { status: 423, text: 'The resource is locked' }
    server.requests = []
    server.uploads.clear()
    atFirst('PATCH', 2, locked)
    expect(await run()).toMatchObject({ path: 'ada/2.mp4', error: null })
    server.requests = []
    atFirst('HEAD', 1, { status: 410 })
    expect(await run({ started: { path: 'ada/2.mp4', id } })).toMatchObject({
      path: 'ada/3.mp4',
      error: null,
    })
    expect(server.requests.slice(0, 2)).toEqual([`HEAD ${id}`, 'POST'])
    atFirst('POST', 1, { status: 413, text: 'Maximum size exceeded\n' })
    const { error } = await run()
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({ code: 'too-large' })
    expect(server.requests.at(-1)).toBe('POST')
  })

  test('goes on at the offset after the connection was cut in a piece', async () => {
    atFirst('PATCH', 1, 'cut')
    const { path, kept } = await run()
    expect(path).toBe('ada/1.mp4')
    expect(server.requests.slice(0, 4)).toEqual(['POST', 'PATCH u1 0', 'HEAD u1', 'PATCH u1 1000'])
    expect(kept).toHaveLength(1)
    expect(await isWhole('u1')).toBe(true)
  })

  test('goes on where an earlier attempt was cut, also before the app was started again', async () => {
    server.instead = (method) => (method === 'PATCH' && server.requests.length > 2 ? 'cut' : null)
    const first = await run()
    expect(first.error).toMatchObject({ code: 'offline' })
    server.instead = () => null
    server.requests = []
    const arrived = offsetOf('u1')
    expect(arrived).toBeGreaterThan(RESUMABLE_BYTES)
    const { path, kept, progress } = await run({ started: first.kept[0] })
    expect(path).toBe('ada/1.mp4')
    expect(server.requests.slice(0, 2)).toEqual(['HEAD u1', `PATCH u1 ${arrived}`])
    expect(kept).toEqual([])
    expect(progress[0]).toBe(arrived / SIZE)
    expect(await isWhole('u1')).toBe(true)
  })

  test('is complete when only the last response was lost', async () => {
    await run()
    server.requests = []
    expect((await run({ started: { path: 'ada/1.mp4', id: 'u1' } })).path).toBe('ada/1.mp4')
    expect(server.requests).toEqual(['HEAD u1'])
  })

  test.each<[string, () => void]>([
    ['is past its day', () => server.uploads.delete('u1')],
    ['is another file’s', () => server.uploads.set('u1', { path: '', length: SIZE + 1, parts: [] })],
    ['is refused', () => atFirst('HEAD', 1, { status: 403 })],
  ])('begins again under another key when the earlier one %s', async (_, change) => {
    await run()
    change()
    server.requests = []
    const { path, kept } = await run({ started: { path: 'ada/1.mp4', id: 'u1' } })
    expect(path).toBe('ada/2.mp4')
    expect(server.requests.slice(0, 2)).toEqual(['HEAD u1', 'POST'])
    expect(kept).toEqual([{ path: 'ada/2.mp4', id: expect.stringMatching(/^u\d$/) }])
  })

  test('begins again when it expires in the middle', async () => {
    server.instead = (method) => {
      if (method === 'PATCH' && server.requests.length === 3) server.uploads.delete('u1')
      return null
    }
    const { path, kept } = await run()
    expect(path).toBe('ada/2.mp4')
    expect(kept).toHaveLength(2)
  })

  test.each([408, 409, 423, 425, 500, 503])('reads the offset and goes on after %i', async (status) => {
    atFirst('PATCH', 2, { status })
    const { path } = await run()
    expect(path).toBe('ada/1.mp4')
    expect(server.requests.slice(0, 6)).toEqual([
      'POST',
      'PATCH u1 0',
      'HEAD u1',
      'PATCH u1 0',
      'HEAD u1',
      'PATCH u1 0',
    ])
  })

  test('leaves it to the outbox to go on while the app is offline', async () => {
    server.instead = (method) => {
      session.isOffline = method === 'PATCH'
      return session.isOffline ? 'cut' : null
    }
    expect((await run()).error).toMatchObject({ code: 'offline' })
    expect(server.requests).toEqual(['POST', 'PATCH u1 0'])
  })

  test('gives up after five failures without a piece that arrived; the outbox tries later', async () => {
    server.instead = (method) => (method === 'PATCH' ? { status: 503 } : null)
    const { error, ms } = await run()
    expect(error).toMatchObject({ code: 'server', status: 503 })
    expect(server.requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(5)
    expect(ms).toBeGreaterThanOrEqual(19_000)
  })

  test.each([
    ['a content that is none', 415, '{"message":"The content does not match its mime type"}', 'refused'],
    ['a file that is too large', 413, 'Maximum size exceeded\n', 'too-large'],
    ['the quota', 429, '{"statusCode":"429","message":"too many"}', 'rate-limited'],
    ['the quota of a hosted project', 403, 'new row violates row-level security policy', 'rate-limited'],
    ['the end of the session', 403, '{"statusCode":"403","message":"jwt expired"}', 'session-expired'],
  ])('does not repeat what the server refuses: %s', async (_, status, text, code) => {
    server.instead = (method) => (method === 'PATCH' ? { status, text } : null)
    expect((await run()).error).toMatchObject({ code })
    expect(server.requests).toEqual(['POST', 'PATCH u1 0'])
  })

  test('a refused beginning is not repeated, and begins nothing', async () => {
    server.instead = () => ({ status: 404, text: 'Not found' })
    const { error, kept } = await run()
    expect(error).toMatchObject({ code: 'refused' })
    expect([server.requests, kept]).toEqual([['POST'], []])
  })

  test.each<[string, Answer]>([
    ['no offset', { status: 204 }],
    ['an offset that is no number', { status: 204, headers: { 'Upload-Offset': '-1' } }],
    ['the same offset', { status: 204, headers: { 'Upload-Offset': '0' } }],
    ['an offset beyond the file', { status: 204, headers: { 'Upload-Offset': String(SIZE + 1) } }],
  ])('ends when a server answers a piece with %s', async (_, given) => {
    server.instead = (method) => (method === 'PATCH' ? given : null)
    expect((await run()).error).toMatchObject({ code: 'server' })
    expect(server.requests).toHaveLength(2)
  })

  test.each([
    ['no address', () => ''],
    ['an address that names no upload', () => 'https://server.example/storage/v1/upload/resumable/..'],
    ['an address whose end is searched for minutes', () => `${'a'.repeat(1_000_000)}!`],
  ])('ends when a server gives it %s', async (_, location) => {
    server.location = location
    expect((await run()).error).toMatchObject({ code: 'server' })
  })

  test('is aborted when the member cancels, also in a pause, and keeps what has to be ended', async () => {
    const controller = new AbortController()
    const aborted = await run({ signal: controller.signal, onProgress: () => controller.abort() })
    expect(aborted.error).toMatchObject({ name: 'AbortError' })
    expect(aborted.kept).toHaveLength(1)

    const later = new AbortController()
    server.instead = (method) => {
      if (method === 'PATCH') setTimeout(() => later.abort(), 500)
      return method === 'PATCH' ? { status: 503 } : null
    }
    const { error, ms } = await run({ signal: later.signal })
    expect(error).toMatchObject({ name: 'AbortError' })
    expect(ms).toBeLessThan(1_000)
  })

  test('that is not continued is deleted at the server, with an object that was just complete', async () => {
    await endUploads([{ path: 'ada/1.mp4', id: 'u1' }])
    expect(session.ended).toEqual([
      'DELETE /upload/resumable/u1',
      'DELETE /object/media {"prefixes":["ada/1.mp4"]}',
    ])
    session.fails = true
    await endUploads([{ path: 'ada/1.mp4', id: 'u1' }])
    expect(logFailure).toHaveBeenCalledWith('end uploads', expect.anything())
  })
})
