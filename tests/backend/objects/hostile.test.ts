import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLinkTokens } from '#/backend/objects/link-tokens'
import { deriveKey, loadSecrets } from '#/backend/storage/secrets'
import { STORED_VIDEO_BYTES } from '#/shared/limits'
import { photo } from '#tests/renderer/lib/media/files'
import { hostileRequests, type Knowledge, sendRaw } from './hostile-requests'
import {
  bucketOf,
  keyOf,
  PICTURE,
  put,
  type StoreMember,
  signedUrl,
  startStore,
  storedFiles,
  unwrap,
  upload,
  uploadVideo,
  videoOf,
} from './support'

/** In every hidden object. */
const SECRET = 'nobody else may see this'
const SECRET_PICTURE = new Uint8Array(Buffer.concat([PICTURE, Buffer.from(SECRET)]))

let store: Awaited<ReturnType<typeof startStore>>
let ada: StoreMember
let eve: StoreMember
let knowledge: Knowledge
const agent = new Agent({ keepAlive: true, maxSockets: 4 })

beforeAll(async () => {
  store = await startStore()
  ada = await store.join('ada')
  eve = await store.join('eve')
  const hidden = [await upload(ada, SECRET_PICTURE), await upload(ada, SECRET_PICTURE)]
  const [own, shown = ''] = [await upload(eve), await upload(ada)]
  const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? ''
  const eves = tokenOf(await signedUrl(eve, own))
  const adas = tokenOf(await signedUrl(ada, shown))
  const secrets = await loadSecrets(join(store.folder, 'secrets.json'))
  const key = deriveKey(secrets, 'signed links of objects')
  const { session_id: session } = JSON.parse(
    Buffer.from((await eve.headers()).authorization?.split('.')[1] ?? '', 'base64url').toString(),
  )
  const reader = { member: ada.id, session }
  const name = `media/${hidden[0]}`
  const { authorization = '' } = await eve.headers()
  knowledge = {
    hidden,
    members: [ada.id],
    linkTokens: [
      eves,
      adas,
      // Signed with other keys, expired, of another member's session, and not a link's at all.
      createLinkTokens(randomBytes(32)).sign(reader, name, 3_600),
      createLinkTokens(new TextEncoder().encode(secrets.jwtSecret)).sign(reader, name, 3_600),
      createLinkTokens(deriveKey(secrets, 'chosen server cookie')).sign(reader, name, 3_600),
      createLinkTokens(key, () => Date.now() - 7_200_000).sign(reader, name, 3_600),
      createLinkTokens(key).sign({ member: ada.id, session }, name, 3_600),
      createLinkTokens(key).sign({ member: eve.id, session }, name, 3_600),
      createLinkTokens(key).sign({ member: "' or true--", session: '\0' }, name, 3_600),
      authorization.replace('Bearer ', ''),
      '',
      'x'.repeat(5_000),
      `${adas}%00`,
    ],
    authorizations: [
      authorization,
      authorization,
      `Bearer ${adas}`,
      `Bearer ${store.backend.publishableKey}`,
      `Bearer ${authorization.slice(7, -3)}abc`,
      'Bearer null',
      'Basic YTpi',
    ],
  }
})
afterAll(() => {
  agent.destroy()
  return store.dispose()
})

for (const { numRuns, tags } of [
  { numRuns: 200, tags: [] },
  { numRuns: 2_000, tags: ['long'] },
]) {
  test(`${numRuns} hostile requests get nothing of a hidden object and change nothing`, {
    tags,
  }, async () => {
    const files = (await storedFiles(store.folder)).sort()
    const rows = async () => {
      const { rows: all } = await store.backend.maintenance.query(
        'select id, name from storage.objects order by id',
      )
      return all
    }
    const before = await rows()
    const statuses = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(hostileRequests(knowledge), async (request) => {
        const { status, headers, body } = await sendRaw(store.backend, agent, request)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        const about = `${request.method} ${request.path}: ${status} ${body.toString('latin1')}`
        expect(status, about).toBeLessThan(500)
        expect(body.includes(SECRET), about).toBe(false)
        expect(String(headers['content-type'] ?? ''), about).not.toMatch(/^(image|video)/)
        // Not even that it exists.
        expect(headers.etag, about).toBeUndefined()
        for (const key of knowledge.hidden) {
          expect(body.toString('latin1').includes(`"signedURL":"/object/sign/media/${key}`), about).toBe(
            false,
          )
        }
      }),
      { numRuns, seed: 20_261_122 },
    )
    expect(await rows()).toEqual(before)
    expect((await storedFiles(store.folder)).sort()).toEqual(files)
    for (const key of knowledge.hidden) {
      expect((await unwrap(bucketOf(ada).download(key))).size).toBe(SECRET_PICTURE.length)
    }
    // Some must get past the routes and the tokens.
    expect(statuses.get(400)).toBeGreaterThan(numRuns / 10)
    expect(statuses.get(404)).toBeGreaterThan(numRuns / 10)
  })
}

