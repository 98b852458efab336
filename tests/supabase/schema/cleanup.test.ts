import { beforeEach, describe, expect, test } from 'vitest'
import { openCommunity, withoutTriggers } from './support/community'

const PNG = 'data:image/png;base64,AAAA'

const { community, ada, ben } = await openCommunity('ada', 'ben')

/** Rows by table that the cleanup has left. */
async function rowsLeft(): Promise<Record<string, unknown>> {
  const [rows = {}] = await community.sql(`
    select (select count(*)::integer from stories) as stories,
      (select count(*)::integer from message_media) as photos,
      (select count(*)::integer from private.withdrawn_notifications) as withdrawn,
      (select count(*)::integer from private.quota_usage) as counters,
      (select count(*)::integer from private.deleted_usernames) as usernames`)
  return rows
}

/** The number of rows that one batch deleted. */
async function cleanup(maxRows: number): Promise<unknown> {
  const [row] = await community.sql`select private.cleanup(${maxRows}) as removed`
  return row?.removed
}

test('STORY-02 the cleanup deletes expired rows of every kind in batches, and keeps the others', async () => {
  const [conversation] = await community.sql`insert into conversations (participant_1, participant_2)
    values (${ada}, ${ben}) returning id`
  // Triggers would delete some of these rows at once.
  await withoutTriggers(community, async () => {
    await community.sql(
      `insert into stories (user_id, media_url, media_type, expires_at)
     select $1, '${PNG}', 'image', now() - n * interval '1 day' from generate_series(6, 10) as n`,
      [ada],
    )
    await community.sql(
      `insert into message_media (sender_id, conversation_id, image_url, created_at, sent)
     select $1, $2, '${PNG}', now() - n * interval '1 hour', n = 30 from generate_series(22, 30) as n`,
      [ada, conversation?.id],
    )
    await community.sql`
    insert into private.withdrawn_notifications (actor_id, recipient_id, kind, subject_id, read, notified_at)
     select ${ada}, ${ben}, 'like', gen_random_uuid(), true, now() - n * interval '1 hour' from generate_series(11, 48) as n`
    await community.sql(
      `insert into private.quota_usage (member_id, kind, day_since)
     select gen_random_uuid(), 'posts', now() - n * interval '1 hour' from generate_series(22, 26) as n`,
    )
    await community.sql(
      `insert into private.deleted_usernames (username, since)
     select 'gone.' || n, now() - n * interval '1 day' from generate_series(28, 32) as n`,
    )
  })
  expect(await rowsLeft()).toEqual({ stories: 5, photos: 9, withdrawn: 38, counters: 5, usernames: 5 })

  expect(await cleanup(2)).toBe(2 + 2 + 20 + 3 + 3)
  expect(await rowsLeft()).toEqual({ stories: 3, photos: 7, withdrawn: 18, counters: 2, usernames: 2 })
  expect(await cleanup(2)).toBe(2 + 2 + 5 + 0)
  expect(await cleanup(2)).toBe(0 + 2 + 0 + 0)
  expect(await cleanup(2)).toBe(0)
  expect(await rowsLeft()).toEqual({ stories: 1, photos: 3, withdrawn: 13, counters: 2, usernames: 2 })
})

