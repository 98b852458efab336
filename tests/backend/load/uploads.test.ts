import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import type { SupabaseClient } from '@supabase/supabase-js'
import { beforeAll, expect, test } from 'vitest'
import { FEED_PAGE, STORED_VIDEO_BYTES } from '#/shared/limits'
import { sendRaw } from '#tests/backend/objects/hostile-requests'
import { signUpMember, startedFolder } from '#tests/backend/support/backend'
import { median, percentile } from '#tests/backend/support/median'
import { buildBackend, runBackend } from '#tests/backend/support/processes'
import { h264Mp4 } from '#tests/mp4-files'
import { feedRequest } from './feed-request'

beforeAll(buildBackend)

const ROUNDS = 5
/** Videos of a round, and readers beside them. */
const [UPLOADS, READERS] = [2, 4]
/** Pictures of ten minutes, each a slice. */
const PICTURES = 18_000

/** A video of nearly the largest size, with as many pictures as ten minutes have. */
function largeVideo(): Uint8Array<ArrayBuffer> {
  const slice = Buffer.alloc(Math.floor((STORED_VIDEO_BYTES * 0.95) / PICTURES), 0x41)
  return h264Mp4({ samples: Array.from({ length: PICTURES }, () => [slice]) })
}

test('MEDIA-05 the feed requests of others take at most twice as long while a member uploads videos of 190 MB', {
  tags: 'long',
}, async () => {
  const { process: _server, ...backend } = await runBackend(await startedFolder())
  const author = await signUpMember(backend, 'author')
  const readers = await Promise.all(
    Array.from({ length: READERS }, (_, index) => signUpMember(backend, `reader${index}`)),
  )
  const posts = Array.from({ length: 2 * FEED_PAGE }, () => ({
    id: randomUUID(),
    user_id: author.id,
    content: 'Fog',
  }))
  const { error } = await author.client.from('posts').insert(posts)
  expect(error).toBeNull()

  const video = largeVideo()
  const agent = new Agent({ keepAlive: true })
  const { data } = await author.client.auth.getSession()
  const upload = async (): Promise<void> => {
    const name = `${author.id}/${randomUUID()}.mp4`
    const { status, body } = await sendRaw({ port: Number(new URL(backend.url).port) }, agent, {
      method: 'POST',
      path: `/storage/v1/object/media/${name}`,
      headers: {
        apikey: backend.publishableKey,
        authorization: `Bearer ${data.session?.access_token}`,
        'content-type': 'video/mp4',
      },
      body: video,
    })
    expect([status, body.toString()]).toEqual([200, expect.any(String)])
    const removed = await author.client.storage.from('media').remove([name])
    expect(removed.error).toBeNull()
  }
  /** The times of the readers' requests until `work` ends, in ms. */
  const timesDuring = async (work: () => Promise<unknown>): Promise<number[]> => {
    const times: number[] = []
    let isOver = false
    const read = async ({ client, id }: { client: SupabaseClient; id: string }) => {
      while (!isOver) {
        const start = performance.now()
        const { data: page } = await feedRequest(client, id)
        times.push(performance.now() - start)
        expect(page).toHaveLength(FEED_PAGE)
      }
    }
    const reading = Promise.all(readers.map(read))
    await work()
    isOver = true
    await reading
    return times
  }
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now()
    const busy = await timesDuring(async () => {
      for (let count = 0; count < UPLOADS; count += 1) await upload()
    })
    const lasted = performance.now() - start
    const quiet = await timesDuring(() => new Promise((resolve) => setTimeout(resolve, lasted)))
    ratios.push(percentile(busy, 0.95) / percentile(quiet, 0.95))
  }
  agent.destroy()
  expect(median(ratios), JSON.stringify(ratios)).toBeLessThanOrEqual(2)
})
