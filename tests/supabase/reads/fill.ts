import type { Sql } from 'postgres'
import { JOIN_CONVERSATIONS, LIST_CONVERSATIONS } from '#tests/supabase/schema/support/conversations'

/** Rows of the viewer and the heavy member, independent of the size of the community. */
export interface MainAccountAmounts {
  /** Posts of the heavy member. */
  posts: number
  /** Messages between the two. */
  messages: number
  /** Likes of one post that are the newest notifications of the heavy member. */
  newLikes: number
}

export const FULL: MainAccountAmounts = { posts: 5_000, messages: 100_000, newLikes: 100_000 }
export const SMALL: MainAccountAmounts = { posts: 1_000, messages: 10_000, newLikes: 10_000 }

/** How many of the newest posts have a thumbnail of realistic size, and how many have a full picture. */
const WITH_THUMBNAIL = 5_000
const WITH_PICTURE = 64

/** The main accounts of the community. */
export interface Cast {
  /** Follows 1,000 members and has many notifications and 301 conversations, one of them the longest. */
  viewer: string
  /** Has the most posts and notifications, half of all members as followers, and one popular post. */
  heavy: string
  /** Follows the first 5,000 members. */
  keen: string
  /** Follows 5,000 members who posted once, before all others. */
  patient: string
  /** Follows three members and is in 500 groups. */
  calm: string
}

/** The number of members for a number of posts; they are named `member.1` and so on, and every fifth is private. */
export const membersOf = (posts: number): number => 1_500 + Math.floor(posts / 20)

const storiesOf = (posts: number): number => 8 * (200 + Math.floor(posts / 200))
const conversationsOf = (posts: number): number => Math.floor(posts / 50)

/** SQL for the id of the n-th row of a kind, so that no lookup is needed. */
const id = (kind: string, n: string): string => `md5('${kind} ' || (${n}))::uuid`
const at = (n: string, every: string): string => `timestamptz '2025-01-01' + (${n}) * interval '${every}'`
/** One popular place, and others of a hundred posts each. */
const place = (n: string): string =>
  `case when ${n} % 5 = 0 then 'Beach ' || ${n} / 500 || ', Portugal' else 'Lisbon' end`
/** A WebP data URL of a size in bytes. These columns are not compressed, so the size is also the stored size. */
const picture = (bytes: number, n: string): string =>
  `'data:image/webp;base64,' || repeat(md5((${n})::text), ${Math.ceil(bytes / 32)})`

/**
 * Grows a community from `from` to `to` posts, with members, follows, likes, comments, messages, notifications and stories in
 * proportion. The first call also adds the rows of the main accounts, which do not grow.
 */
export async function grow(
  sql: Sql,
  cast: Cast,
  amounts: MainAccountAmounts,
  from: number,
  to: number,
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx.unsafe('set local session_replication_role = replica')
    for (const statement of growth(from, to)) await tx.unsafe(statement)
    if (from === 0) for (const statement of mainAccountRows(cast, amounts)) await tx.unsafe(statement)
    for (const statement of groupRows(cast, from, to)) await tx.unsafe(statement)
    for (const statement of keenFollows(cast, from === 0 ? 0 : membersOf(from), membersOf(to)))
      await tx.unsafe(statement)
    for (const statement of fame(cast, membersOf(from), membersOf(to), from === 0)) await tx.unsafe(statement)
    for (const statement of [...TOPIC_WORDS, POST_WORDS]) await tx.unsafe(statement)
    const different = await tx.unsafe(OTHER_WORDS)
    if (different.length > 0) throw new Error(`${different.length} posts have other words`)
  })
  await sql.unsafe('vacuum analyze')
}

