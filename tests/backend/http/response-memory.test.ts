import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Backend } from '#/backend/start/start-backend'
import { MEDIA_LIMITS } from '#/shared/limits'
import { discard, signUpMember, startedFolder, startUnmanagedBackend } from '#tests/backend/support/backend'
import { copyPreparedDatabase } from '#tests/backend/support/prepared'
import { buildBackend, runBackend } from '#tests/backend/support/processes'
import { residentMegabytes } from '#tests/backend/support/resident-memory'

/** The server of the tests that do not measure its memory. */
let shared: Backend
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vignette-responses-'))
  await copyPreparedDatabase(folder)
  shared = await startUnmanagedBackend(folder)
  return async () => {
    await discard(shared)
    await rm(folder, { recursive: true, force: true })
  }
})

const GROWTH_MAX_MB = 100
const PICTURE = `data:image/png;base64,${'A'.repeat(2_000_000)}`

/** Signs up a member with `count` posts with a picture of 2 MB. */
async function joinWithPictures(
  backend: Pick<Backend, 'url' | 'publishableKey'>,
  username: string,
  count: number,
) {
  const member = await signUpMember(backend, username)
  for (let post = 0; post < count; post += 1) {
    const row = { user_id: member.id, image_url: PICTURE, image_width: 4, image_height: 3 }
    await member.client.from('posts').insert(row).throwOnError()
  }
  return member
}

/** Starts a server on which a member has such posts. */
async function startWithPictures(count: number) {
  await buildBackend()
  const backend = await runBackend(await startedFolder())
  const { client } = await joinWithPictures(backend, 'ada', count)
  const { data } = await client.auth.getSession()
  const token = data.session?.access_token ?? ''
  const pid = backend.process.child.pid ?? 0
  const memory = async () => (await residentMegabytes(pid)) ?? 0
  return {
    backend,
    client,
    headers: { apikey: backend.publishableKey, authorization: `Bearer ${token}` },
    /** The maximum growth of memory during `work`, in MB. */
    growthDuring: async (work: () => Promise<void>) => {
      // The database is reopened once it has been idle for ten seconds.
      await pause(15_000)
      const idle = await memory()
      let peak = idle
      let isRunning = true
      const sample = (async () => {
        while (isRunning) {
          peak = Math.max(peak, await memory())
          await pause(20)
        }
      })()
      await work().finally(() => {
        isRunning = false
      })
      await sample
      return peak - idle
    },
  }
}

test('rejects a response with a 2 MB picture two hundred times within 100 MB of memory', {
  tags: 'long',
}, async () => {
  const { backend, client, headers, growthDuring } = await startWithPictures(1)
  const select = Array.from({ length: 200 }, (_, index) => `a${index}:image_url`).join()
  const growth = await growthDuring(async () => {
    const response = await fetch(`${backend.url}/rest/v1/posts?select=${select}`, { headers })
    expect(response.status).toBeGreaterThanOrEqual(400)
  })
  expect(growth).toBeLessThan(GROWTH_MAX_MB)
  expect((await client.from('posts').select('id')).data).toHaveLength(1)
})

test('refusing a response that is too large takes less than 100 MB', {
  tags: 'long',
}, async () => {
  const { backend, client, headers, growthDuring } = await startWithPictures(20)
  const growth = await growthDuring(async () => {
    const response = await fetch(`${backend.url}/rest/v1/posts?select=id,image_url`, { headers })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ code: 'PT413', message: 'The response is too large' })
  })
  expect(growth).toBeLessThan(GROWTH_MAX_MB)
  expect((await client.from('posts').select('id,image_url').limit(4)).data).toHaveLength(4)
})

