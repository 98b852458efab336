import type { Database } from '#/shared/database.types'
/** `?`: or null. */
export type Form = 'text' | 'text?' | 'number' | 'number?' | 'yes' | 'any'

type Public = Database['public']
type TableRow = Public['Tables'][keyof Public['Tables']]['Row']
type Returned = Public['Functions'][keyof Public['Functions']]['Returns']
type FoundRow = Returned extends infer R ? (R extends readonly (infer Row)[] ? Columns<Row> : never) : never
/** Leaves out JSON, which has any columns. */
type Columns<Row> = Row extends Record<string, unknown> ? (string extends keyof Row ? never : Row) : never
type ColumnsOf<Row> = Row extends unknown ? keyof Row & string : never
type ValueOf<Row, Column> = Row extends unknown ? (Column extends keyof Row ? Row[Column] : never) : never

// The generated types do not know which columns of functions may be null.
type FormOf<Value> = [Value] extends [boolean]
  ? 'yes'
  : [Value] extends [number]
    ? 'number' | 'number?'
    : [Value] extends [number | null]
      ? 'number?'
      : [Value] extends [string]
        ? 'text' | 'text?'
        : [Value] extends [string | null]
          ? 'text?'
          : 'any'

type ResultOf<Returns> = [Returns] extends [undefined]
  ? 'nothing'
  : Returns extends readonly (infer Row)[]
    ? readonly (keyof Row & string)[]
    : FormOf<Returns>

/** Asked for under the names of the counters that they correct. */
type Waiting = `shown_${string}`

/** All columns of tables and functions. By name: no column's form depends on its table, except that some may be null in one. */
const FORMS: Readonly<{
  [Column in Exclude<ColumnsOf<TableRow | FoundRow>, Waiting>]: FormOf<ValueOf<TableRow | FoundRow, Column>>
}> = {
  about: 'text?',
  accepted: 'yes',
  actor_count: 'number?',
  actor_id: 'text',
  actors: 'any',
  allow_story_replies: 'yes',
  alt_text: 'text?',
  answers_story: 'yes',
  audience: 'text',
  avatar_path: 'text?',
  avatar_url: 'text?',
  bio: 'text',
  blocked_id: 'text',
  blocker_id: 'text',
  bytes: 'number?',
  camera: 'any',
  captions: 'text?',
  cleared_at: 'text?',
  color_space: 'text?',
  comment_count: 'number?',
  comment_id: 'text?',
  content: 'text?',
  conversation_id: 'text',
  conversations: 'number?',
  created_at: 'text',
  deleted_at: 'text?',
  delivered_at: 'text?',
  details: 'text?',
  duration_ms: 'number?',
  edited_at: 'text?',
  emoji: 'text',
  ended_at: 'text?',
  epoch: 'number',
  expires_at: 'text',
  feed_path: 'text',
  folder: 'text',
  followed_by: 'text?',
  followed_by_count: 'number?',
  follower_count: 'number?',
  follower_id: 'text',
  following_count: 'number?',
  following_id: 'text',
  forwarded: 'yes',
  from_start: 'yes',
  full_name: 'text',
  full_path: 'text',
  grid_path: 'text',
  group_key: 'text',
  has_captions: 'yes',
  has_sound: 'any',
  height: 'number',
  id: 'text',
  image_height: 'number?',
  image_url: 'text?',
  image_width: 'number?',
  invited_by: 'text?',
  is_current: 'yes',
  is_group: 'yes',
  is_last_read: 'yes',
  is_match: 'yes',
  is_private: 'yes',
  joined_at: 'text?',
  kind: 'text',
  label: 'text',
  last_active_at: 'text',
  last_message_at: 'text',
  last_used_at: 'text?',
  left_at: 'text?',
  like_count: 'number?',
  listed_at: 'text',
  location: 'text?',
  mark_at: 'text?',
  mark_id: 'text?',
  media_height: 'number?',
  media_id: 'text?',
  media_path: 'text?',
  media_type: 'text?',
  media_url: 'text?',
  media_width: 'number?',
  member_id: 'text',
  message: 'text?',
  message_id: 'text',
  middle_path: 'text?',
  muted_id: 'text',
  muted_until: 'text?',
  muter_id: 'text',
  name: 'text?',
  new_messages_from: 'text',
  parent_id: 'text?',
  participant_1: 'text?',
  participant_1_wrote: 'yes',
  participant_2: 'text?',
  participant_2_wrote: 'yes',
  peaks: 'any',
  picture_path: 'text?',
  pictured_by: 'text?',
  pinned_at: 'text?',
  position: 'number',
  post_content: 'text?',
  post_count: 'number?',
  post_id: 'text?',
  poster_path: 'text?',
  read: 'yes',
  read_at: 'text?',
  read_id: 'text?',
  read_receipts: 'yes',
  reads_after: 'text',
  reason: 'text?',
  recipient_id: 'text?',
  reply_count: 'number?',
  reply_to_id: 'text?',
  reporter_id: 'text',
  requester_id: 'text',
  role: 'text',
  sees_members: 'yes',
  sender_id: 'text',
  sent: 'yes',
  shared_kind: 'text?',
  shared_post_id: 'text?',
  shared_profile_id: 'text?',
  shared_story_id: 'text?',
  show_activity_status: 'yes',
  started_by: 'text?',
  state: 'text',
  story_id: 'text?',
  tag: 'text',
  tagged_user_id: 'text',
  target_id: 'text',
  thumbhash: 'text?',
  thumbnail_url: 'text?',
  topic: 'text',
  type: 'text',
  undelivered: 'yes',
  unread: 'yes',
  until: 'text?',
  updated_at: 'text',
  user_agent: 'text?',
  user_id: 'text',
  username: 'text',
  version: 'number',
  viewer_id: 'text',
  website: 'text?',
  width: 'number',
  writes: 'yes',
}