function growth(from: number, to: number): string[] {
  const members = membersOf(to)
  const oldMembers = from === 0 ? 0 : membersOf(from)
  const oldStories = from === 0 ? 0 : storiesOf(from)
  const posts = `generate_series(${from + 1}, ${to}) as n`
  const joined = `generate_series(${oldMembers + 1}, ${members}) as n`
  const author = `1 + (n::bigint * 7919) % ${members}`
  /** A member other than the author. */
  const other = (distance: string) => `1 + (n::bigint * 7919 + (${distance})) % ${members}`
  const isPrivate = (member: string) => `(${member}) % 5 = 0`
  /** The key of an object of the author. */
  const key = (kind: string, n: string) => `${id('member', author)} || '/' || ${id(kind, n)}`
  return [
    `insert into profiles (id, username, full_name, is_private, avatar_url, post_count, created_at)
     select ${id('member', 'n')}, 'member.' || n,
       (array['Ada','Bea','Cyd','Dora','Enno','Finn','Greta','Hanna','Ines','Jon','Kim','Lea'])[1 + n % 12] || ' ' ||
       (array['Andersen','Brandt','Castellanos','Dubois','Eriksson','Fontaine','Garcia'])[1 + n % 7] || n,
       ${isPrivate('n')}, 'data:image/webp;base64,' || md5(n::text), 20, ${at('n', '1 second')}
     from ${joined}`,
    `insert into activity (user_id) select ${id('member', 'n')} from ${joined}`,
    `insert into private.member_states (member_id, state) select ${id('member', 'n')}, 'limited' from ${joined} where n % 10 = 0`,
    `insert into private.staff (member_id, role) select ${id('member', 'n')}, 'moderator' from ${joined} where n % 1000 = 0`,
    `insert into private.demo_members (member_id) select ${id('member', 'n')} from ${joined} where n % 1000 = 0`,
    `insert into private.announcements (member_id, sent_at) select ${id('member', 'n')}, '-infinity' from ${joined}`,
    `insert into private.waiting_broadcasts (member_id, changed_table, operation, ids)
     select ${id('member', 'n')}, 'notifications', 'INSERT', array[${id('notice', 'n')}] from ${joined} where n % 100 = 0`,
    `insert into private.jobs (kind, subject_id) select 'objects', ${id('closed', 'n')} from ${joined} where n % 100 = 0`,
    `insert into follows (follower_id, following_id, created_at)
     select ${id('member', 'n')}, ${id('member', `1 + (n + step * 37 - 1) % ${members}`)}, ${at('n', '1 minute')}
     from ${joined}, generate_series(1, 20) as step on conflict do nothing`,
    `insert into follow_requests (requester_id, target_id)
     select ${id('member', 'n')}, ${id('member', '5 * (1 + n % 200)')} from ${joined} on conflict do nothing`,
    `insert into mutes (muter_id, muted_id) select ${id('member', 'n')}, ${id('member', 'n - 1')} from ${joined}`,
    `insert into blocks (blocker_id, blocked_id)
     select ${id('member', 'n')}, ${id('member', 'n - 2')} from ${joined} where n % 10 = 3`,
    `insert into posts (id, user_id, content, location, audience, like_count, comment_count, created_at,
       image_url, thumbnail_url, image_width, image_height)
     select ${id('post', 'n')}, ${id('member', author)}, 'Evening light over the harbour, picture number ' || n,
       ${place('n')}, case when ${isPrivate(author)} then 'followers' else 'public' end, 3, 1, ${at('n', '30 seconds')},
       case when n > ${to - WITH_PICTURE} then ${picture(300_000, 'n')} else ${picture(64, 'n')} end,
       case when n > ${to - WITH_THUMBNAIL} then ${picture(8_000, 'n')} end, 1440, 1080
     from ${posts}`,
    `insert into post_media (user_id, post_id, position, kind, full_path, feed_path, grid_path, media_path,
       width, height, thumbhash, duration_ms, has_sound, captions, has_captions)
     select ${id('member', author)}, ${id('post', 'n')}, 0, 'video', ${key('cover', 'n')} || '.webp', ${key('feed', 'n')} || '.webp',
       ${key('grid', 'n')} || '.webp', ${key('video', 'n')} || '.mp4', 4, 3, 'AAAA', 2000, true, 'WEBVTT', true
     from ${posts} where n % 50 = 0`,
    `insert into likes (post_id, user_id, created_at)
     select ${id('post', 'n')}, ${id('member', other('step * 31'))}, ${at('n', '30 seconds')}
     from ${posts}, generate_series(1, 3) as step`,
    `insert into private.count_changes (item, counter, change)
     select ${id('post', 'n')}, 'likes', 1 from ${posts} where n % 100 = 0`,
    `insert into comments (post_id, user_id, content, created_at)
     select ${id('post', 'n')}, ${id('member', other('7'))}, 'What a light!', ${at('n', '30 seconds')} from ${posts}`,
    `insert into saved_posts (user_id, post_id, created_at)
     select ${id('member', other('11'))}, ${id('post', 'n')}, ${at('n', '30 seconds')} from ${posts} where n % 2 = 0`,
    `insert into post_tags (post_id, tagged_user_id, created_at)
     select ${id('post', 'n')}, ${id('member', other('13'))}, ${at('n', '30 seconds')} from ${posts} where n % 5 = 0`,
    `insert into post_topics (user_id, post_id, kind, topic, label, audience, created_at)
     select ${id('member', author)}, ${id('post', 'n')}, topic.kind, lower(topic.name), topic.name,
       case when ${isPrivate(author)} then 'followers' else 'public' end, ${at('n', '30 seconds')}
     from ${posts}, lateral (values ('place', ${place('n')}), ('hashtag', 'tag' || n / 7 % 200), ('hashtag', 'rare' || n / 50)) as topic (kind, name)`,
    `insert into notifications (user_id, actor_id, type, post_id, read, created_at)
     select ${id('member', author)}, ${id('member', other('31'))}, 'like', ${id('post', 'n')}, n % 4 > 0,
       ${at('n', '30 seconds')}
     from ${posts}`,
    `insert into stories (id, user_id, media_url, media_type, audience, created_at, expires_at)
     select ${id('story', 'n')}, ${id('member', other('0'))}, ${picture(200, 'n')}, 'image',
       case when ${isPrivate(other('0'))} then 'followers' else 'public' end, since, since + interval '24 hours'
     from (select n, now() - interval '1 second' * (n::bigint * 7919 % 691200) as since
       from generate_series(${oldStories + 1}, ${storiesOf(to)}) as n) as shared`,
    `insert into story_views (story_id, viewer_id)
     select ${id('story', 'n')}, ${id('member', other('step * 31'))}
     from generate_series(${oldStories + 1}, ${storiesOf(to)}) as n, generate_series(1, 4) as step`,
    `insert into conversations (id, participant_1, participant_2, participant_1_wrote, participant_2_wrote, last_message_at)
     select ${id('conversation', 'n')}, ${id('member', 'n')}, ${id('member', 'n + 1')}, true, true, ${at('n', '1 minute')}
     from generate_series(${conversationsOf(from) + 1}, ${conversationsOf(to)}) as n`,
    `insert into messages (conversation_id, sender_id, recipient_id, content, read, created_at)
     select ${id('conversation', 'n')}, ${id('member', 'n + step % 2')}, ${id('member', 'n + 1 - step % 2')},
       'See you at the harbour', step < 24, ${at('n', '1 minute')} + step * interval '1 second'
     from generate_series(${conversationsOf(from) + 1}, ${conversationsOf(to)}) as n, generate_series(1, 25) as step`,
    LIST_CONVERSATIONS,
    JOIN_CONVERSATIONS,
  ]
}

