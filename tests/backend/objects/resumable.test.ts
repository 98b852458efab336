import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir, stat, truncate, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openObjectFiles } from '#/backend/objects/object-files'
import { parseObjectKey } from '#/backend/objects/object-key'
import { openUploads } from '#/backend/objects/open-uploads'
import { createObjectSweep } from '#/backend/objects/sweep-objects'
import { PICTURE_BYTES, STORED_VIDEO_BYTES } from '#/shared/limits'
import { discard, scratchFolder, startTestBackend } from '#tests/backend/support/backend'
import {
  bucketOf,
  joinStore,
  keyOf,
  PICTURE,
  type StoreMember,
  startStore,
  storedFiles,
  unwrap,
  uploadVideo,
  videoOf,
} from './support'
import { TUS, tusClient, videoMetadata } from './tus'

let store: Awaited<ReturnType<typeof startStore>>
let ada: StoreMember
let eve: StoreMember
let adas: ReturnType<typeof tusClient>
let eves: ReturnType<typeof tusClient>

beforeAll(async () => {
  store = await startStore()
  ada = await store.join('ada')
  eve = await store.join('eve')
  adas = tusClient(store.backend, ada)
  eves = tusClient(store.backend, eve)
})
afterAll(() => store.dispose())

const unfinished = () => readdir(join(store.folder, 'objects/unfinished'))
const untilArrived = (path: string, bytes: number) =>
  vi.waitFor(async () => {
    const { size } = await stat(join(store.folder, 'objects/unfinished', path.split('/').at(-1) ?? ''))
    expect(size).toBe(bytes)
  })
const downloaded = async (member: StoreMember, key: string) =>
  new Uint8Array(await (await unwrap(bucketOf(member).download(key))).arrayBuffer())

