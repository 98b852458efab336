import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { openCommunity, refusal } from './support/community'
import { openMigratedDatabase } from './support/migrated-database'

const blocks = z.object({ 'Shared Hit Blocks': z.number(), 'Shared Read Blocks': z.number() })
const explained = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: blocks })]) })])

const PNG = 'data:image/png;base64,'

const { community, ada, ben, cleo } = await openCommunity('ada', 'ben', 'cleo')
let post: string
let conversation: string
let message: string

/** Per minute and per day; null for no limit. */
const DEFAULT_QUOTAS = {
  posts: [null, 50],
  stories: [null, 100],
  media_bytes: [null, 500_000_000],
  video_bytes: [null, 2_000_000_000],
  comments: [30, 1_000],
  messages: [60, 5_000],
  likes: [120, null],
  follows: [60, 500],
  reports: [null, 20],
} as const

const tooFast = (kind: string, hint: string) =>
  expect.objectContaining({ code: 'PT429', message: 'You are doing this too fast', detail: kind, hint })
const IN_A_MINUTE = 'Try again in a minute.'
const TOMORROW = 'Try again tomorrow.'

async function allow(kind: string, perMinute: number | null, perDay: number | null): Promise<void> {
  await community.sql`update private.quotas set per_minute = ${perMinute}, per_day = ${perDay}
    where kind = ${kind}`
}

/** Moves the counters back in time. */
async function ageCounters(interval: string): Promise<void> {
  await community.sql`update private.quota_usage
    set minute_since = minute_since - ${interval}::interval, day_since = day_since - ${interval}::interval`
}

beforeAll(async () => {
  post = await community.post(ben, 'The harbour at six')
  conversation = randomUUID()
  await community.sql`insert into conversations (id, participant_1, participant_2)
    values (${conversation}, ${ada}, ${ben})`
  message = randomUUID()
  await community.sql`insert into messages (id, sender_id, conversation_id, content)
    values (${message}, ${ada}, ${conversation}, 'Hello')`
})
beforeEach(async () => {
  await community.sql('delete from private.quota_usage')
  await community.sql('update private.quotas set per_minute = null, per_day = null')
})

const writePost = (member = ada) =>
  community.as(member)`insert into posts (user_id, content) values (${member}, ${'Fog'})`
const writeComment = (member = ada) =>
  community.as(member)`insert into comments (user_id, post_id, content) values (${member}, ${post}, 'Fog')`
/** Adds a story with media of a size in bytes. */
const addStory = (bytes: number) =>
  community.as(ada)`insert into stories (user_id, media_url, media_type)
    values (${ada}, ${PNG.padEnd((bytes * 4) / 3, 'A')}, 'image')`
const addPicture = (bytes: number) =>
  community.as(ada)`insert into posts (user_id, image_url, image_width, image_height)
    values (${ada}, ${PNG.padEnd((bytes * 4) / 3, 'A')}, 4, 3)`
const addPhoto = (bytes: number) =>
  community.as(ada)`insert into message_media (sender_id, conversation_id, image_url)
    values (${ada}, ${conversation}, ${PNG.padEnd((bytes * 4) / 3, 'A')})`