/** Groups of the calm member, each with twenty others, who are in a few of them. */
const GROUPS = 500
const inGroup = (group: string, place: string) => id('member', `1 + (${group} * 20 + ${place}) % 1500`)

/** A message in a group for every second post: with those of pairs, as many messages as posts. Most groups are read. */
function groupRows({ calm }: Cast, from: number, to: number): string[] {
  const me = `'${calm}'::uuid`
  const groups = `generate_series(1, ${GROUPS}) as n`
  const theirs = `c.id in (select ${id('group', 'n')} from ${groups})`
  const made = [
    `insert into conversations (id, kind, name) select ${id('group', 'n')}, 'group', 'Group ' || n from ${groups}`,
    `insert into conversation_members (conversation_id, member_id, joined_at)
     select ${id('group', 'n')}, case step when 0 then ${me} else ${inGroup('n', 'step')} end, ${at('0', '1 day')}
     from ${groups}, generate_series(0, 20) as step`,
    `insert into conversation_views (member_id, conversation_id, is_group, folder, accepted, last_message_at, listed_at, reads_after)
     select m.member_id, m.conversation_id, true, 'inbox', true, m.joined_at, m.joined_at, m.joined_at
     from conversation_members m join conversations c on c.id = m.conversation_id where c.kind = 'group'`,
  ]
  return [
    ...(from === 0 ? made : []),
    `insert into messages (conversation_id, sender_id, content, created_at)
     select ${id('group', `1 + n % ${GROUPS}`)}, ${inGroup(`(1 + n % ${GROUPS})`, `(1 + n / ${GROUPS} % 20)`)}, 'Who is at the weir?', ${at('n', '1 minute')}
     from generate_series(${Math.floor(from / 2) + 1}, ${Math.floor(to / 2)}) as n`,
    `update conversations c set last_message_at = newest.at
     from (select m.conversation_id, max(m.created_at) as at from messages m join conversations g on g.id = m.conversation_id
       where g.kind = 'group' group by 1) as newest
     where newest.conversation_id = c.id and ${theirs}`,
    `update conversation_views v set mark_at = c.last_message_at, mark_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
     from conversations c where c.id = v.conversation_id and v.member_id = ${me} and ${theirs}`,
    `update conversation_views set mark_at = null, mark_id = null
     where member_id = ${me} and conversation_id in (select ${id('group', 'n')} from generate_series(1, 5) as n)`,
  ]
}

