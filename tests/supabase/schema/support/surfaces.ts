import type { EarlierDatabase } from './earlier-database'
import { idOf, MEMBERS } from './full-community'

/**
 * The common form: the shapes of 0.1, made of those of the newest schema. All that is asked finds these views and functions before what has
 * their names today, so one SQL asks both schemas. They may rename and regroup, and leave nothing out: each has all columns that its table had.
 */
const FORMER: string[] = [
  `create view former.conversation_members with (security_invoker) as
    select member_id, conversation_id, folder, accepted, unread, pinned_at, cleared_at, last_message_at, undelivered, delivered_at, listed_at
    from public.conversation_views`,
  `create view former.post_photos with (security_invoker) as
    select id, user_id, post_id, position, full_path, feed_path, grid_path, width, height, thumbhash, alt_text, camera, middle_path
    from public.post_media where kind = 'photo'`,
  `create view former.message_photos with (security_invoker) as
    select id, sender_id, conversation_id, image_url, sent, created_at, media_path as image_path, poster_path as thumbnail_path
    from public.message_media where kind = 'photo'`,
  `create view former.messages with (security_invoker) as
    select id, sender_id, recipient_id, m.conversation_id, content, read, m.created_at, deleted_at, reply_to_id, media_id as photo_id, thumbnail_url,
      image_width, image_height, story_id, answers_story, own.emoji as sender_reaction, other.emoji as recipient_reaction, read_at, thumbhash,
      shared_kind, shared_post_id, shared_story_id, shared_profile_id, edited_at, forwarded
    from public.messages m
    left join public.message_reactions own on own.message_id = m.id and own.member_id = m.sender_id
    left join public.message_reactions other on other.message_id = m.id and other.member_id = m.recipient_id`,
  // Reactions were counted with changes of messages, and videos with pictures.
  `create view former.quotas with (security_invoker) as select kind, per_minute, per_day from private.quotas
    where kind not in ('reactions', 'video_bytes', 'video_upload_bytes')`,
]

const PERSON = 'a.username, a.full_name, a.avatar_url, a.avatar_path'
const PHOTOS = `(select jsonb_agg(h order by h.position) from (
  select position, feed_path, grid_path, full_path, width, height, thumbhash, alt_text, camera from post_photos h where h.post_id = p.id
) h) as photos`
const POST = `p.id, ${PERSON}, ${PHOTOS},
  exists (select from likes l where l.post_id = p.id and l.user_id = auth.uid()) as liked,
  exists (select from saved_posts s where s.post_id = p.id and s.user_id = auth.uid()) as saved`
/** As the app embeds a post below a row that refers to it: null if the reader may not see it. */
const cell = (table: string) =>
  `left join lateral (select p.id, p.content, p.thumbnail_url, ${PERSON}, ${PHOTOS} from posts p
     left join profiles a on a.id = p.user_id where p.id = ${table}.post_id) as cell on true`
const member = (column: string) => `left join profiles a on a.id = ${column}`

