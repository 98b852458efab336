import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refreshDemoStories } from '#/backend/demo/refresh-stories'
import { seedDemo } from '#/backend/demo/seed-demo'
import { type EmptyCommunity, openEmptyCommunity } from '#tests/backend/demo/community'

const HOUR = 3_600_000

let community: EmptyCommunity

beforeAll(async () => {
  community = await openEmptyCommunity()
  await seedDemo(community.context)
})
afterAll(() => community.close())

const TABLES = [
  'profiles',
  'follows',
  'follow_requests',
  'posts',
  'post_media',
  'post_tags',
  'likes',
  'saved_posts',
  'comments',
  'stories',
  'story_views',
  'notifications',
  'conversations',
  'messages',
  'activity',
] as const

async function countAll(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of TABLES) {
    const [row] = await community.rows<{ n: number }>(`select count(*)::integer as n from public.${table}`)
    counts[table] = row?.n ?? 0
  }
  return counts
}

async function number(sql: string): Promise<number> {
  const [row] = await community.rows<{ n: number }>(`select (${sql})::integer as n`)
  return row?.n ?? Number.NaN
}

describe('the demo community', () => {
  test('has eight members with posts, stories and conversations', async () => {
    const counts = await countAll()
    expect(counts).toMatchObject({ profiles: 8, follow_requests: 1, stories: 8, activity: 8 })
    expect(counts.posts).toBeGreaterThanOrEqual(40)
    expect(counts.conversations).toBeGreaterThanOrEqual(2)
    expect(counts.post_tags).toBeGreaterThanOrEqual(5)
    expect(counts.comments).toBeGreaterThanOrEqual(80)
  })

  test('gives every member an example.com address and offers some of them on the sign-in screen', () => {
    expect(community.created).toHaveLength(8)
    for (const { username, email } of community.created) expect(email).toBe(`${username}@example.com`)
    expect(community.created.filter(({ isOffered }) => isOffered).map(({ username }) => username)).toContain(
      'mara',
    )
  })

  test('has posts with and without a picture', async () => {
    const text = 'select from public.post_media h where h.post_id = p.id'
    expect(await number(`select count(*) from public.posts p where not exists (${text})`)).toBeGreaterThan(2)
    expect(await number('select count(*) from public.post_media')).toBeGreaterThan(35)
  })

  test('has counters that match the rows they count', async () => {
    const wrong = await community.rows(
      `select username from public.profiles p where
         post_count <> (select count(*) from public.posts where user_id = p.id)
         or follower_count <> (select count(*) from public.follows where following_id = p.id)
         or following_count <> (select count(*) from public.follows where follower_id = p.id)
       union all
       select id::text from public.posts p where
         like_count <> (select count(*) from public.likes where post_id = p.id)
         or comment_count <> (select count(*) from public.comments where post_id = p.id)`,
    )
    expect(wrong).toEqual([])
  })

  test('has no like, comment, save or tag on a private post by a member who does not follow its author', async () => {
    const strangers = await community.rows(
      `select interaction.user_id from (
         select post_id, user_id from public.likes union all select post_id, user_id from public.comments
         union all select post_id, user_id from public.saved_posts
         union all select post_id, tagged_user_id from public.post_tags
       ) as interaction
       join public.posts p on p.id = interaction.post_id
       where p.audience = 'followers' and p.user_id <> interaction.user_id and not exists (
         select 1 from public.follows f where f.follower_id = interaction.user_id and f.following_id = p.user_id
       )`,
    )
    expect(strangers).toEqual([])
    expect(await number(`select count(*) from public.posts where audience = 'followers'`)).toBeGreaterThan(0)
  })

  test('has events in causal order and none in the future', async () => {
    const early = await community.rows(
      `select 'like' as what from public.likes l join public.posts p on p.id = l.post_id where l.created_at <= p.created_at
       union all select 'comment' from public.comments c join public.posts p on p.id = c.post_id where c.created_at <= p.created_at
       union all select 'save' from public.saved_posts s join public.posts p on p.id = s.post_id where s.created_at <= p.created_at
       union all select 'view' from public.story_views v join public.stories s on s.id = v.story_id where v.created_at <= s.created_at
       union all select 'tag' from public.post_tags t join public.posts p on p.id = t.post_id where t.created_at <> p.created_at
       union all select 'post' from public.posts p join public.profiles m on m.id = p.user_id where p.created_at <= m.created_at
       union all select 'follow' from public.follows f join public.profiles m on m.id in (f.follower_id, f.following_id)
         where f.created_at <= m.created_at`,
    )
    expect(early).toEqual([])
    for (const table of ['posts', 'likes', 'comments', 'saved_posts', 'stories', 'messages', 'notifications'])
      expect(await number(`select count(*) from public.${table} where created_at > now()`), table).toBe(0)
  })

  test('gives notifications the dates of their events and leaves three per member unread', async () => {
    const [oldest] = await community.rows<{ at: string }>(
      'select min(created_at) as at from public.notifications',
    )
    expect(Date.parse(oldest?.at ?? '')).toBeLessThan(community.context.now.getTime() - 24 * HOUR)
    const members = await community.rows<{ unread: number; total: number }>(
      `select count(*) filter (where not read)::integer as unread, count(*)::integer as total
       from public.notifications group by user_id`,
    )
    expect(members).toHaveLength(8)
    for (const { unread, total } of members) {
      expect(unread).toBe(3)
      expect(total).toBeGreaterThan(unread)
    }
  })

  test('has messages from both participants and sorts conversations by the latest message', async () => {
    const [stale] = await community.rows<{ n: number }>(
      `select count(*)::integer as n from public.conversations c where last_message_at <>
         (select max(created_at) from public.messages where conversation_id = c.id)`,
    )
    expect(stale?.n).toBe(0)
    const oneSided = await community.rows(
      `select conversation_id from public.messages group by 1 having count(distinct sender_id) <> 2
       except select conversation_id from public.conversation_views where folder = 'requests'`,
    )
    expect(oneSided).toEqual([])
  })

  test('MSG-13 has a request of a stranger, and all other conversations in the inbox', async () => {
    const folders = await community.rows(
      `select m.folder, p.username from public.conversation_views m join public.profiles p on p.id = m.member_id
       where m.folder <> 'inbox'`,
    )
    expect(folders).toEqual([{ folder: 'requests', username: 'noor' }])
  })

  test('has messages with a photo, a reply, a story reply, a shared post and reactions, each read exactly if it has a read time', async () => {
    const [shown] = await community.rows(
      `select count(media_id)::integer as photos, count(reply_to_id)::integer as answers,
         count(*) filter (where answers_story and story_id is not null)::integer as replies,
         count(*) filter (where shared_kind = 'post' and shared_post_id is not null)::integer as shared,
         (select count(distinct emoji)::integer from message_reactions) as reactions,
         count(*) filter (where read = (read_at is null))::integer as misread
       from public.messages`,
    )
    expect(shown).toEqual({ photos: 1, answers: 1, replies: 1, shared: 1, reactions: 3, misread: 0 })
    // The app asks the own mark: what is inserted as read raises it.
    const afterMark = await community.rows(
      `select m.id from public.messages m join public.conversation_views v on v.conversation_id = m.conversation_id and v.member_id = m.recipient_id
       where m.read <> coalesce((m.created_at, m.id) <= (v.mark_at, v.mark_id), false) or (not m.read and not v.unread)`,
    )
    expect(afterMark).toEqual([])
    const early = await community.rows(
      `select m.content from public.messages m join public.messages a on a.id = m.reply_to_id where a.created_at >= m.created_at
       union all select m.content from public.messages m join public.stories s on s.id = m.story_id where s.created_at >= m.created_at`,
    )
    expect(early).toEqual([])
  })

  test('does not change when it is seeded again', async () => {
    const before = await countAll()
    await seedDemo(community.context)
    expect(await countAll()).toEqual(before)
    expect(community.created).toHaveLength(8)
  })
})