describe('SAFE-06 quotas', () => {
  /** How a member creates or changes a row of each kind; each can be called twice. */
  const CREATE: Record<string, () => Promise<unknown>> = {
    posts: () => writePost(),
    stories: () => addStory(300),
    comments: () => writeComment(),
    messages: () =>
      community.as(ada)`insert into messages (sender_id, conversation_id, content)
        values (${ada}, ${conversation}, 'Hello')`,
    message_photos: () => addPhoto(300),
    likes: () =>
      community.as(ada)`delete from likes where user_id = ${ada}`.then(
        () => community.as(ada)`insert into likes (user_id, post_id) values (${ada}, ${post})`,
      ),
    saved_posts: () =>
      community.as(ada)`delete from saved_posts where user_id = ${ada}`.then(
        () => community.as(ada)`insert into saved_posts (user_id, post_id) values (${ada}, ${post})`,
      ),
    follows: () =>
      community.as(ada)`delete from follows where follower_id = ${ada}`.then(
        () => community.as(ada)`insert into follows (follower_id, following_id) values (${ada}, ${ben})`,
      ),
    conversations: async () => {
      const stranger = await community.join(`stranger.${randomUUID().slice(0, 8)}`)
      return community.as(ada)`insert into conversations (participant_1, participant_2)
        values (${ada}, ${stranger})`
    },
    story_views: async () => {
      const id = randomUUID()
      await community.as(
        ben,
        `insert into stories (id, user_id, media_url, media_type) values ($1, $2, '${PNG}AAAA', 'image')`,
        [id, ben],
      )
      return community.as(ada)`insert into story_views (viewer_id, story_id) values (${ada}, ${id})`
    },
    blocks: () =>
      community.as(ada)`delete from blocks where blocker_id = ${ada}`.then(
        () => community.as(ada)`select block_members(array[${cleo}]::uuid[])`,
      ),
    hashtag_follows: () =>
      community.as(ada)`insert into hashtag_follows (follower_id, tag)
        values (${ada}, ${randomUUID().slice(0, 8)})`,
    mutes: () =>
      community.as(ada)`delete from mutes where muter_id = ${ada}`.then(
        () => community.as(ada)`insert into mutes (muter_id, muted_id) values (${ada}, ${ben})`,
      ),
    reports: () =>
      community.as(ada)`insert into reports (reporter_id, member_id, reason) values (${ada}, ${ben}, 'spam')`,
    usernames: () =>
      community.as(ada, 'update profiles set username = $2 where id = $1', [
        ada,
        `ada.${randomUUID().slice(0, 8)}`,
      ]),
    privacy_changes: () =>
      community.as(ada)`update profiles set is_private = not is_private where id = ${ada}`,
    profile_changes: () => community.as(ada)`update profiles set bio = 'Fog' where id = ${ada}`,
    post_changes: () => community.as(ben)`update posts set content = 'Fog' where id = ${post}`,
    message_changes: () => community.as(ada)`update messages set content = 'Fog' where id = ${message}`,
    reactions: () =>
      community.as(ada)`update message_reactions set emoji = '👍' where message_id = ${message}`,
    conversation_changes: () =>
      community.as(ben)`update conversation_views set pinned_at = null where member_id = ${ben}`,
    read_marks: () => community.as(ben)`update messages set read = true where id = ${message}`,
    removals: () => community.as(ada)`delete from likes where user_id = ${ada}`,
  }

  test('and all other bounds of tables and functions of the API are in docs/bounds.md', async () => {
    const bounds = await readFile(new URL('../../../docs/bounds.md', import.meta.url), 'utf8')
    const named = [...bounds.matchAll(/^\| ((?:\w+\.)?[a-z]+(?:_[a-z]+)*) +\|/gm)].map(([, name]) => name)
    const rows = await community.sql(`
      select format('%s.%s', n.nspname, c.relname) as name from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and n.nspname in ('public', 'private', 'auth', 'storage', 'realtime')
      union
      select p.proname from pg_catalog.pg_proc p
      where p.pronamespace = 'public'::regnamespace and has_function_privilege('authenticated', p.oid, 'execute')`)
    const wanted = rows.map(({ name }) => String(name))
    expect(wanted.filter((name) => !named.includes(name))).toEqual([])
    expect(named.filter((name) => name?.match(/[._]/) && !wanted.includes(name))).toEqual([])
  })

  test('exist for every table into which members insert, except activity, which has one row per member', async () => {
    const tables = await community.sql(`
      select c.relname as name from pg_catalog.pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and has_any_column_privilege('authenticated', c.oid, 'insert')
        and not exists (
          select from pg_catalog.pg_trigger t where t.tgrelid = c.oid and t.tgfoid = 'private.count_quota'::regproc
        )
      order by 1`)
    expect(tables).toEqual([{ name: 'activity' }])
    const kinds = await community.sql(
      `select kind from private.quotas where kind not like '%\\_bytes' order by 1`,
    )
    expect(kinds.map(({ kind }) => kind)).toEqual(Object.keys(CREATE).sort())
  })

  test.each(Object.entries(CREATE))(
    'reject the second of %s if one per minute is allowed',
    async (kind, create) => {
      await allow(kind, 1, null)
      await create()
      await expect(create()).rejects.toEqual(tooFast(kind, IN_A_MINUTE))
      await ageCounters('1 minute')
      await create()
    },
  )

  test('reset after a day', async () => {
    await allow('posts', null, 2)
    await writePost()
    await ageCounters('20 hours')
    await writePost()
    await expect(writePost()).rejects.toEqual(tooFast('posts', TOMORROW))
    await ageCounters('4 hours')
    await writePost()
  })

  test('reject a whole statement with too many rows', async () => {
    await allow('comments', 30, null)
    const many = (rows: number) =>
      community.as(ada)`insert into comments (user_id, post_id, content) select ${ada}, ${post}, 'Fog'
        from generate_series(1, ${rows}::int)`
    await community.sql('delete from comments')
    await expect(many(31)).rejects.toEqual(tooFast('comments', IN_A_MINUTE))
    expect(await community.sql('select 1 from comments')).toEqual([])
    await many(30)
  })

  test('count deleted rows, but not rejected ones', async () => {
    await allow('comments', 2, null)
    await writeComment()
    await community.as(ada)`select delete_comments(array(select id from comments where user_id = ${ada}))`
    const nowhere = community.as(ada)`insert into comments (user_id, post_id, content)
      values (${ada}, ${randomUUID()}, 'Fog')`
    await expect(nowhere).rejects.toEqual(refusal('42501'))
    await writeComment()
    await expect(writeComment()).rejects.toEqual(tooFast('comments', IN_A_MINUTE))
  })

  test('count follows and follow requests together', async () => {
    await allow('follows', 1, null)
    const shy = await community.join('shy.one', { isPrivate: true })
    await community.as(ada)`delete from follows where follower_id = ${ada}`
    await community.as(ada)`insert into follow_requests (requester_id, target_id) values (${ada}, ${shy})`
    const follow = community.as(ada)`insert into follows (follower_id, following_id) values (${ada}, ${ben})`
    await expect(follow).rejects.toEqual(tooFast('follows', IN_A_MINUTE))
    // Accepting a request does not count against the accepting member.
    await allow('follows', 0, 0)
    await community.as(shy)`select accept_follow_request(${ada})`
  })

  test('exist for every table whose rows members change, except activity, which has one row per member', async () => {
    const tables = await community.sql(`
      select c.relname as name from pg_catalog.pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and has_any_column_privilege('authenticated', c.oid, 'update')
        and not exists (
          select from pg_catalog.pg_trigger t
          -- Bit 4 of tgtype: UPDATE.
          where t.tgrelid = c.oid and t.tgfoid = 'private.count_quota'::regproc and t.tgtype & 16 > 0
        )
      order by 1`)
    expect(tables).toEqual([{ name: 'activity' }])
  })

  test('count edits and unsending together, even without a change', async () => {
    await allow('message_changes', 2, null)
    const unsend = () => community.as(ada)`update messages set deleted_at = now() where id = ${message}`
    for (let edits = 0; edits < 2; edits += 1)
      await community.as(ada)`update messages set content = content where id = ${message}`
    await expect(unsend()).rejects.toEqual(tooFast('message_changes', IN_A_MINUTE))
    expect(await community.sql`select deleted_at from messages where id = ${message}`).toEqual([
      { deleted_at: null },
    ])
  })

  test('count statements that remove, not their rows, also if they find none, and no unblocking', async () => {
    const deletable = await community.sql(`
      select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and has_table_privilege('authenticated', c.oid, 'delete') and c.relname <> 'blocks'`)
    expect(deletable).toHaveLength(10)
    await allow('removals', 2, null)
    for (const { name } of deletable) {
      await community.sql('delete from private.quota_usage')
      const remove = () => community.as(ada, `delete from ${name} where created_at < '2001-01-01'`)
      await remove()
      await remove()
      await expect(remove()).rejects.toEqual(tooFast('removals', IN_A_MINUTE))
      await community.as(ada)`delete from blocks where blocker_id = ${ada}`
    }
  })

  test('count statements that mark messages or notifications as read, not their rows', async () => {
    await community.sql`insert into messages (sender_id, conversation_id, content)
        select ${ada}, ${conversation}, 'Fog' from generate_series(1, 5)`
    await allow('read_marks', 2, null)
    const mark = (table: string) => community.as(ben, `update ${table} set read = true where not read`)
    await mark('messages')
    expect(await community.sql('select 1 from messages where not read')).toEqual([])
    await mark('notifications')
    for (const table of ['messages', 'notifications']) {
      await expect(mark(table)).rejects.toEqual(tooFast('read_marks', IN_A_MINUTE))
    }
    // A refused one changes nothing, also where it is counted last.
    await community.sql('update notifications set read = false')
    await expect(mark('notifications')).rejects.toEqual(tooFast('read_marks', IN_A_MINUTE))
    expect(await community.sql('select 1 from notifications where read')).toEqual([])
  })

  test('of changes do not count what triggers change for a member', async () => {
    await allow('profile_changes', 0, 0)
    await allow('post_changes', 0, 0)
    await writePost(ada)
    await community.as(ada)`delete from likes where user_id = ${ada}`
    await community.as(ada)`insert into likes (user_id, post_id) values (${ada}, ${post})`
  })

  test('of changes do not apply to the database owner', async () => {
    for (const kind of [
      'usernames',
      'privacy_changes',
      'profile_changes',
      'post_changes',
      'message_changes',
      'reactions',
      'read_marks',
      'removals',
    ])
      await allow(kind, 0, 0)
    await community.sql`update profiles
      set username = 'cleo.renamed', bio = 'Fog', is_private = not is_private where id = ${cleo}`
    await community.sql`update posts set content = 'Fog' where id = ${post}`
    await community.sql`update messages set read = true where id = ${message}`
    await community.sql`update message_reactions set emoji = '👍'`
    // The same for all others.
    const always = await community.sql(`
      select t.tgname as name from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
      where t.tgfoid in ('private.count_quota'::regproc, 'private.refuse_spent'::regproc, 'private.check_media_quota'::regproc)
        and pg_catalog.pg_get_triggerdef(t.oid) not like '%row_security_active(''public.' || c.relname || '''%'
        -- Members block, and raise marks, by functions that run as the owner of the table.
        and pg_catalog.pg_get_triggerdef(t.oid) not like '%WHEN ((new.blocker_id = auth.uid()))%'
        and pg_catalog.pg_get_triggerdef(t.oid) not like '%WHEN (((new.member_id = auth.uid()) AND (pg_trigger_depth() = 0)))%'`)
    expect(always).toEqual([])
  })

  test('are separate for each member, and do not apply to the database owner', async () => {
    await allow('posts', null, 1)
    await writePost(ada)
    await writePost(ben)
    await expect(writePost(ada)).rejects.toEqual(tooFast('posts', TOMORROW))
    await community.sql`insert into posts (user_id, content) values (${ada}, 'From the demo')`
  })

  test('do not count a forged row against the other member', async () => {
    await allow('posts', null, 1)
    const forged = community.as(ada)`insert into posts (user_id, content) values (${ben}, 'Not mine')`
    await expect(forged).rejects.toEqual(refusal('42501'))
    await writePost(ben)
  })

  test('count the media bytes of posts, stories and messages together, and free them on deletion', async () => {
    await community.sql`delete from posts where user_id = ${ada}`
    await community.sql`delete from stories where user_id = ${ada}`
    await community.sql('delete from message_media')
    await allow('media_bytes', null, 3_000)
    await addPicture(900)
    await addStory(900)
    await addPhoto(900)
    for (const add of [addPicture, addStory, addPhoto]) {
      await expect(add(600)).rejects.toEqual(tooFast('media_bytes', TOMORROW))
    }
    await writePost()
    await community.as(ada)`select delete_stories(array(select id from stories where user_id = ${ada}))`
    await addPicture(900)
    await expect(addPhoto(600)).rejects.toEqual(tooFast('media_bytes', TOMORROW))
    await community.sql`update posts set created_at = now() - interval '1 day' where user_id = ${ada}`
    await addPhoto(600)
  })

  test('count all media of one statement', async () => {
    await community.sql`delete from posts where user_id = ${ada}`
    await community.sql('delete from message_media')
    await community.sql('delete from stories')
    await allow('media_bytes', null, 3_000)
    const pictures = (count: number) =>
      community.as(ada)`insert into posts (user_id, image_url, image_width, image_height)
          select ${ada}, ${PNG.padEnd(1_200, 'A')}, 4, 3 from generate_series(1, ${count}::int)`
    await expect(pictures(4)).rejects.toEqual(tooFast('media_bytes', TOMORROW))
    await pictures(3)
  })

  test('remove the counters of past days', async () => {
    await allow('posts', null, 5)
    await writePost(ada)
    await ageCounters('1 day')
    await writePost(ben)
    expect(await community.sql('select private.delete_quota_usage(10) as removed')).toEqual([{ removed: 1 }])
    expect(await community.sql('select member_id from private.quota_usage')).toEqual([{ member_id: ben }])
  })

  test('read few pages, regardless of how much members have created', async () => {
    const pages = async () => {
      const [row] = await community.as(ada)`explain (analyze, buffers, format json)
          insert into comments (user_id, post_id, content) values (${ada}, ${post}, 'Fog')`
      const [
        {
          'QUERY PLAN': [{ Plan: plan }],
        },
      ] = explained.parse([row])
      return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    }
    await pages()
    const unlimited = await pages()
    await allow('comments', 1_000, 1_000)
    await pages()
    const few = await pages()
    await community.sql(
      `insert into private.quota_usage (member_id, kind)
        select gen_random_uuid(), kind from generate_series(1, 5000), unnest(array['posts', 'comments']) as kind`,
    )
    await pages()
    expect(few - unlimited).toBeLessThan(12)
    expect((await pages()) - few).toBeLessThan(6)
  })
})

test('SAFE-06 a new database has the default quotas', async () => {
  const fresh = await openMigratedDatabase()
  const { rows } = await fresh.query<{ kind: string; per_minute: number | null; per_day: number | null }>(
    'select kind, per_minute, per_day from private.quotas',
  )
  await fresh.close()
  const quotas = Object.fromEntries(
    rows.map(({ kind, per_minute, per_day }) => [kind, [per_minute, per_day]]),
  )
  expect(quotas).toMatchObject(DEFAULT_QUOTAS)
})