/** What the app reads from tables, by surface. Functions are below. */
const SURFACES: Record<string, string> = {
  feed: `select ${POST} from posts p ${member('p.user_id')} order by p.created_at desc, p.id desc`,
  profiles: `select a.id, exists (select from follows f where f.follower_id = a.id and f.following_id = auth.uid()) as follows_me,
    (select jsonb_agg(p.id order by p.created_at desc, p.id desc) from posts p where p.user_id = a.id) as grid from profiles a order by a.id`,
  saved: `select s.created_at, cell from saved_posts s ${cell('s')} where s.user_id = auth.uid() order by s.created_at desc, s.post_id desc`,
  tagged: `select t.tagged_user_id, t.created_at, cell from post_tags t ${cell('t')} order by 1, 2 desc, t.post_id desc`,
  topics: `select t.kind, t.topic, t.label, cell from post_topics t ${cell('t')} order by 1, 2, t.created_at desc, t.post_id desc`,
  comments: `select c.id, ${PERSON}, exists (select from comment_likes l where l.comment_id = c.id and l.user_id = auth.uid()) as liked
    from comments c ${member('c.user_id')} order by c.post_id, c.created_at, c.id`,
  likes: `select l.post_id, ${PERSON} from likes l ${member('l.user_id')} order by 1, l.created_at desc, l.user_id desc`,
  followers: `select f.following_id, ${PERSON} from follows f ${member('f.follower_id')} order by 1, f.created_at desc, f.follower_id desc`,
  following: `select f.follower_id, ${PERSON} from follows f ${member('f.following_id')} order by 1, f.created_at desc, f.following_id desc`,
  requests: `select r.requester_id, ${PERSON} from follow_requests r ${member('r.requester_id')} where target_id = auth.uid() order by 1`,
  strip: `select s.id, ${PERSON}, a.allow_story_replies, exists (select from story_views v where v.story_id = s.id and v.viewer_id = auth.uid()) as seen
    from stories s ${member('s.user_id')} where s.expires_at > now() order by s.expires_at desc, s.id desc`,
  viewers: `select v.story_id, ${PERSON} from story_views v ${member('v.viewer_id')} order by 1, v.created_at desc, v.viewer_id desc`,
  conversations: `select c.id, mine.folder, mine.unread, mine.pinned_at, mine.cleared_at, mine.delivered_at, one.username as one, two.username as two, latest.id as latest
    from conversations c left join conversation_members mine on mine.conversation_id = c.id
    left join profiles one on one.id = c.participant_1 left join profiles two on two.id = c.participant_2
    left join lateral (select m.id from messages m where m.conversation_id = c.id order by m.created_at desc, m.id desc limit 1) as latest on true
    order by c.id`,
  messages: `select m.id, ${PERSON}, quoted.content as quoted, photo.id as photo, story.id as story, post.id as post, card.id as card,
      profile.id as profile
    from messages m ${member('m.sender_id')} left join messages quoted on quoted.id = m.reply_to_id left join message_photos photo on photo.id = m.photo_id
    left join stories story on story.id = m.story_id left join posts post on post.id = m.shared_post_id
    left join stories card on card.id = m.shared_story_id left join profiles profile on profile.id = m.shared_profile_id
    order by m.conversation_id, m.created_at, m.id`,
  missed: `select id from messages where recipient_id = auth.uid() and not read and deleted_at is null
    union all select id from notifications where user_id = auth.uid() and not read order by 1`,
  'notices of the system': `select n.id, ${PERSON}, c.content from notifications n ${member('n.actor_id')} left join comments c on c.id = n.comment_id order by n.id`,
  download: `select 'comment' as kind, c.id, a.username from comments c left join posts p on p.id = c.post_id ${member('p.user_id')} where c.user_id = auth.uid()
    union all select 'like', l.post_id, a.username from likes l left join posts p on p.id = l.post_id ${member('p.user_id')} where l.user_id = auth.uid()
    union all select 'comment like', l.comment_id, a.username from comment_likes l left join comments c on c.id = l.comment_id ${member('c.user_id')}
      where l.user_id = auth.uid()
    union all select 'story', s.id, s.media_path from stories s where s.user_id = auth.uid()
    union all select 'request', r.target_id, a.username from follow_requests r ${member('r.target_id')} where r.requester_id = auth.uid() order by 1, 2`,
}

/** The rows that a searching function finds for each of these words, in its order. */
const found = (name: string, column: string, ...words: string[]) =>
  `select word, r.${column}, r.ordinality from unnest(array['${words.join("', '")}']) as word, ${name}(word) with ordinality as r order by 1, 3`

/** How members call each function that only reads. One that the catalog has and this list has not fails the test. */
const CALLS: Record<string, string> = {
  blocked_members: 'select * from blocked_members() order by id',
  conversation_folders: 'select * from conversation_folders()',
  count_topic_posts: `select count_topic_posts('hashtag', 'fog') as fog, count_topic_posts('place', 'Berlin') as berlin`,
  explore_posts: 'select id from explore_posts()',
  following_posts: 'select id from following_posts()',
  known_usernames: `select * from known_usernames('ada emil fay first.ben nobody') order by 1`,
  media_in_storage: 'select media_in_storage()',
  media_limit: 'select media_limit()',
  muted_members: 'select * from muted_members() order by id',
  my_conversations: `select folder, c.id, c.ordinality from unnest(array['inbox', 'requests', 'archived']) as folder,
    my_conversations(in_folder => folder) with ordinality as c order by 1, 3`,
  my_sessions: 'select * from my_sessions() order by id',
  my_state: 'select * from my_state()',
  my_unused_objects: 'select * from my_unused_objects() order by 1',
  new_sign_ins: 'select * from new_sign_ins() order by id',
  notification_groups: 'select * from notification_groups()',
  people_to_follow: 'select * from people_to_follow()',
  popular_hashtags: 'select * from popular_hashtags() order by 1',
  renamed_to: `select renamed_to('first.ada') as ada, renamed_to('first.fay') as fay`,
  search_messages: found('search_messages', 'id', 'hello', 'harbour'),
  search_posts: found('search_posts', 'id', 'harbour', 'fog', 'berlin'),
  // Without their order: that of members who are not found by a prefix is any.
  search_profiles: `select word, r.username from unnest(array['a', 'emil', 'fay']) as word, search_profiles(word) as r order by 1, 2`,
  search_topics: found('search_topics', 'label', 'fog', 'garden', 'secret', 'berlin', 'p'),
  session_end: `select * from session_end('${idOf('tablet')}')`,
  shown_comment_count: 'select p.id, shown_comment_count(p) from posts p order by 1',
  shown_follower_count: 'select p.id, shown_follower_count(p) from profiles p order by 1',
  shown_following_count: 'select p.id, shown_following_count(p) from profiles p order by 1',
  shown_like_count:
    'select p.id, shown_like_count(p) from posts p union all select c.id, shown_like_count(c) from comments c order by 1',
  shown_post_count: 'select p.id, shown_post_count(p) from profiles p order by 1',
  shown_reply_count: 'select c.id, shown_reply_count(c) from comments c order by 1',
  signed_in_recently: 'select signed_in_recently()',
  unread_conversations: 'select unread_conversations()',
  unread_groups: 'select * from unread_groups(array(select id from conversations)) order by 1',
  unread_notifications: 'select unread_notifications()',
  username_available: `select username_available('ada') as ada, username_available('first.ben') as ben, username_available('first.jon') as jon`,
}

