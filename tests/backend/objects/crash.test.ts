import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { clientOf, PASSWORD, startedFolder } from '#tests/backend/support/backend'
import { buildBackend, runBackend } from '#tests/backend/support/processes'
import { residentMegabytes } from '#tests/backend/support/resident-memory'
import {
  bucketOf,
  joinStore,
  keyOf,
  PICTURE,
  put,
  storedFiles,
  unwrap,
  upload,
  uploadVideo,
  videoOf,
} from './support'

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
  await unwrap(put({ client }, lost, videoOf(1_000), 'video/mp4'))
})

/** Largest growth of memory; the videos have 20 MB each. */
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
  return { ada, growthDuring }
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
