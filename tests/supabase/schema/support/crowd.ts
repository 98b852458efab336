import type { Community } from './community'

/** The number of members that `addCrowd` adds. */
export const CROWD = 600

/**
 * Adds 600 members `crowd.1` … `crowd.600`: a quarter each is private or public, and followed by `viewer` or not. The last one,
 * who is not followed, has blocked `viewer`.
 */
export function addCrowd(community: Community, viewer: string): Promise<void> {
  return inBulk(community, async () => {
    await community.sql(`
      with users as (
        insert into auth.users (id, email)
        select gen_random_uuid(), 'crowd.' || n || '@example.com' from generate_series(1, ${CROWD}) as n
        returning id, email
      )
      insert into profiles (id, username, is_private)
      select id, split_part(email, '@', 1), split_part(split_part(email, '@', 1), '.', 2)::integer % 2 = 0
      from users`)
    await community.sql`insert into follows (follower_id, following_id)
       select ${viewer}, id from profiles
       where username ~ '^crowd' and split_part(username, '.', 2)::integer % 4 >= 2`
    await community.sql(
      'insert into blocks (blocker_id, blocked_id) select id, $1 from profiles where username = $2',
      [viewer, `crowd.${CROWD}`],
    )
  })
}

/** Adds posts with the numbers `from` to `to`, one per minute, by the members of the crowd in turn; `viewer` likes each. */
export function addPosts(community: Community, viewer: string, from: number, to: number): Promise<void> {
  return inBulk(community, async () => {
    await community.sql(
      `insert into posts (user_id, content, audience, created_at)
       select p.id, 'post ' || n, case when p.is_private then 'followers' else 'public' end,
         timestamptz '2026-01-01' + n * interval '1 minute'
       from generate_series($1::integer, $2::integer) as n
       join profiles p on p.username = 'crowd.' || (n % ${CROWD} + 1)`,
      [from, to],
    )
    await community.sql`insert into likes (post_id, user_id) select id, ${viewer} from posts
      on conflict do nothing`
  })
}

/** Adds comments by the members of the crowd in turn, below posts of others, and a member's likes of all of them. */
export function addLikedComments(community: Community, liker: string, comments: number): Promise<void> {
  return inBulk(community, async () => {
    await community.sql(
      `insert into comments (user_id, post_id, content)
       select p.id, posts.id, 'comment ' || n
       from generate_series(1, $1::integer) as n
       join profiles p on p.username = 'crowd.' || (n % ${CROWD} + 1)
       join (select id, row_number() over (order by id) as place from posts) as posts on posts.place = n % 100 + 1`,
      [comments],
    )
    await community.sql(
      'insert into comment_likes (comment_id, user_id) select id, $1 from comments on conflict do nothing',
      [liker],
    )
  })
}

/** Adds posts of one member, one per minute. */
export function addPostsOf(community: Community, author: string, posts: number): Promise<void> {
  return inBulk(community, async () => {
    await community.sql`insert into posts (user_id, content, audience, created_at)
       select p.id, 'post ' || n, case when p.is_private then 'followers' else 'public' end,
         timestamptz '2026-01-01' + n * interval '1 minute'
       from generate_series(1, ${posts}::integer) as n, profiles p where p.id = ${author}`
  })
}

/** Adds a popular author with a popular post, and many notifications and messages for `viewer`. */
export async function addPopularity(community: Community, viewer: string): Promise<PopularThings> {
  const [author] = await community.sql(`select id from profiles where username = 'crowd.1'`)
  const [post] = await community.sql`select id from posts where user_id = ${author?.id}
    order by created_at limit 1`
  const [conversation] = await community.sql`insert into conversations (participant_1, participant_2)
    values (${viewer}, ${author?.id}) returning id`
  const things = { author: author?.id, post: post?.id, conversation: conversation?.id }
  const times = `timestamptz '2026-01-01' + n * interval '1 minute' from generate_series(1, 3000) as n`
  const each = `from profiles where username ~ '^crowd' and id <> $1`
  await inBulk(community, async () => {
    await community.sql(`insert into posts (user_id, content, created_at) select $1, 'mine', ${times}`, [
      author?.id,
    ])
    await community.sql(
      `insert into comments (user_id, post_id, content, created_at) select $1, $2, 'so true', ${times}`,
      [author?.id, post?.id],
    )
    await community.sql(`insert into likes (post_id, user_id) select $2, id ${each}`, [author?.id, post?.id])
    await community.sql(`insert into follows (follower_id, following_id) select id, $1 ${each}`, [author?.id])
    await community.sql(
      `insert into notifications (user_id, actor_id, type, message, created_at) select $1, $2, 'other', n, ${times}`,
      [viewer, author?.id],
    )
    await community.sql(
      `insert into messages (conversation_id, sender_id, recipient_id, content, created_at)
       select $1, $2, $3, 'hello', ${times}`,
      [conversation?.id, author?.id, viewer],
    )
    await community.sql(
      `insert into conversation_views (member_id, conversation_id, folder, accepted, last_message_at, listed_at)
       select gen_random_uuid(), gen_random_uuid(), 'inbox', true, at, at from (select ${times}) as times (at)`,
    )
    await community.sql`insert into saved_posts (user_id, post_id) select ${viewer}, id from posts`
    await community.sql`insert into post_tags (tagged_user_id, post_id) select ${author?.id}, id from posts`
    await community.sql`insert into stories (user_id, media_url, media_type, created_at, expires_at)
       select ${author?.id}, 'data:image/png;base64,AAAA', 'image', at, at + interval '24 hours'
       from (select now() - n * interval '5 minutes' as at from generate_series(0, 2000) as n) as times`
  })
  return things
}

export interface PopularThings {
  author: unknown
  post: unknown
  conversation: unknown
}

/** Runs inserts without triggers, because many rows would take too long. */
export async function inBulk(community: Community, insert: () => Promise<void>): Promise<void> {
  await community.pg.exec('set session_replication_role = replica')
  try {
    await insert()
  } finally {
    await community.pg.exec('reset session_replication_role; analyze')
  }
}