/** SQL by the name of what it asks. */
export type Questions = Record<string, string>

/** Asks for all of a table's rows with these columns, which are listed because a later schema may have more. */
const rowsOf = (columns: unknown, table: unknown): string =>
  `select ${columns} from ${table} order by row(${columns})::text`

/** Makes the questions for a schema: the surfaces above, and all rows and columns of its tables. Throws for a function that nobody calls. */
export async function questionsFor({
  sql,
}: Pick<EarlierDatabase, 'sql'>): Promise<Record<'members' | 'owner', Questions>> {
  const tables = await sql(`
    select case
        -- A former table may have the name of a new one.
        when n.nspname in ('public', 'private') and to_regclass('former.' || c.relname) is null then c.relname
        else n.nspname || '.' || c.relname
      end as name,
      string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns,
      string_agg(quote_ident(a.attname), ', ' order by a.attnum)
        filter (where n.nspname = 'public' and has_column_privilege('authenticated', c.oid, a.attnum, 'select')) as shown
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where n.nspname in ('public', 'private', 'auth', 'storage') and c.relkind = 'r' group by 1`)
  const functions = await sql(`
    select distinct proname as name from pg_proc p where pronamespace = 'public'::regnamespace and provolatile <> 'v'
      and has_function_privilege('authenticated', p.oid, 'execute') and proname <> 'setup_status'`)
  const [stored] = await sql(`select string_agg(quote_literal(name), ', ') as keys from storage.objects`)
  const members: Questions = {
    ...SURFACES,
    'storage.objects': 'select name from storage.objects order by name',
    'visible_objects()': `select distinct key from private.visible_objects(array[${stored?.keys}]) as key order by key`,
  }
  const owner: Questions = {
    'used objects': 'select name, private.is_object_used(name) from storage.objects order by name',
  }
  for (const { name, columns, shown } of tables) {
    owner[`rows of ${name}`] = rowsOf(columns, name)
    if (shown !== null) members[`shown rows of ${name}`] = rowsOf(shown, name)
  }
  for (const { name } of functions) {
    const call = CALLS[String(name)]
    if (call === undefined) throw new Error(`Add a call of ${name}() to CALLS`)
    members[`${name}()`] = call
  }
  return { members, owner }
}

/** What the questions need before they are asked. */
export const SEARCH_PATH = 'set search_path = former, public, private'

/** One statement for all questions: planning a hundred takes most of the time. */
export const all = (questions: Questions) =>
  Object.entries(questions)
    .map(
      ([name, each]) =>
        `select '${name}' as question, (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from (${each}) r) as rows`,
    )
    .join(' union all ')

/** The answers to each question, by who was asked. */
export type Answers = Map<string, Record<string, unknown[]>>

/** Makes the former shapes in an upgraded database. */
export async function restoreFormer({ sql }: Pick<EarlierDatabase, 'sql'>): Promise<void> {
  const grants = ['usage on schema former', 'select on all tables in schema former']
  for (const statement of [
    'create schema former',
    ...FORMER,
    ...grants.map((grant) => `grant ${grant} to authenticated`),
  ])
    await sql(statement)
}

/** Asks each member, and the database's owner. */
export async function ask(
  { as, sql }: EarlierDatabase,
  { members, owner }: Awaited<ReturnType<typeof questionsFor>>,
): Promise<Answers> {
  const answers: Answers = new Map()
  await sql(SEARCH_PATH)
  for (const who of ['owner', ...MEMBERS]) {
    const answered = await (who === 'owner' ? sql(all(owner)) : as(idOf(who), all(members)))
    for (const { question, rows } of answered)
      answers.set(String(question), { ...answers.get(String(question)), [who]: rows as unknown[] })
  }
  await sql('reset search_path')
  return answers
}