function mainAccountRows(cast: Cast, { posts, messages, newLikes }: MainAccountAmounts): string[] {
  const { viewer, heavy, patient, calm } = cast
  const [me, they] = [`'${viewer}'::uuid`, `'${heavy}'::uuid`]
  const quiet = `generate_series(1, ${PATIENT_FOLLOWS}) as n`
  const removals = `generate_series(1, ${REMOVALS}) as n`
  return [
    `insert into profiles (id, username, created_at)
     select ${id('quiet', 'n')}, 'quiet.' || n, ${at('n', '1 second')} from ${quiet}`,
    `insert into posts (id, user_id, content, created_at)
     select ${id('quiet post', 'n')}, ${id('quiet', 'n')}, 'The only one', ${at('-n', '1 second')} from ${quiet}`,
    `insert into follows (follower_id, following_id, created_at)
     select '${patient}'::uuid, ${id('quiet', 'n')}, ${at('n', '1 second')} from ${quiet}`,
    `insert into post_topics (user_id, post_id, kind, topic, label, audience, created_at)
     select ${they}, ${id('heavy', 'n')}, topic.kind, topic.name, topic.name, 'public', now() - n * interval '1 minute'
     from generate_series(1, ${posts}) as n,
       lateral (values ('place', 'porto'), ('hashtag', 'harbour' || n % 50)) as topic (kind, name)`,
    `insert into post_topics (user_id, post_id, kind, topic, label, audience, created_at)
     select ${id('member', 'author')}, ${id('hidden post', 'audience || post')}, kind, name || n, name || n, audience, ${at('post', '1 minute')}
     from generate_series(1, ${HIDDEN_NAMES}) as n, generate_series(1, ${HIDDEN_POSTS}) as post,
       (values ('hashtag'), ('place')) as kinds (kind), (values ('hidden_'), ('well_hidden_')) as names (name),
       lateral (values ('public', 1001 + n % 50), ('followers', 1100 + 5 * (n % 50))) as hidden (audience, author)`,
    `insert into hashtag_follows (follower_id, tag) select ${me}, 'tag' || n from generate_series(0, 199) as n`,
    `insert into follows (follower_id, following_id)
     select '${calm}'::uuid, ${id('member', 'n')} from generate_series(1, 3) as n`,
    `insert into follows (follower_id, following_id, created_at)
     select ${me}, ${id('member', 'n')}, ${at('n', '1 hour')} from generate_series(1, 1000) as n`,
    `insert into follow_requests (requester_id, target_id, created_at)
     select ${id('member', 'n')}, ${me}, ${at('n', '1 hour')} from generate_series(1, 400) as n`,
    `insert into follow_requests (requester_id, target_id, created_at)
     select ${me}, ${id('member', '5 * n')}, ${at('n', '1 hour')} from generate_series(201, 280) as n`,
    `insert into blocks (blocker_id, blocked_id, created_at)
     select ${me}, ${id('member', 'n')}, ${at('n', '1 hour')} from generate_series(1001, 1050) as n`,
    `insert into blocks (blocker_id, blocked_id)
     select ${id('member', 'n')}, ${me} from generate_series(1051, 1060) as n`,
    `insert into private.unfinished_blocks (blocker_id, blocked_id)
     select ${me}, ${id('member', 'n')} from generate_series(1001, 1010) as n`,
    // Posts that are cleaned up just now.
    `insert into private.jobs (kind, subject_id, items)
     select 'account', ${id('holder', 'n')}, array[${id('removed', 'n')}] from ${removals}`,
    `insert into profiles (id, username, is_private) select ${id('holder', 'n')}, 'removed.' || n, true from ${removals}`,
    `insert into posts (id, user_id, content, audience)
     select ${id('removed', 'n')}, ${id('holder', 'n')}, 'Removed', 'followers' from ${removals}`,
    `insert into likes (post_id, user_id) select ${id('removed', 'n')}, ${me} from ${removals}`,
    `insert into notifications (user_id, actor_id, type, post_id, created_at)
     select ${me}, ${id('member', 'n')}, 'mention', ${id('removed', 'n')}, ${at('n', '1 minute')} from ${removals}`,
    `insert into mutes (muter_id, muted_id, created_at)
     select ${me}, ${id('member', 'n')}, ${at('n', '1 hour')} from generate_series(1, 50) as n`,
    `insert into posts (id, user_id, content, audience, created_at, image_url, thumbnail_url, image_width, image_height)
     select ${id('heavy', 'n')}, ${they}, 'One of many', 'public', ${at('n', '1 minute')}, ${picture(64, 'n')},
       ${picture(8_000, 'n')}, 1440, 1080 from generate_series(1, ${posts}) as n`,
    `insert into posts (id, user_id, content, audience, created_at)
     select ${id('mine', 'n')}, ${me}, 'One of mine', 'public', ${at('n', '1 day')} from generate_series(1, 60) as n`,
    `insert into comments (post_id, user_id, content, created_at)
     select ${id('heavy', '1')}, ${id('member', '1 + n % 1500')}, 'So true', ${at('n', '1 minute')}
     from generate_series(1, 5000) as n`,
    `insert into comments (id, post_id, user_id, content, created_at)
     select ${id('thread', '1')}, ${id('heavy', '1')}, ${me}, 'Where?', ${at('1', '1 minute')}`,
    `insert into comments (post_id, user_id, parent_id, content, created_at)
     select ${id('heavy', '1')}, ${id('member', '1 + n % 1500')}, ${id('thread', '1')}, 'At the weir', ${at('n', '1 second')}
     from generate_series(1, 3000) as n`,
    `insert into comment_likes (user_id, comment_id, created_at)
     select ${me}, id, created_at from comments where post_id = ${id('heavy', '1')} limit 3000`,
    `insert into comments (post_id, user_id, content, created_at)
     select ${id('post', '1 + n % 4000')}, ${me}, 'I was there', ${at('n', '1 minute')} from generate_series(1, 5000) as n`,
    `insert into likes (post_id, user_id, created_at)
     select ${id('post', 'n')}, ${me}, ${at('n', '1 minute')} from generate_series(1, 4000) as n`,
    `insert into saved_posts (user_id, post_id, created_at)
     select ${me}, ${id('post', 'n')}, ${at('n', '1 minute')} from generate_series(1, 3000) as n`,
    `insert into post_tags (post_id, tagged_user_id, created_at)
     select ${id('post', 'n')}, ${they}, ${at('n', '1 minute')} from generate_series(1, 1000) as n`,
    `insert into notifications (user_id, actor_id, type, message, read, created_at)
     select ${me}, ${id('member', '1 + n % 1500')}, 'other', 'asked to follow you', n % 3 > 0, ${at('n', '1 minute')}
     from generate_series(1, 3000) as n`,
    `update profiles set avatar_url = ${picture(5_000, 'post_count')}
     where id in (select ${id('member', 'n')} from generate_series(1, ${WITH_AVATAR}) as n)`,
    // Only the latest actors have a profile.
    `insert into notifications (user_id, actor_id, type, post_id, created_at)
     select ${they}, case when n > 200 then ${id('fan', 'n')} else ${id('member', 'n')} end, 'like', ${id('heavy', '1')},
       now() - n * interval '1 second'
     from generate_series(1, ${newLikes}) as n`,
    `insert into notifications (user_id, actor_id, type, post_id, created_at)
     select ${they}, ${id('member', '1 + (n * 31 + step) % 1500')}, 'like', ${id('heavy', 'n')},
       ${at('n', '1 minute')} + step * interval '40 seconds'
     from generate_series(2, ${posts}) as n, generate_series(1, ${OLD_LIKES}) as step`,
    `insert into conversations (id, participant_1, participant_2, participant_1_wrote, participant_2_wrote, last_message_at)
     select ${id('mine', 'n')}, case when n % 2 = 0 then ${me} else ${id('member', 'n')} end,
       case when n % 2 = 0 then ${id('member', 'n')} else ${me} end, true, true, ${at('n', '1 day')}
     from generate_series(1, 300) as n`,
    `insert into messages (conversation_id, sender_id, recipient_id, content, read, created_at)
     select ${id('mine', 'n')}, ${id('member', 'n')}, ${me}, 'Look at this', step < 20,
       ${at('n', '1 day')} - (20 - step) * interval '1 second'
     from generate_series(1, 300) as n, generate_series(1, 20) as step`,
    `insert into conversations (id, participant_1, participant_2, participant_1_wrote, participant_2_wrote, last_message_at)
     values (${id('mine', '0')}, ${me}, ${they}, true, true, ${at(String(messages), '1 minute')})`,
    `insert into message_media (id, sender_id, conversation_id, image_url, sent)
     select ${id('photo', 'n')}, ${they}, ${id('mine', '0')}, ${picture(300_000, 'n')}, true
     from generate_series(1, 4) as n`,
    `insert into messages (id, conversation_id, sender_id, recipient_id, content, read, created_at, reply_to_id,
       media_id, thumbnail_url, image_width, image_height)
     select ${id('message', 'n')}, ${id('mine', '0')}, case when n % 2 = 0 then ${me} else ${they} end,
       case when n % 2 = 0 then ${they} else ${me} end, 'message ' || n, n % 10 > 0, ${at('n', '1 minute')},
       case when n % 100 = 0 then ${id('message', 'n - 1')} end, case when n <= 4 then ${id('photo', 'n')} end,
       case when n <= 4 then ${picture(8_000, 'n')} end, case when n <= 4 then 1440 end,
       case when n <= 4 then 1080 end
     from generate_series(1, ${messages}) as n`,
    `insert into message_reactions (message_id, conversation_id, member_id, emoji)
     select ${id('message', 'n')}, ${id('mine', '0')}, m.id, '👍'
     from generate_series(1, ${messages}) as n, (values (${me}::uuid), (${they}::uuid)) as m (id) where n % 5 < 2`,
    LIST_CONVERSATIONS,
    JOIN_CONVERSATIONS,
    `update conversation_views set folder = 'requests', accepted = false
     where member_id = ${me} and conversation_id in (select ${id('mine', 'n')} from generate_series(251, 300) as n)`,
    `insert into stories (id, user_id, media_url, media_type, created_at, expires_at, thumbnail_url)
     select ${id('mine', 'n')}, case when n = 1 then ${they} else ${me} end, ${picture(300_000, 'n')}, 'image',
       now() - n * interval '1 minute', now() - n * interval '1 minute' + interval '24 hours', ${picture(8_000, 'n')}
     from generate_series(1, 20) as n`,
    `insert into story_views (story_id, viewer_id, created_at)
     select ${id('mine', '1')}, ${id('member', 'n')}, ${at('n', '1 minute')} from generate_series(1, 1500) as n`,
  ]
}

