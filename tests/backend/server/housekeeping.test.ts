import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { keepHouse } from '#/backend/housekeeping'
import { createMutex } from '#/backend/mutex'
import { type Community, openCommunity } from '#tests/backend/schema/support/community'

const HOUR = 3_600_000
const PNG = 'data:image/png;base64,AAAA'

let community: Community
let ada: string

beforeAll(async () => {
  community = await openCommunity()
  ada = await community.join('ada')
})
afterAll(() => community.close())
afterEach(() => {
  vi.useRealTimers()
})

/** A story of Ada's that expired this long ago; aged afterwards, since a new one takes old ones with it. */
async function expired(ago: string): Promise<string> {
  const id = randomUUID()
  await community.sql(
    `insert into stories (id, user_id, media_url, media_type) values ($1, $2, '${PNG}', 'image')`,
    [id, ada],
  )
  await community.sql('update stories set expires_at = now() - $2::interval where id = $1', [id, ago])
  return id
}

const left = async () => (await community.sql('select id from stories')).map(({ id }) => id)

describe('STORY-02 old stories', () => {
  test('are removed at the start and every hour, until it is stopped', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const exclusive = createMutex()
    const lines: string[] = []
    const recent = await expired('6 days 23 hours')
    await expired('7 days')
    const stop = await keepHouse({ pg: community.pg, exclusive, log: (_, text) => lines.push(text) })
    expect(await left()).toEqual([recent])
    expect(lines).toEqual(['Removed 1 old stories and unsent photos.'])

    const later = async () => {
      await vi.advanceTimersByTimeAsync(HOUR)
      await exclusive(async () => undefined)
    }
    await expired('8 days')
    await later()
    expect(await left()).toEqual([recent])
    stop()
    const kept = await expired('8 days')
    await later()
    expect(await left()).toContain(kept)
  })

  test('that cannot be removed are logged, and tried again', async () => {
    const lines: string[] = []
    const pg = {
      query: async () => Promise.reject(new Error('disk full')),
      exec: async () => [],
    }
    const stop = await keepHouse({
      pg,
      exclusive: createMutex(),
      log: (level, text) => lines.push(`${level} ${text}`),
    })
    stop()
    expect(lines).toEqual(['warn Old stories could not be removed: disk full'])
  })
})
