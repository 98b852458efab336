import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { closeToast, useToast } from '#/renderer/lib/core/toasts'
import { removeObjects } from '#/renderer/lib/media-store/requests'
import { type StartedUpload, uploadObject } from '#/renderer/lib/media-store/upload/upload-object'
import { uploadResumable } from '#/renderer/lib/media-store/upload/upload-resumable'
import { pendingRows } from '#/renderer/lib/outbox/pending'
import { uploadParts } from '#/renderer/lib/outbox/upload-parts'
import { texts } from '#/renderer/lib/texts'
import { RESUMABLE_BYTES } from '#/shared/limits'
import type { ServerInfo } from '#/shared/server'

const server = vi.hoisted(() => ({
  client: {} as object,
  user: { id: 'ada' },
  limit: Number.POSITIVE_INFINITY,
}))

vi.mock('#/renderer/lib/media/source/storage-store', () => ({
  requireStorage: async () => undefined,
  limitAfterRefusal: async (size: number) => (server.limit < size ? server.limit : null),
}))
vi.mock('#/renderer/lib/media-store/requests', () => ({ removeObjects: vi.fn() }))
vi.mock('#/renderer/lib/media-store/upload/upload-object', async (load) => ({
  ...(await load<object>()),
  uploadObject: vi.fn(),
}))
vi.mock('#/renderer/lib/media-store/upload/upload-resumable', () => ({ uploadResumable: vi.fn() }))
vi.mock('#/renderer/lib/server/supabase', () => ({
  unwrap: (request: Promise<unknown>) => request,
  supabase: () => server.client,
  storedUser: async () => server.user,
}))

/** Connects to a server that answers `my_unused_objects()` with these names. */
function connect(unused: () => Promise<string[]>) {
  const rpc = vi.fn(async (_name: string) => (await unused()).map((name) => ({ name })))
  server.client = { rpc, auth: { getSession: async () => ({ session: { user: server.user } }) } }
  return rpc
}

const tools = () => ({
  signal: new AbortController().signal,
  keepUpload: vi.fn(async (_name: string, _path: string) => undefined),
  keepStarted: vi.fn(async (_name: string, _started: StartedUpload) => undefined),
  onProgress: vi.fn(),
})
const parts = {
  full: new Blob(['123456'], { type: 'image/webp' }),
  grid: new Blob(['12'], { type: 'image/jpeg' }),
}

beforeEach(() => {
  vi.mocked(logFailure).mockClear()
  for (const request of [removeObjects, uploadObject]) vi.mocked(request).mockReset()
  server.user = { id: 'ada' }
  connect(async () => [])
})