/** What functions return that return no rows of a table: a value, or rows with these columns. The renderer does not ask for the excluded ones. */
export const RESULTS: Readonly<{
  [Name in Exclude<
    keyof Public['Functions'],
    'setup_status' | 'waiting_objects' | Waiting
  > as Public['Functions'][Name] extends {
    SetofOptions: unknown
  }
    ? never
    : Name]: ResultOf<Public['Functions'][Name]['Returns']>
}> = {
  accept_follow_request: 'nothing',
  answer_sign_in: 'nothing',
  block_members: 'nothing',
  blocked_members: ['id', 'username', 'full_name', 'avatar_url', 'avatar_path', 'created_at'],
  clear_account: 'yes',
  conversation_folders: ['folder', 'conversations'],
  count_topic_posts: 'number',
  create_post: ['id', 'created_at'],
  delete_account: 'nothing',
  delete_comments: 'nothing',
  delete_posts: 'nothing',
  delete_stories: 'nothing',
  edit_message: 'nothing',
  end_follow: 'nothing',
  end_session: 'nothing',
  known_usernames: ['username'],
  mark_delivered: 'nothing',
  mark_read: 'yes',
  media_in_storage: 'yes',
  media_limit: 'number?',
  muted_members: ['id', 'username', 'full_name', 'avatar_url', 'avatar_path', 'created_at'],
  my_sessions: ['id', 'created_at', 'last_used_at', 'user_agent', 'is_current'],
  my_state: ['state', 'until', 'reason'],
  my_unused_objects: ['name'],
  new_sign_ins: ['id', 'created_at', 'user_agent'],
  notification_groups: [
    'id',
    'group_key',
    'type',
    'about',
    'message',
    'post_id',
    'comment_id',
    'story_id',
    'created_at',
    'read',
    'content',
    'actor_count',
    'actors',
  ],
  people_to_follow: [
    'id',
    'username',
    'full_name',
    'avatar_url',
    'avatar_path',
    'followed_by',
    'followed_by_count',
  ],
  popular_hashtags: ['topic', 'label'],
  register_device: 'nothing',
  renamed_to: 'text?',
  search_messages: [
    'id',
    'conversation_id',
    'sender_id',
    'content',
    'created_at',
    'is_match',
    'is_last_read',
  ],
  search_profiles: ['id', 'username', 'full_name', 'avatar_url', 'avatar_path'],
  search_topics: ['kind', 'topic', 'label'],
  session_end: ['reason', 'ended_at'],
  settle: 'number?',
  signed_in_recently: 'yes',
  touch_activity: 'nothing',
  unread_conversations: 'number',
  unread_groups: ['conversation_id'],
  unread_notifications: 'number',
  unsend_message: 'nothing',
  username_available: 'yes',
}

/** The columns of the lists in JSON columns, which no query names. */
export const JSON_LISTS: ReadonlyMap<string, string> = new Map([
  ['actors', 'id,username,avatar_url,avatar_path,is_private'],
])

/** Names under which queries embed lists of rows; under all others they embed one row. */
export const LISTS: ReadonlySet<string> = new Set([
  'follows_me',
  'latest',
  'media',
  'mine',
  'my_like',
  'my_save',
  'my_view',
  'reactions',
])

/** Rows of such lists that have fewer than others: a message has one reaction of each member. */
export const LISTS_MOST: ReadonlyMap<string, number> = new Map([['reactions', 100]])

/** A server's time, as `Date` and `Intl` take it. */
function isTime(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-/.test(value) && !Number.isNaN(Date.parse(value))
}

/** Columns of Postgres's `integer`; counts have their own check. */
function isInteger(value: unknown): boolean {
  return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31
}

/** Whether a value has a form. */
export function hasForm(value: unknown, form: Form): boolean {
  if (form === 'any' || (value === null && form.endsWith('?'))) return true
  if (form === 'yes') return typeof value === 'boolean'
  return form.startsWith('number') ? isInteger(value) : typeof value === 'string'
}

function isColumn(name: string): name is keyof typeof FORMS {
  return Object.hasOwn(FORMS, name)
}

/**
 * Whether a value is one of a column of the database.
 *
 * @param name under which the query asks for the column, which may be the name of another column
 */
export function isOfColumn(value: unknown, name: string, column: string): boolean {
  const known = isColumn(name) ? name : column
  if (!isColumn(known)) return false
  return hasForm(value, FORMS[known]) && (value === null || !known.endsWith('_at') || isTime(value))
}