describe('an upload is refused, and leaves no file,', () => {
  const html = new TextEncoder().encode('<!doctype html><script>alert(1)</script>')
  const png = photo('display-p3.png')
  const huge = new Uint8Array(png)
  // Its width and height, in the first chunk.
  new DataView(huge.buffer).setUint32(16, 60_000)
  new DataView(huge.buffer).setUint32(20, 60_000)
  test.each<[string, string, string, Uint8Array, string]>([
    ['of HTML as a picture', 'webp', 'image/webp', html, '415'],
    ['of HTML by its type', 'webp', 'text/html', PICTURE, '415'],
    ['without a type', 'webp', '', PICTURE, '415'],
    ['of a PNG as a WebP', 'webp', 'image/webp', png, '415'],
    ['of a type that is not the key’s', 'webp', 'image/png', png, '415'],
    ['of an SVG', 'webp', 'image/svg+xml', new TextEncoder().encode('<svg/>'), '415'],
    ['of a video as a picture', 'jpg', 'image/jpeg', videoOf(1_000), '415'],
    ['of a picture as a video', 'mp4', 'video/mp4', PICTURE, '415'],
    ['of HTML before a picture', 'webp', 'image/webp', new Uint8Array([...html, ...PICTURE]), '415'],
    ['of a picture that ends in its header', 'png', 'image/png', png.subarray(0, 20), '415'],
    ['of an empty file', 'webp', 'image/webp', new Uint8Array(), '415'],
    ['of a picture with too many pixels', 'png', 'image/png', huge, '413'],
  ])('%s', async (_, extension, type, content, statusCode) => {
    const files = await storedFiles(store.folder)
    const body = new Uint8Array(content)
    const { error } = await put(eve, keyOf(eve.id, extension), body, type)
    expect(error).toMatchObject({ status: 400, statusCode })
    expect(await storedFiles(store.folder)).toEqual(files)
  })

  test('of more than 200 MB, which are taken', async () => {
    const files = await storedFiles(store.folder)
    const key = await uploadVideo(eve, STORED_VIDEO_BYTES)
    expect(await storedFiles(store.folder)).toHaveLength(files.length + 1)
    await unwrap(bucketOf(eve).remove([key]))
    expect(await storedFiles(store.folder)).toEqual(files)
    const { error } = await put(eve, keyOf(eve.id, 'mp4'), videoOf(STORED_VIDEO_BYTES + 1), 'video/mp4')
    expect(error).toMatchObject({ status: 400, statusCode: '413' })
    expect(await storedFiles(store.folder)).toEqual(files)
  })

  test('of a key that looks like another member’s, a path or a name of the client', async () => {
    const files = await storedFiles(store.folder)
    const { headers } = { headers: { ...(await eve.headers()), 'content-type': 'image/webp' } }
    for (const name of [
      keyOf(ada.id),
      `${ada.id}.webp`,
      `${eve.id}/${ada.id}`,
      `${eve.id}/../${keyOf(ada.id)}`,
      `${eve.id}/%2e%2e/${ada.id}.webp`,
      `${eve.id}/photo.webp`,
      `${eve.id}/${'x'.repeat(4_000)}.webp`,
      keyOf(eve.id, 'html'),
      keyOf(eve.id, 'svg'),
      keyOf(eve.id, 'webp%00'),
      keyOf(eve.id).toUpperCase(),
    ]) {
      const path = `/storage/v1/object/media/${name}`
      const { status } = await sendRaw(store.backend, agent, { method: 'POST', path, headers, body: PICTURE })
      expect([400, 404], name).toContain(status)
    }
    expect(await storedFiles(store.folder)).toEqual(files)
  })
})

test('a polyglot is served as the picture that it is, sandboxed', async () => {
  const html = '<script>alert(1)</script>'
  const key = await upload(eve, new Uint8Array([...PICTURE, ...Buffer.from(html)]))
  const { headers } = await fetch(await signedUrl(eve, key))
  expect(headers.get('content-type')).toBe('image/webp')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
})

/** Opens a connection and sends the head of an upload of `size` bytes, with the first `sent` bytes. */
async function beginUpload(member: StoreMember, size: number, sent: number) {
  const socket = connect(store.backend.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const lines = Object.entries({
    host: `127.0.0.1:${store.backend.port}`,
    ...(await member.headers()),
    'content-type': 'video/mp4',
    'content-length': String(size),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST /storage/v1/object/media/${keyOf(member.id, 'mp4')} HTTP/1.1\r\n${lines.join('')}\r\n`)
  socket.write(videoOf(sent))
  return socket
}

test('an upload that ends early leaves nothing', async () => {
  const files = await storedFiles(store.folder)
  const socket = await beginUpload(eve, 500_000, 100_000)
  await vi.waitFor(async () => expect(await storedFiles(store.folder)).toHaveLength(files.length + 1))
  socket.destroy()
  await vi.waitFor(async () => expect(await storedFiles(store.folder)).toEqual(files))
  expect((await unwrap(bucketOf(eve).list(eve.id))).some(({ name }) => name.endsWith('.mp4'))).toBe(false)
})

test('an upload that ends after its member has deleted the account leaves nothing', async () => {
  const fay = await store.join('fay')
  const files = await storedFiles(store.folder)
  const socket = await beginUpload(fay, 1_000, 500)
  await vi.waitFor(async () => expect(await storedFiles(store.folder)).toHaveLength(files.length + 1))
  expect((await fay.client.rpc('delete_account')).error).toBeNull()
  socket.write(videoOf(1_000).subarray(500))
  const [response] = await once(socket, 'data')
  expect(String(response)).toContain('HTTP/1.1 400')
  await vi.waitFor(async () => expect(await storedFiles(store.folder)).toEqual(files))
})

test('clients that stop reading are served, and so are others', async () => {
  const key = await uploadVideo(eve, 20 * 1024 * 1024)
  const url = new URL(await signedUrl(eve, key))
  const statuses: string[] = []
  const open = async () => {
    const socket = connect(store.backend.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    socket.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`)
    const [data] = await once(socket, 'data')
    socket.pause()
    statuses.push(String(data).slice(9, 12))
  }
  await Promise.all(Array.from({ length: 100 }, open))
  expect(new Set(statuses)).toEqual(new Set(['200']))

  const [length, video] = [300_000, await uploadVideo(ada, 300_000)]
  const read = await fetch(await signedUrl(ada, video))
  expect((await read.arrayBuffer()).byteLength).toBe(length)
})