describe('NOTE-01 read notifications', () => {
  /** Adds notifications for Ben, one a second from this age on. */
  async function notify(count: number, days: number, columns = "'like', true, null, null"): Promise<void> {
    const post = await community.post(ben, 'Fog')
    await withoutTriggers(community, async () => {
      await community.sql(
        `insert into notifications (user_id, actor_id, post_id, created_at, type, read, about, message)
       select $1, gen_random_uuid(), $2, now() - $4 * interval '1 day' + n * interval '1 second', ${columns}
       from generate_series(1, $3::integer) as n`,
        [ben, post, count, days],
      )
    })
  }

  /** By type, whether read and age in days, the notifications that are left. */
  const left = () =>
    community.sql(`
      select type, read, round(extract(epoch from now() - created_at) / 86400)::integer as days, count(*)::integer
      from notifications group by 1, 2, 3 order by 3 desc, 1, 2`)

  const cleanUntilDone = async (maxRows: number) => {
    const removed: unknown[] = []
    do removed.push(await cleanup(maxRows))
    while (removed.at(-1) !== 0)
    return removed
  }

  beforeEach(async () => {
    await community.sql('delete from notifications')
    await community.sql('delete from private.cleanups')
  })

  test('go after 90 days; unread ones, open requests and notices of moderators stay', async () => {
    await notify(15, 91)
    await notify(2, 91, "'like', false, null, null")
    await notify(1, 91, "'other', true, 'follow_request', 'asked to follow you'")
    await notify(3, 91, "'other', true, null, 'Your post was removed.'")
    await notify(4, 91, "'other', true, 'follow_accepted', 'accepted your request'")
    await notify(5, 89)
    expect(await cleanUntilDone(1)).toEqual([10, 9, 0])
    expect(await left()).toEqual([
      { type: 'like', read: false, days: 91, count: 2 },
      { type: 'other', read: true, days: 91, count: 4 },
      { type: 'like', read: true, days: 89, count: 5 },
    ])
  })

  test('go beyond 2,000, the oldest first, however many are unread', async () => {
    await notify(400, 12, "'like', false, null, null")
    await notify(30, 11)
    await notify(1_600, 10)
    await notify(2, 9)
    expect(await cleanUntilDone(1)).toEqual([10, 10, 10, 2, 0])
    expect(await left()).toEqual([
      { type: 'like', read: false, days: 12, count: 400 },
      { type: 'like', read: true, days: 10, count: 1_598 },
      { type: 'like', read: true, days: 9, count: 2 },
    ])
  })

  test('go beyond 5,000 even if they are unread, the oldest first; open requests stay', async () => {
    await notify(25, 12, "'like', false, null, null")
    await notify(1, 12, "'other', false, 'follow_request', 'asked to follow you'")
    await notify(4_999, 10, "'like', false, null, null")
    await cleanUntilDone(1)
    expect(await left()).toEqual([
      { type: 'like', read: false, days: 12, count: 1 },
      { type: 'other', read: false, days: 12, count: 1 },
      { type: 'like', read: false, days: 10, count: 4_999 },
    ])
  })

  test('are looked for once a day and not broadcast; what the member deletes is', async () => {
    await notify(1, 91)
    const told: string[] = []
    const stop = await community.pg.listen('realtime_broadcasts', (text) => told.push(text))
    expect(await cleanup(10)).toBe(1)
    expect(told).toEqual([])
    await notify(2, 91)
    expect(await cleanup(10)).toBe(0)
    await community.as(ben, 'delete from notifications where id in (select id from notifications limit 1)')
    await stop()
    expect(told).toEqual([expect.stringContaining('"DELETE"')])
    await community.sql(`update private.cleanups set walked_at = now() - interval '25 hours'`)
    expect(await cleanup(10)).toBe(1)
  })

  test('of many members are looked at in batches', async () => {
    for (let number = 0; number < 11; number += 1) await community.join(`member.${number}`)
    await withoutTriggers(community, async () => {
      await community.sql(
        `insert into notifications (user_id, actor_id, type, read, created_at)
       select id, gen_random_uuid(), 'follow', true, now() - interval '1 day' * case when id = (
         select max(id::text)::uuid from profiles where username like 'member.%'
       ) then 91 else 1 end
       from profiles where username like 'member.%'`,
      )
    })
    // The first batch looks at ten members, of whom nobody has an old one.
    expect(await cleanUntilDone(1)).toEqual([1, 1, 0])
    expect(await left()).toEqual([{ type: 'follow', read: true, days: 1, count: 10 }])
  })
})