describe('MEDIA-05 the files of an outbox row', () => {
  test('get keys in the member’s folder that are never used again, and report their common progress', async () => {
    vi.mocked(uploadObject).mockImplementation(async (_path, _content, options) => options?.onProgress?.(0.5))
    const given = tools()
    const first = await uploadParts(parts, {}, given)
    const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'
    expect(first.full).toMatch(new RegExp(`^ada/${uuid}\\.webp$`))
    expect(first.grid).toMatch(new RegExp(`^ada/${uuid}\\.jpg$`))
    expect(given.keepUpload.mock.calls).toEqual([
      ['full', first.full],
      ['grid', first.grid],
    ])
    expect(given.onProgress.mock.calls).toEqual([0, 3, 6, 7, 8].map((sent) => [sent, 8]))
    expect((await uploadParts(parts, {}, tools())).full).not.toBe(first.full)
  })

  test('of more than 6 MB are sent in pieces, and go on where an earlier attempt was cut', async () => {
    vi.mocked(uploadResumable).mockImplementation(async (newPath, _content, options) => {
      const upload = { path: newPath(), id: 'u2' }
      await options?.keepStarted?.(upload)
      options?.onProgress?.(0.5)
      return upload.path
    })
    const videos = {
      poster: parts.full,
      small: new Blob([new Uint8Array(RESUMABLE_BYTES)], { type: 'video/mp4' }),
      large: new Blob([new Uint8Array(RESUMABLE_BYTES + 1)], { type: 'video/webm' }),
    }
    const given = tools()
    const started = { large: { path: 'ada/1.webm', id: 'u1' } }
    const paths = await uploadParts(videos, { started }, given)
    expect(paths.large).toMatch(/^ada\/[0-9a-f-]{36}\.webm$/)
    expect(vi.mocked(uploadResumable).mock.calls).toEqual([
      [expect.any(Function), videos.large, expect.objectContaining({ started: started.large })],
    ])
    expect(vi.mocked(uploadObject).mock.calls.map(([, content]) => content)).toEqual([
      videos.poster,
      videos.small,
    ])
    expect(given.keepStarted.mock.calls).toEqual([['large', { path: paths.large, id: 'u2' }]])
    expect(given.keepUpload.mock.calls.map(([name]) => name)).toEqual(['poster', 'small', 'large'])
  })

  test('of more than 6 MB are sent at once to a server on this computer, which has no pieces', async () => {
    const url = 'http://127.0.0.1:54321'
    useServerInfo.setState({ server: { kind: 'chosen', url } as ServerInfo })
    onTestFinished(() => useServerInfo.setState({ server: null }))
    const large = new Blob([new Uint8Array(RESUMABLE_BYTES + 1)], { type: 'video/webm' })
    const paths = await uploadParts({ large }, {}, tools())
    expect(vi.mocked(uploadObject).mock.calls.map(([path, content]) => [path, content])).toEqual([
      [paths.large, large],
    ])
  })

  test.each([
    ['a video, whose server says its limit', 'video/mp4', 5_000_000, texts.media.serverLimit(5_000_000, 17)],
    ['a video', 'video/mp4', Number.POSITIVE_INFINITY, texts.media.serverRefuses(6_291_457)],
    ['a picture', 'image/webp', 5_000_000, texts.media.serverRefuses(6_291_457)],
  ])(
    'that are too large for the server are refused in the member’s words: %s',
    async (_, type, limit, text) => {
      closeToast()
      server.limit = limit
      vi.mocked(uploadResumable).mockRejectedValueOnce(new AppError('too-large', '', 'storage 413'))
      const large = new Blob([new Uint8Array(RESUMABLE_BYTES + 1)], { type })
      await expect(uploadParts({ large }, {}, tools())).rejects.toMatchObject({
        code: 'too-large',
        message: text,
        detail: 'storage 413',
      })
      expect(useToast.getState().toast?.text).toBe(text)
    },
  )

  test('that are uploaded already are not uploaded again', async () => {
    const paths = await uploadParts(parts, { uploads: { full: 'ada/1.webp' } }, tools())
    expect(paths.full).toBe('ada/1.webp')
    expect(vi.mocked(uploadObject).mock.calls.map(([, content]) => content)).toEqual([parts.grid])
  })

  test('that are uploaded do not go into a row when the member has cancelled', async () => {
    const signal = AbortSignal.abort()
    await expect(uploadParts(parts, {}, { ...tools(), signal })).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('MEDIA-04 unused objects', () => {
  const upload = async (me: string) => {
    server.user = { id: me }
    await uploadParts({ full: parts.full }, {}, tools())
  }

  test('the first upload of a member removes what earlier ones have left unused, but not files of rows that wait', async () => {
    pendingRows.setState(
      [
        {
          id: '1',
          scope: 'post',
          kind: 'post',
          payload: {},
          createdAt: '2026-11-20T08:00:00.000Z',
          state: 'waiting',
          uploads: { full: 'ben/waiting.webp' },
        },
      ],
      true,
    )
    onTestFinished(() => pendingRows.setState([], true))
    const rpc = connect(async () => ['ben/left.webp', 'ben/waiting.webp'])
    await upload('ben')
    await upload('ben')
    await vi.waitFor(() => expect(removeObjects).toHaveBeenCalledExactlyOnceWith(['ben/left.webp']))
    expect(rpc.mock.calls.filter(([name]) => name === 'my_unused_objects')).toHaveLength(1)
  })

  test('an upload succeeds when unused objects cannot be removed, and the next one tries again', async () => {
    const cause = new AppError('offline', '', '')
    connect(() => Promise.reject(cause))
    await upload('cleo')
    await vi.waitFor(() => expect(logFailure).toHaveBeenCalledWith('remove unused objects', cause))
    connect(async () => ['cleo/left.webp'])
    await upload('cleo')
    await vi.waitFor(() => expect(removeObjects).toHaveBeenCalledExactlyOnceWith(['cleo/left.webp']))
  })
})
