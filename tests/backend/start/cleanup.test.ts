import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createQueue } from '#/backend/base/queue'
import { scheduleCleanup } from '#/backend/start/cleanup'
import { openCommunity, withoutTriggers } from '#tests/supabase/schema/support/community'

const HOUR = 3_600_000
const PNG = 'data:image/png;base64,AAAA'

const { community, ada } = await openCommunity('ada')
afterEach(() => {
  vi.useRealTimers()
})

/** Adds an expired story of Ada. It is aged after the insert, because an insert deletes old stories. */
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
  test('are removed at the start and every hour, until the job is stopped', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const exclusive = createQueue()
    const lines: string[] = []
    const recent = await expired('6 days 23 hours')
    await expired('7 days')
    const stop = scheduleCleanup({ pg: community.pg, exclusive, log: (_, text) => lines.push(text) })
    await vi.waitFor(() =>
      expect(lines).toEqual(['Removed 1 old stories, unsent photos, read notifications and counters.']),
    )
    expect(await left()).toEqual([recent])

    await exclusive(() => expired('8 days'))
    await vi.advanceTimersByTimeAsync(HOUR)
    await vi.waitFor(() => expect(lines).toHaveLength(2))
    expect(await left()).toEqual([recent])
    stop()
    const kept = await expired('8 days')
    await vi.advanceTimersByTimeAsync(HOUR)
    await exclusive(async () => undefined)
    expect(await left()).toContain(kept)
  })

  test('SAFE-06 the space of deleted and rejected media is reused', async () => {
    const size = async () => {
      const [row] = await community.sql(`select pg_total_relation_size('posts')::integer as bytes`)
      return Number(row?.bytes)
    }
    const write = (count: number) =>
      community.sql(
        `insert into posts (user_id, image_url, image_width, image_height)
          select $1, rpad('${PNG}', 400000, 'A'), 4, 3 from generate_series(1, $2::int)`,
        [ada, count],
      )
    await write(5)
    const full = await size()
    await community.as(ada, 'select delete_posts(array(select id from posts where user_id = $1))', [ada])
    const refused = community.pg.transaction(async (tx) => {
      await tx.query(
        `insert into posts (user_id, image_url, image_width, image_height)
          select $1, rpad('${PNG}', 400000, 'A'), 4, 3 from generate_series(1, 5)`,
        [ada],
      )
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    expect(await size()).toBeGreaterThan(1.8 * full)
    const exclusive = createQueue()
    const stop = scheduleCleanup({ pg: community.pg, exclusive, log: () => undefined })
    await vi.waitFor(async () => expect(await exclusive(size)).toBeLessThan(0.2 * full))
    stop()
  })

  test('a plan that was made for a few rows is replaced once the table has grown', async () => {
    await community.sql('create table notes (id int primary key, text text)')
    await community.sql(`insert into notes select n, 'short' from generate_series(1, 3) as n`)
    await community.pg.exec('analyze notes')
    const exclusive = createQueue()
    const nodes = () =>
      exclusive(async () => {
        const plan = JSON.stringify(await community.sql('explain (format json) execute by_id(1)'))
        return [...plan.matchAll(/"Node Type":\s*"([^"]+)"/g)].map(([, node]) => node)
      })
    await community.sql(`set plan_cache_mode = force_generic_plan`)
    await community.sql('prepare by_id (int) as select text from notes where id = $1')
    expect(await nodes()).toEqual(['Seq Scan'])
    await community.sql(`insert into notes select n, 'short' from generate_series(4, 5000) as n`)
    expect(await nodes()).toEqual(['Seq Scan'])
    const stop = scheduleCleanup({ pg: community.pg, exclusive, log: () => undefined })
    await vi.waitFor(async () => expect(await nodes()).not.toContain('Seq Scan'))
    stop()
    await community.pg.exec('reset plan_cache_mode; deallocate by_id; drop table notes')
  })

  test('SEARCH-01 new members are merged into the index of names, and read without their rows', async () => {
    await withoutTriggers(community, () =>
      community.sql(`insert into profiles (id, username, full_name)
        select gen_random_uuid(), 'new.' || n, 'New member ' || n from generate_series(1, 500) as n`),
    )
    const exclusive = createQueue()
    const unmerged = () =>
      exclusive(async () => {
        const [row] = await community.sql(
          `select (pg_relation_size(oid) / 8192 - relallvisible)::integer as pages from pg_class where oid = 'profiles'::regclass`,
        )
        return row?.pages
      })
    const stop = scheduleCleanup({ pg: community.pg, exclusive, log: () => undefined })
    await vi.waitFor(async () => expect(await unmerged()).toBe(0))
    stop()
    // How many pages of it were still to be merged.
    const pending = await exclusive(() =>
      community.sql(`select gin_clean_pending_list('profiles_username_trgm_idx')::integer as pages`),
    )
    expect(pending).toEqual([{ pages: 0 }])
  })

  test('are removed in batches, between which other statements run and the job can stop', async () => {
    await community.sql(
      `insert into stories (user_id, media_url, media_type) select $1, '${PNG}', 'image' from generate_series(1, 50)`,
      [ada],
    )
    await community.sql(`update stories set expires_at = now() - interval '8 days'`)
    const before = (await left()).length
    const exclusive = createQueue()
    const stop = scheduleCleanup({ pg: community.pg, exclusive, log: () => undefined })
    // The first batch started before this statement, and the second one runs after it.
    const meanwhile = await exclusive(left)
    expect(meanwhile).toHaveLength(before - 20)
    stop()
    for (let turn = 0; turn < 5; turn += 1) await exclusive(async () => undefined)
    expect(await left()).toHaveLength(before - 20)
  })

  test('that cannot be removed are logged and retried', async () => {
    const lines: string[] = []
    const pg = {
      query: async () => Promise.reject(new Error('disk full')),
      exec: async () => [],
    }
    const stop = scheduleCleanup({
      pg,
      exclusive: createQueue(),
      log: (level, text) => lines.push(`${level} ${text}`),
    })
    await vi.waitFor(() => expect(lines).toEqual(['warn The cleanup of the database failed: disk full']))
    stop()
  })
})