test('forty clients that do not read take less than 200 MB, and other reads are served', {
  tags: 'long',
}, async () => {
  const { backend, client, headers, growthDuring } = await startWithPictures(4)
  const { hostname, port } = new URL(backend.url)
  const ben = await signUpMember(backend, 'ben')
  const statuses: string[] = []
  const open = () => {
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    const lines = Object.entries({ host: `${hostname}:${port}`, ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    socket.write(`GET /rest/v1/posts?select=id,image_url HTTP/1.1\r\n${lines.join('')}\r\n`)
    // Reads only the status.
    socket.once('readable', () => statuses.push(String(socket.read(12)).slice(9)))
  }
  const growth = await growthDuring(async () => {
    for (let reader = 0; reader < 40; reader += 1) open()
    await vi.waitFor(() => expect(statuses).toEqual(Array(40).fill('200')), { timeout: 120_000 })
    const [large] = await Promise.all([
      ben.client.from('posts').select('id,image_url'),
      expect.poll(async () => (await client.from('posts').select('id')).data?.length).toBe(4),
    ])
    expect(large.error).toBeNull()
    expect(large.data).toHaveLength(4)
  })
  expect(growth).toBeLessThan(200)
})

test('rows of more than four of the largest pictures get 413, and are served in smaller requests', async () => {
  const { client, id } = await joinWithPictures(shared, 'ada', 5)
  const refused = await client.from('posts').select('id,image_url').eq('user_id', id)
  expect(refused.status).toBe(413)
  expect(refused.error).toMatchObject({ code: 'PT413', hint: 'Request fewer rows or columns.' })
  const { data } = await client.from('posts').select('image_url').eq('user_id', id).limit(4)
  expect(data).toEqual(Array(4).fill({ image_url: PICTURE }))
  const edited = await client
    .from('posts')
    .update({ location: 'Lisbon' })
    .eq('user_id', id)
    .select('image_url')
  expect(edited.status).toBe(413)
  // The write is rolled back.
  expect((await client.from('posts').select('id').eq('location', 'Lisbon')).data).toEqual([])
})

test('serves four posts with pictures of the largest size and their author', async () => {
  const { client, id } = await signUpMember(shared, 'ben')
  const image_url = 'data:image/png;base64,'.padEnd(MEDIA_LIMITS.image.characters, 'A')
  for (let post = 0; post < 4; post += 1) {
    const row = { user_id: id, content: `post ${post}`, image_url, image_width: 4, image_height: 3 }
    await client.from('posts').insert(row).throwOnError()
  }
  const all = await client
    .from('posts')
    .select('*, profiles!posts_user_id_fkey(username)', { count: 'exact' })
    .eq('user_id', id)
    .order('created_at', { ascending: false })
    .throwOnError()
  expect(all.count).toBe(4)
  expect(all.data.map(({ content }) => content)).toEqual(
    Array.from({ length: 4 }, (_, index) => `post ${3 - index}`),
  )
  expect(all.data[3]).toMatchObject({ image_url, profiles: { username: 'ben' } })
})

/** The columns of a story with an inline video of this many characters. */
const storyOf = (user_id: string, characters: number) => ({
  id: randomUUID(),
  user_id,
  media_url: 'data:video/webm;base64,'.padEnd(characters, 'A'),
  media_type: 'video',
})

test('MEDIA-01 reads the largest video that an earlier build stored in its row', {
  tags: 'long',
}, async () => {
  const { client, id } = await signUpMember(shared, 'cleo')
  const story = storyOf(id, MEDIA_LIMITS.video.characters)
  await shared.exclusive(() =>
    shared.maintenance.query(
      `insert into public.stories (id, user_id, media_url, media_type) values ($1, $2, $3, 'video')`,
      [story.id, id, story.media_url],
    ),
  )
  for (let read = 0; read < 3; read += 1) {
    const { data } = await client.from('stories').select('media_url').eq('id', story.id).throwOnError()
    expect(data?.[0]?.media_url?.length).toBe(story.media_url.length)
  }
})

test('MEDIA-01 a request with an inline picture or video may have 3 MB, and says so beyond', async () => {
  const { client, id } = await signUpMember(shared, 'dora')
  const insert = (characters: number) => client.from('stories').insert(storyOf(id, characters))
  const rest = JSON.stringify(storyOf(id, 0)).length - 'data:video/webm;base64,'.length
  expect((await insert(3_000_000 - rest)).error).toBeNull()
  const refused = await insert(3_000_001 - rest)
  expect(refused.status).toBe(413)
  expect(refused.error).toMatchObject({
    code: 'PT413',
    message: 'The request is too large: it may have 3 MB',
  })
  const text = await client
    .from('comments')
    .insert({ post_id: id, user_id: id, content: 'x'.repeat(300_000) })
  expect(text.error?.message).toBe('The request is too large: it may have 250 KB')
})