/** Opens a connection and sends the head of a PATCH of `length` bytes, with the first `sent` of them. */
async function beginPiece(path: string, offset: number, piece: Uint8Array, sent: number) {
  const socket = connect(store.backend.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const lines = Object.entries({
    host: `127.0.0.1:${store.backend.port}`,
    ...(await ada.headers()),
    ...TUS,
    'upload-offset': String(offset),
    'content-type': 'application/offset+octet-stream',
    'content-length': String(piece.length),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`PATCH ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  socket.write(piece.subarray(0, sent))
  return socket
}

describe('MEDIA-05 a resumable upload', () => {
  test('arrives in pieces, and is an object like any other once it is complete', async () => {
    const video = videoOf(1_000_001)
    const key = keyOf(ada.id, 'mp4')
    const created = await adas.create(key, video.length)
    expect([created.status, created.headers.get('tus-resumable')]).toEqual([201, '1.0.0'])
    const path = created.headers.get('location') ?? ''
    expect(path).toMatch(/^\/storage\/v1\/upload\/resumable\/[0-9a-f-]{36}$/)
    const day = Date.parse(created.headers.get('upload-expires') ?? '') - Date.now()
    expect(Math.round(day / 3_600_000)).toBe(24)

    for (const [start, end] of [
      [0, 400_000],
      [400_000, 1_000_000],
    ] as const) {
      const { status, headers } = await adas.append(path, start, video.slice(start, end))
      expect([status, headers.get('upload-offset')]).toEqual([204, String(end)])
      expect(headers.get('upload-expires')).toBe(created.headers.get('upload-expires'))
      const { headers: state } = await adas.head(path)
      expect(Object.fromEntries(state)).toMatchObject({
        'upload-offset': String(end),
        'upload-length': '1000001',
        'upload-metadata': videoMetadata(key),
        'cache-control': 'no-store',
      })
      expect((await bucketOf(ada).download(key)).error).not.toBeNull()
    }
    const last = await adas.append(path, 1_000_000, video.slice(1_000_000))
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '1000001'])
    expect(Buffer.compare(await downloaded(ada, key), video)).toBe(0)
    expect(await unfinished()).toEqual([])
    // The client may have lost the last response.
    const { headers } = await adas.head(path)
    expect([headers.get('upload-offset'), headers.get('upload-length')]).toEqual(['1000001', '1000001'])
    expect((await adas.append(path, 1_000_000, video.slice(1_000_000))).status).toBe(404)
    expect((await adas.terminate(path)).status).toBe(404)
    expect((await eves.head(path)).status).toBe(404)
  })

  test('says what the server supports', async () => {
    const { status, headers } = await fetch(`${store.backend.url}/storage/v1/upload/resumable`, {
      method: 'OPTIONS',
    })
    expect(status).toBe(204)
    expect(Object.fromEntries(headers)).toMatchObject({
      'tus-version': '1.0.0',
      'tus-extension': 'creation,expiration,termination',
      'tus-max-size': String(STORED_VIDEO_BYTES),
    })
  })

  test('keeps what arrived before the connection was cut', async () => {
    const video = videoOf(900_000)
    const key = keyOf(ada.id, 'mp4')
    const path = await adas.open(key, video.length)
    const socket = await beginPiece(path, 0, video, 500_000)
    await untilArrived(path, 500_000)
    socket.destroy()
    await vi.waitFor(async () => expect(await adas.offset(path)).toBe(500_000))
    expect((await adas.append(path, 500_000, video.slice(500_000))).status).toBe(204)
    expect(Buffer.compare(await downloaded(ada, key), video)).toBe(0)
  })

  test('has one request at a time: a newer one ends the reading of the older', async () => {
    const video = videoOf(300_000)
    const key = keyOf(ada.id, 'mp4')
    const path = await adas.open(key, video.length)
    const socket = await beginPiece(path, 0, video, 100_000)
    await untilArrived(path, 100_000)
    const response = once(socket, 'data')
    expect(await adas.offset(path)).toBe(100_000)
    socket.write(video.subarray(100_000))
    expect(String((await response)[0])).toMatch(/^HTTP\/1\.1 423 /)
    // Of several at the same time none is mixed with another: each one before the last may have written its beginning.
    const pieces = await Promise.all(
      Array.from({ length: 6 }, () => adas.append(path, 100_000, video.slice(100_000))),
    )
    for (const { status } of pieces) expect([204, 404, 409, 423]).toContain(status)
    const offset = (await adas.offset(path)) ?? 0
    if (offset < video.length) await adas.append(path, offset, video.slice(offset))
    expect(Buffer.compare(await downloaded(ada, key), video)).toBe(0)
    expect(await unfinished()).toEqual([])
  })

  test('continues after a restart of the server, at another address', async () => {
    const folder = await scratchFolder()
    const first = await startTestBackend(folder)
    const member = await joinStore(first, 'ada')
    const [video, key] = [videoOf(700_000), keyOf(member.id, 'mp4')]
    const path = await tusClient(first, member).open(key, video.length)
    await tusClient(first, member).append(path, 0, video.slice(0, 300_000))
    await first.stop()
    const second = await startTestBackend(folder)
    const client = tusClient(second, member)
    expect(await client.offset(path)).toBe(300_000)
    expect((await client.append(path, 300_000, video.slice(300_000))).status).toBe(204)
    await discard(second)
  })

  test('leaves nothing when it is terminated, also while a piece arrives', async () => {
    const video = videoOf(300_000)
    const files = await storedFiles(store.folder)
    const path = await adas.open(keyOf(ada.id, 'mp4'), video.length)
    await beginPiece(path, 0, video, 100_000)
    await untilArrived(path, 100_000)
    expect((await eves.terminate(path)).status).toBe(404)
    expect((await adas.terminate(path)).status).toBe(204)
    expect(await storedFiles(store.folder)).toEqual(files)
    expect(await adas.offset(path)).toBeNull()
    expect((await adas.terminate(path)).status).toBe(404)
  })
})

describe('MEDIA-05 a resumable upload is refused, and leaves no file,', () => {
  const own = () => keyOf(eve.id, 'mp4')
  const named = (objectName: string, fields = {}) => ({
    'upload-metadata': videoMetadata(objectName, fields),
  })
  test.each<[string, number, () => Record<string, string>]>([
    ['without the version of the protocol', 412, () => ({ 'tus-resumable': '' })],
    ['with another version', 412, () => ({ 'tus-resumable': '0.2.2' })],
    ['without a token', 403, () => ({ authorization: 'Bearer null' })],
    ['into another member’s folder', 403, () => named(keyOf(ada.id, 'mp4'))],
    ['into another bucket', 400, () => named(own(), { bucketName: 'other' })],
    ['without metadata', 400, () => ({ 'upload-metadata': '' })],
    ['with a field twice', 400, () => ({ 'upload-metadata': `${videoMetadata(own())},bucketName bWVkaWE=` })],
    ['with a value that is not Base64', 400, () => ({ 'upload-metadata': 'objectName %2e%2e' })],
    ['with long metadata', 400, () => named(own(), { filename: 'x'.repeat(5_000) })],
    ['with a path', 400, () => named(`${eve.id}/../${keyOf(ada.id, 'mp4')}`)],
    ['with a path to the server’s files', 400, () => named('../../secrets.json')],
    ['with an absolute path', 400, () => named('/etc/passwd')],
    ['with a NUL in its key', 400, () => named(`${own()}\0.mp4`)],
    ['without a key', 400, () => named('')],
    ['of HTML', 400, () => named(own().replace('mp4', 'html'))],
    ['of another type than its key', 415, () => named(own(), { contentType: 'text/html' })],
    ['over an object', 404, () => ({ 'x-upsert': 'true' })],
    ['of more than 45 MB', 413, () => ({ 'upload-length': String(STORED_VIDEO_BYTES + 1) })],
    ['of an endless length', 400, () => ({ 'upload-length': '9'.repeat(40) })],
    ['of a negative length', 400, () => ({ 'upload-length': '-1' })],
    ['of a length that is no number', 400, () => ({ 'upload-length': '1e3' })],
    ['of an empty file', 400, () => ({ 'upload-length': '0' })],
    ['without a length', 400, () => ({ 'upload-length': '', 'upload-defer-length': '1' })],
    [
      'of a picture of more than 5 MB',
      413,
      () => ({
        'upload-length': String(PICTURE_BYTES + 1),
        'upload-metadata': videoMetadata(keyOf(eve.id), { contentType: 'image/webp' }),
      }),
    ],
  ])('%s', async (_, status, headers) => {
    const files = await storedFiles(store.folder)
    const response = await eves.create(own(), 1_000, headers())
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining('message')])
    expect(response.headers.get('location')).toBeNull()
    expect(await storedFiles(store.folder)).toEqual(files)
  })

  test('under the key of an object', async () => {
    const key = await uploadVideo(eve, 1_000)
    const files = await storedFiles(store.folder)
    expect((await eves.create(key, 1_000)).status).toBe(409)
    expect(await storedFiles(store.folder)).toEqual(files)
  })

  test('when a piece is wrong; then it stays as it is', async () => {
    const video = videoOf(2_000)
    const path = await eves.open(own(), video.length)
    await eves.append(path, 0, video.slice(0, 1_000))
    for (const [status, offset, piece, headers] of [
      [409, 0, video.slice(0, 1_000), {}],
      [409, 1_001, video.slice(1_001), {}],
      [400, -1, video, {}],
      [400, 1_000, video, { 'upload-offset': '' }],
      [400, 1_000, video, { 'upload-offset': '0x3e8' }],
      [413, 1_000, video, {}],
      [415, 1_000, video.slice(1_000), { 'content-type': 'video/mp4' }],
      [412, 1_000, video.slice(1_000), { 'tus-resumable': '2' }],
      [403, 1_000, video.slice(1_000), { authorization: 'Bearer null' }],
      [204, 1_000, new Uint8Array(), {}],
    ] as const) {
      const response = await eves.append(path, offset, piece, headers)
      expect([response.status, offset, headers]).toEqual([status, offset, headers])
      expect(await eves.offset(path)).toBe(1_000)
    }
    // Nobody else's URL is one.
    expect((await adas.head(path)).status).toBe(404)
    expect((await adas.append(path, 1_000, video.slice(1_000))).status).toBe(404)
    for (const other of [`/${randomUUID()}`, '/..%2f..%2fsecrets.json', `/../object/media/${own()}`, '/x'])
      for (const method of ['HEAD', 'PATCH', 'DELETE'])
        expect((await eves.send(method, other, { 'upload-offset': '0' })).status, other).toBeGreaterThan(399)
    expect((await eves.terminate(path)).status).toBe(204)
  })

  test('when its content is not what its key says', async () => {
    const files = await storedFiles(store.folder)
    const path = await eves.open(own(), 2_000)
    expect((await eves.append(path, 0, new Uint8Array(2_000))).status).toBe(415)
    expect(await eves.offset(path)).toBeNull()
    const animated = { 'upload-metadata': videoMetadata(keyOf(eve.id), { contentType: 'image/webp' }) }
    const created = await eves.create('', PICTURE.length, animated)
    const picture = created.headers.get('location') ?? ''
    expect((await eves.append(picture, 0, videoOf(PICTURE.length))).status).toBe(415)
    expect(await storedFiles(store.folder)).toEqual(files)
  })

  test('when the member loses the right meanwhile', async () => {
    const files = await storedFiles(store.folder)
    const fay = await store.join('fay')
    const client = tusClient(store.backend, fay)
    const [video, key] = [videoOf(2_000), keyOf(fay.id, 'mp4')]
    const [path, other] = [await client.open(key, video.length), await client.open(key, video.length)]
    await client.append(path, 0, video.slice(0, 1_000))
    const { headers } = fay
    const token = await headers()
    expect((await fay.client.rpc('delete_account')).error).toBeNull()
    const late = tusClient(store.backend, { headers: async () => token })
    expect((await late.append(path, 1_000, video.slice(1_000))).status).toBe(403)
    expect((await late.create(key, 1_000)).status).toBe(403)
    expect((await late.terminate(other)).status).toBe(403)
    // The hourly sweep removes what an account has left.
    const { maintenance: pg, exclusive } = store.backend
    const uploads = await openUploads(join(store.folder, 'objects/unfinished'))
    expect(uploads.members()).toContain(fay.id)
    const sweepFiles = await openObjectFiles(join(store.folder, 'objects'))
    const sweep = createObjectSweep({ pg, exclusive, files: sweepFiles, uploads, copyTimes: async () => [] })
    await sweep.sweep(() => false)
    expect(await storedFiles(store.folder)).toEqual(files)
  })

  test('when another upload has taken its key meanwhile', async () => {
    const [video, key] = [videoOf(2_000), own()]
    const paths = [await eves.open(key, video.length), await eves.open(key, video.length)]
    expect((await eves.append(paths[0] ?? '', 0, video)).status).toBe(204)
    expect((await eves.append(paths[1] ?? '', 0, video)).status).toBe(409)
    expect(await eves.offset(paths[1] ?? '')).toBeNull()
    expect(Buffer.compare(await downloaded(eve, key), video)).toBe(0)
  })
})

test('MEDIA-05 a page of another, allowed origin can send the requests and read the headers', async () => {
  const origin = 'app://bundle'
  const backend = await startTestBackend(await scratchFolder(), { allowedOrigins: [origin] })
  const member = await joinStore(backend, 'ada')
  const address = `${backend.url}/storage/v1/upload/resumable`
  const preflight = await fetch(address, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,tus-resumable,upload-offset',
    },
  })
  expect(preflight.headers.get('access-control-allow-methods')?.split(', ')).toEqual(
    expect.arrayContaining(['POST', 'HEAD', 'PATCH', 'DELETE']),
  )
  expect(preflight.headers.get('access-control-allow-headers')).toContain('upload-offset')
  const { headers } = await tusClient(backend, member).create(keyOf(member.id, 'mp4'), 1_000, { origin })
  expect(headers.get('access-control-expose-headers')?.split(', ')).toEqual(
    expect.arrayContaining(['location', 'upload-offset', 'upload-length']),
  )
})

describe('MEDIA-05 the quota', () => {
  test('counts the whole length of unfinished uploads', async () => {
    const gus = await store.join('gus')
    const client = tusClient(store.backend, gus)
    const { exec } = store.backend.maintenance
    await exec("update private.quotas set per_day = 3000000 where kind = 'upload_bytes'")
    onTestFinished(async () => {
      await exec("update private.quotas set per_day = null where kind = 'upload_bytes'")
    })
    const path = await client.open(keyOf(gus.id, 'mp4'), 2_000_000)
    expect((await client.create(keyOf(gus.id, 'mp4'), 1_500_000)).status).toBe(429)
    const small = new Blob([videoOf(900_000)], { type: 'video/mp4' })
    await unwrap(bucketOf(gus).upload(keyOf(gus.id, 'mp4'), small))
    expect((await bucketOf(gus).upload(keyOf(gus.id, 'mp4'), small)).error).toMatchObject({ status: 429 })

    // An operator lowers the quota: the upload waits for room, and its last byte completes it.
    const video = videoOf(2_000_000)
    await exec("update private.quotas set per_day = 1000000 where kind = 'upload_bytes'")
    expect((await client.append(path, 0, video)).status).toBe(429)
    expect(await client.offset(path)).toBe(1_999_999)
    await exec("update private.quotas set per_day = 3000000 where kind = 'upload_bytes'")
    expect((await client.append(path, 1_999_999, video.slice(1_999_999))).status).toBe(204)
  })

  test('requests at the same time do not count the same room', async () => {
    const ivy = await store.join('ivy')
    const client = tusClient(store.backend, ivy)
    const { exec } = store.backend.maintenance
    await exec("update private.quotas set per_day = 200000000 where kind = 'upload_bytes'")
    onTestFinished(async () => {
      await exec("update private.quotas set per_day = null where kind = 'upload_bytes'")
    })
    const created = await Promise.all(
      Array.from({ length: 10 }, () => client.create(keyOf(ivy.id, 'mp4'), STORED_VIDEO_BYTES)),
    )
    // Four of 45 MB in 200 MB.
    expect(created.filter(({ status }) => status === 201)).toHaveLength(4)
    for (const { headers, status } of created)
      if (status === 201) await client.terminate(headers.get('location') ?? '')
  })

  test('a member has at most twenty unfinished uploads', async () => {
    const hal = await store.join('hal')
    const client = tusClient(store.backend, hal)
    const created = await Promise.all(
      Array.from({ length: 25 }, () => client.create(keyOf(hal.id, 'mp4'), 1_000)),
    )
    expect(created.map(({ status }) => status).toSorted()).toEqual([
      ...Array.from({ length: 20 }, () => 201),
      ...Array.from({ length: 5 }, () => 429),
    ])
    for (const { headers, status } of created)
      if (status === 201) await client.terminate(headers.get('location') ?? '')
  })
})

describe('MEDIA-05 unfinished uploads on the disk', () => {
  const key = () => {
    const parsed = parseObjectKey(keyOf(randomUUID(), 'mp4'))
    if (parsed === null) throw new Error('not a key')
    return parsed
  }
  const HOUR = 3_600_000
  async function* bytes(size: number) {
    yield videoOf(size)
  }

  test('expire after a day, also over a restart, and no file is left', async () => {
    const folder = await scratchFolder()
    let now = Date.now()
    const first = await openUploads(folder, () => now)
    const old = await first.create({ key: key(), length: 10, metadata: '' })
    now += HOUR
    const recent = await first.create({ key: key(), length: 10, metadata: '' })
    now += 23 * HOUR
    const second = await openUploads(folder, () => now)
    expect(second.find(old.key.owner, old.id)).toBeNull()
    expect(second.find(recent.key.owner, recent.id)).toEqual(recent)
    await second.removeExpired(() => false)
    expect((await readdir(folder)).sort()).toEqual([recent.id, `${recent.id}.json`])
    await second.removeExpired((member) => member === recent.key.owner)
    expect(await readdir(folder)).toEqual([])
  })

  test('continue after a power failure at an offset whose bytes are on the disk', async () => {
    const folder = await scratchFolder()
    const uploads = await openUploads(folder)
    const upload = await uploads.create({ key: key(), length: 1_000, metadata: 'a' })
    expect(await uploads.append(upload, bytes(400))).toBe(400)
    const read = (await openUploads(folder)).find(upload.key.owner, upload.id)
    expect(read).toEqual({ ...upload, offset: 400 })
    // Bytes after the offset may be wrong: they are written again.
    await uploads.append({ ...upload, offset: 400 }, bytes(300))
    const again = await openUploads(folder)
    expect(await again.append({ ...upload, offset: 400 }, bytes(600))).toBe(1_000)
    // The last byte counts once the upload is closed.
    expect(again.find(upload.key.owner, upload.id)?.offset).toBe(999)
    await expect(again.append({ ...upload, offset: 999 }, bytes(100))).rejects.toMatchObject({
      statusCode: '413',
    })
  })

  test('that are damaged are removed', async () => {
    const folder = await scratchFolder()
    const uploads = await openUploads(folder)
    const upload = await uploads.create({ key: key(), length: 1_000, metadata: '' })
    await uploads.append(upload, bytes(400))
    await truncate(uploads.pathOf(upload), 399)
    await writeFile(join(folder, `${randomUUID()}.json`), '{"name":"../../x"}')
    await writeFile(join(folder, 'note.txt'), '')
    const read = await openUploads(folder)
    expect(read.members()).toEqual([])
    expect(await readdir(folder)).toEqual([])
  })
})
