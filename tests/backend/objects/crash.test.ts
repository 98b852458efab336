import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { RESUMABLE_BYTES, STORED_VIDEO_BYTES } from '#/shared/limits'
import { clientOf, PASSWORD, startedFolder } from '#tests/backend/support/backend'
import { buildBackend, runBackend } from '#tests/backend/support/processes'
import { residentMegabytes } from '#tests/backend/support/resident-memory'
import {
  bucketOf,
  joinStore,
  keyOf,
  PICTURE,
  type StoreMember,
  storedFiles,
  unwrap,
  upload,
  uploadVideo,
  videoOf,
} from './support'
import { TUS, tusClient } from './tus'

beforeAll(buildBackend)

test('after a crash during an upload, neither its object nor its file exists', async () => {
  const folder = await startedFolder()
  const first = await runBackend(folder)
  const ada = await joinStore(first, 'ada')
  const [kept, lost] = [await upload(ada), keyOf(ada.id, 'mp4')]
  const socket = connect(Number(new URL(first.url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const headers = Object.entries({
    host: new URL(first.url).host,
    ...(await ada.headers()),
    'content-type': 'video/mp4',
    'content-length': '500000',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST /storage/v1/object/media/${lost} HTTP/1.1\r\n${headers.join('')}\r\n`)
  socket.write(videoOf(400_000))
  await vi.waitFor(async () => expect(await storedFiles(folder)).toHaveLength(2))
  first.process.child.kill('SIGKILL')
  await first.process.ended

  const second = await runBackend(folder)
  expect(await storedFiles(folder)).toHaveLength(1)
  const client = clientOf(second)
  await client.auth.signInWithPassword({ email: 'ada@example.com', password: PASSWORD })
  const listed = await unwrap(bucketOf({ client }).list(ada.id))
  expect(listed.map(({ name }) => `${ada.id}/${name}`)).toEqual([kept])
  expect((await unwrap(bucketOf({ client }).download(kept))).size).toBe(PICTURE.length)
  await unwrap(bucketOf({ client }).upload(lost, new Blob([videoOf(1_000)], { type: 'video/mp4' })))
})

test('MEDIA-05 after a crash during a resumable upload, it continues with what was written', async () => {
  const folder = await startedFolder()
  const first = await runBackend(folder)
  const ada = await joinStore(first, 'ada')
  const [video, key] = [videoOf(900_000), keyOf(ada.id, 'mp4')]
  const client = tusClient(first, ada)
  const path = await client.open(key, video.length)
  await client.append(path, 0, video.slice(0, 300_000))
  const socket = connect(Number(new URL(first.url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const headers = Object.entries({
    host: new URL(first.url).host,
    ...(await ada.headers()),
    ...TUS,
    'upload-offset': '300000',
    'content-type': 'application/offset+octet-stream',
    'content-length': '600000',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`PATCH ${path} HTTP/1.1\r\n${headers.join('')}\r\n`)
  socket.write(video.subarray(300_000, 800_000))
  const file = join(folder, 'objects/unfinished', path.split('/').at(-1) ?? '')
  await vi.waitFor(async () => expect((await stat(file)).size).toBe(800_000))
  first.process.child.kill('SIGKILL')
  await first.process.ended

  const second = await runBackend(folder)
  const again = tusClient(second, ada)
  // Each piece counts once all of it is on the disk.
  expect(await again.offset(path)).toBe(300_000)
  expect((await again.append(path, 300_000, video.slice(300_000))).status).toBe(204)
  const read = await fetch(`${second.url}/storage/v1/object/media/${key}`, { headers: await ada.headers() })
  expect(Buffer.compare(new Uint8Array(await read.arrayBuffer()), video)).toBe(0)
  expect(await storedFiles(folder)).toHaveLength(1)
})

/** Largest growth of memory; the videos have 20 or 45 MB each. */
const GROWTH_MAX_MB = 60

/** Starts a backend, and returns a function that tells how much its memory grows while work runs. */
async function measuredBackend() {
  const backend = await runBackend(await startedFolder())
  const ada = await joinStore(backend, 'ada')
  await backend.process.waitForOutput(/ready/)
  const memory = async () => (await residentMegabytes(backend.process.child.pid ?? 0)) ?? 0
  const growthDuring = async (work: () => Promise<void>) => {
    await uploadVideo(ada, 1_000_000)
    const idle = await memory()
    let peak = idle
    let isRunning = true
    const sampling = (async () => {
      while (isRunning) peak = Math.max(peak, await memory())
    })()
    await work()
    isRunning = false
    await sampling
    return peak - idle
  }
  return { backend, ada, growthDuring }
}

test('ten uploads and thirty downloads of 20 MB at the same time take little memory', {
  tags: 'long',
}, async () => {
  const { ada, growthDuring } = await measuredBackend()
  const growth = await growthDuring(async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => uploadVideo(ada, 20_000_000)))
    const reads = [...keys, ...keys, ...keys].map((key) => unwrap(bucketOf(ada).download(key)))
    for (const { size } of await Promise.all(reads)) expect(size).toBe(20_000_000)
  })
  expect(growth).toBeLessThan(GROWTH_MAX_MB)
})

test('MEDIA-05 eight resumable uploads of 45 MB at the same time take little memory', {
  tags: 'long',
}, async () => {
  const { backend, growthDuring } = await measuredBackend()
  const members = [await joinStore(backend, 'ben'), await joinStore(backend, 'cyd')]
  const video = videoOf(STORED_VIDEO_BYTES)
  const uploadInPieces = async (member: StoreMember) => {
    const client = tusClient(backend, member)
    const path = await client.open(keyOf(member.id, 'mp4'), video.length)
    for (let at = 0; at < video.length; at += RESUMABLE_BYTES) {
      const { status } = await client.append(path, at, video.slice(at, at + RESUMABLE_BYTES))
      expect([at, status]).toEqual([at, 204])
    }
  }
  const growth = await growthDuring(async () => {
    await Promise.all([...members, ...members, ...members, ...members].map(uploadInPieces))
  })
  expect(growth).toBeLessThan(GROWTH_MAX_MB)
})