describe('stories', () => {
  const expired = (now: Date) =>
    community.rows('select id from public.stories where expires_at <= $1 or created_at > $1', [now])

  test('are fresh when the community is new', async () => {
    expect(await expired(community.context.now)).toEqual([])
  })

  test('keep their dates and views while they have half a day left', async () => {
    const before = await community.rows('select id, created_at from public.stories order by id')
    const views = await number('select count(*) from public.story_views')
    await refreshDemoStories(community.context.pg, new Date(community.context.now.getTime() + HOUR))
    expect(await community.rows('select id, created_at from public.stories order by id')).toEqual(before)
    expect(await number('select count(*) from public.story_views')).toBe(views)
  })

  test('are fresh and unseen again weeks later, and a deleted story stays deleted', async () => {
    const [deleted] = await community.rows<{ id: string }>(
      'delete from public.stories where id = (select min(id::text)::uuid from public.stories) returning id',
    )
    const objects = 'select media_path, poster_path from public.stories order by id'
    const before = await community.rows(objects)
    const later = new Date(community.context.now.getTime() + 40 * 24 * HOUR)
    await refreshDemoStories(community.context.pg, later)
    expect(await community.rows(objects)).toEqual(before)
    expect(await expired(later)).toEqual([])
    const remaining = await community.rows<{ id: string }>('select id from public.stories')
    expect(remaining).toHaveLength(7)
    expect(remaining).not.toContainEqual(deleted)
    expect(await number('select count(*) from public.story_views')).toBe(0)
    // The story it replied to has expired, so the reply no longer refers to it.
    expect(
      await community.rows(
        'select story_id from public.messages where answers_story or story_id is not null',
      ),
    ).toEqual([{ story_id: null }])
  })

  test('of another member with the id of a deleted one expires as any other', async () => {
    const [guest] = await community.rows<{ id: string }>(
      `insert into auth.users (id, email) values (gen_random_uuid(), 'guest@example.com') returning id`,
    )
    await community.rows(`insert into public.profiles (id, username) values ($1, 'guest')`, [guest?.id])
    await community.rows(
      `with deleted as (delete from public.stories where id = (select max(id::text)::uuid from public.stories) returning id)
       insert into public.stories (id, user_id, media_url, media_type)
       select id, $1, 'data:image/webp;base64,AAAA', 'image' from deleted`,
      [guest?.id],
    )
    const own = () =>
      community.rows('select created_at, expires_at from public.stories where user_id = $1', [guest?.id])
    const before = await own()
    await refreshDemoStories(community.context.pg, new Date(community.context.now.getTime() + 80 * 24 * HOUR))
    expect(await own()).toEqual(before)
  })
})