/** Topics of each kind that only blocked members and unknown private accounts use, and posts of each: as many as a search reads. */
const HIDDEN_NAMES = 100
const HIDDEN_POSTS = 10

/** The words of all topics. */
const TOPIC_WORDS = [
  'truncate private.topic_words',
  `insert into private.topic_words
   select w.* from (select distinct kind, audience, topic from post_topics) as t
   cross join lateral private.word_rows(t.kind, t.audience, t.topic) as w`,
]

/**
 * The words of all new posts, as `private.words_of_post` would find them: it takes half as long as all else. In the order of the posts, as members
 * write them: rows in another order have the next word of an index in another part of the visibility map, which counts as a page.
 */
const POST_WORDS = `
  insert into private.post_words (post_id, word, user_id, audience, created_at)
  select p.id, word, p.user_id, p.audience, p.created_at
  from (
    select p.id, p.content, p.location, p.user_id, p.audience, p.created_at from posts p
    where not exists (select from private.post_words w where w.post_id = p.id) order by p.created_at
  ) as p, lateral (
    select distinct word from regexp_split_to_table(lower(concat_ws(' ', p.content, p.location)), '[^a-z0-9]+') as word where word <> ''
  ) as words`

const OTHER_WORDS = `
  select p.id from (select * from posts order by id limit 100) as p
  where array(select word from private.post_words where post_id = p.id order by 1) <> array(select private.words_of_post(p) order by 1)`

