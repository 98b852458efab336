import { expect, test } from 'vitest'
import { openCommunity } from './support/community'

const PNG = 'data:image/png;base64,AAAA'

const { community, ada, ben } = await openCommunity('ada', 'ben')

/** Rows by table that the cleanup has left. */
async function rowsLeft(): Promise<Record<string, unknown>> {
  const [rows = {}] = await community.sql(`
    select (select count(*)::integer from stories) as stories,
      (select count(*)::integer from message_photos) as photos,
      (select count(*)::integer from private.withdrawn_notifications) as withdrawn,
      (select count(*)::integer from private.quota_usage) as counters,
      (select count(*)::integer from private.deleted_usernames) as usernames`)
  return rows
}

/** The number of rows that one batch deleted. */
async function cleanup(maxRows: number): Promise<unknown> {
  const [row] = await community.sql('select private.cleanup($1) as removed', [maxRows])
  return row?.removed
}

test('STORY-02 the cleanup deletes expired rows of every kind in batches, and keeps the others', async () => {
  const [conversation] = await community.sql(
    'insert into conversations (participant_1, participant_2) values ($1, $2) returning id',
    [ada, ben],
  )
  // Without triggers, which would delete some of these rows at once.
  await community.sql('set session_replication_role = replica')
  await community.sql(
    `insert into stories (user_id, media_url, media_type, expires_at)
     select $1, '${PNG}', 'image', now() - n * interval '1 day' from generate_series(6, 10) as n`,
    [ada],
  )
  await community.sql(
    `insert into message_photos (sender_id, conversation_id, image_url, created_at, sent)
     select $1, $2, '${PNG}', now() - n * interval '1 hour', n = 30 from generate_series(22, 30) as n`,
    [ada, conversation?.id],
  )
  await community.sql(
    `insert into private.withdrawn_notifications (actor_id, recipient_id, kind, subject_id, read, notified_at)
     select $1, $2, 'like', gen_random_uuid(), true, now() - n * interval '1 hour' from generate_series(11, 48) as n`,
    [ada, ben],
  )
  await community.sql(
    `insert into private.quota_usage (member_id, kind, day_since)
     select gen_random_uuid(), 'posts', now() - n * interval '1 hour' from generate_series(22, 26) as n`,
  )
  await community.sql(
    `insert into private.deleted_usernames (username, since)
     select 'gone.' || n, now() - n * interval '1 day' from generate_series(28, 32) as n`,
  )
  await community.sql('reset session_replication_role')
  expect(await rowsLeft()).toEqual({ stories: 5, photos: 9, withdrawn: 38, counters: 5, usernames: 5 })

  expect(await cleanup(2)).toBe(2 + 2 + 20 + 3 + 3)
  expect(await rowsLeft()).toEqual({ stories: 3, photos: 7, withdrawn: 18, counters: 2, usernames: 2 })
  expect(await cleanup(2)).toBe(2 + 2 + 5 + 0)
  expect(await cleanup(2)).toBe(0 + 2 + 0 + 0)
  expect(await cleanup(2)).toBe(0)
  expect(await rowsLeft()).toEqual({ stories: 1, photos: 3, withdrawn: 13, counters: 2, usernames: 2 })
})