const KEEN_FOLLOWS = 5_000
const REMOVALS = 20
const PATIENT_FOLLOWS = 5_000

/** Members with an avatar of realistic size: the ones that the main accounts see. */
const WITH_AVATAR = 1_500
/** Likes of each older post, among the notifications of the heavy member. */
const OLD_LIKES = 5

/** The keen member follows the first members, as far as they exist. */
function keenFollows({ keen }: Cast, oldMembers: number, members: number): string[] {
  const followed = `generate_series(${oldMembers + 1}, ${Math.min(members, KEEN_FOLLOWS)}) as n`
  return [
    `insert into follows (follower_id, following_id, created_at)
     select '${keen}'::uuid, ${id('member', 'n')}, ${at('n', '1 hour')} from ${followed}`,
  ]
}

/** Half of all members follow the heavy member, and like and save the first post. */
function fame({ heavy }: Cast, oldMembers: number, members: number, isNew: boolean): string[] {
  const they = `'${heavy}'::uuid`
  const fans = `generate_series(${isNew ? 1 : oldMembers + 1}, ${members}) as n where n % 2 = 0`
  return [
    `insert into follows (follower_id, following_id, created_at)
     select ${id('member', 'n')}, ${they}, ${at('n', '1 minute')} from ${fans}`,
    `insert into likes (post_id, user_id, created_at)
     select ${id('heavy', '1')}, ${id('member', 'n')}, ${at('n', '1 minute')} from ${fans}`,
  ]
}
