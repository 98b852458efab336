import { AppError } from '#/renderer/lib/core/errors'
import type { Database } from '#/shared/database.types'
import { type Field, fieldsIn, isObject } from './checked-values'

/** `?`: or null. */
type Form = 'text' | 'text?' | 'number' | 'number?' | 'yes' | 'any'

type Public = Database['public']
type TableRow = Public['Tables'][keyof Public['Tables']]['Row']
type Returned = Public['Functions'][keyof Public['Functions']]['Returns']
type FoundRow = Returned extends infer R ? (R extends readonly (infer Row)[] ? Columns<Row> : never) : never
/** Leaves out JSON, which has any columns. */
type Columns<Row> = Row extends Record<string, unknown> ? (string extends keyof Row ? never : Row) : never
type ColumnsOf<Row> = Row extends unknown ? keyof Row & string : never
type ValueOf<Row, Column> = Row extends unknown ? (Column extends keyof Row ? Row[Column] : never) : never

// The generated types do not know which columns of functions may be null. `withinLimits` checks counts, and leaves null.
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

/** All columns of tables and functions. By name: no column's form depends on its table, except that some may be null in one. */
const FORMS: Readonly<{
  [Column in ColumnsOf<TableRow | FoundRow>]: FormOf<ValueOf<TableRow | FoundRow, Column>>
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
  camera: 'any',
  cleared_at: 'text?',
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
  ended_at: 'text?',
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
  full_name: 'text',
  full_path: 'text',
  grid_path: 'text',
  group_key: 'text',
  height: 'number',
  id: 'text',
  image_height: 'number?',
  image_path: 'text?',
  image_url: 'text?',
  image_width: 'number?',
  is_current: 'yes',
  is_last_read: 'yes',
  is_match: 'yes',
  is_private: 'yes',
  kind: 'text',
  label: 'text',
  last_active_at: 'text',
  last_message_at: 'text',
  last_used_at: 'text?',
  like_count: 'number?',
  location: 'text?',
  media_height: 'number?',
  media_path: 'text?',
  media_type: 'text',
  media_url: 'text?',
  media_width: 'number?',
  member_id: 'text',
  message: 'text?',
  middle_path: 'text?',
  muted_id: 'text',
  muter_id: 'text',
  name: 'text',
  new_messages_from: 'text',
  parent_id: 'text?',
  participant_1: 'text',
  participant_1_wrote: 'yes',
  participant_2: 'text',
  participant_2_wrote: 'yes',
  photo_id: 'text?',
  pinned_at: 'text?',
  position: 'number',
  post_content: 'text?',
  post_count: 'number?',
  post_id: 'text?',
  poster_path: 'text?',
  read: 'yes',
  read_at: 'text?',
  reason: 'text?',
  recipient_id: 'text',
  recipient_reaction: 'text?',
  reply_count: 'number?',
  reply_to_id: 'text?',
  reporter_id: 'text',
  requester_id: 'text',
  sender_id: 'text',
  sender_reaction: 'text?',
  sent: 'yes',
  shared_kind: 'text?',
  shared_post_id: 'text?',
  shared_profile_id: 'text?',
  shared_story_id: 'text?',
  show_activity_status: 'yes',
  started_by: 'text?',
  story_id: 'text?',
  tag: 'text',
  tagged_user_id: 'text',
  target_id: 'text',
  thumbhash: 'text?',
  thumbnail_path: 'text?',
  thumbnail_url: 'text?',
  topic: 'text',
  type: 'text',
  undelivered: 'yes',
  unread: 'yes',
  updated_at: 'text',
  user_agent: 'text?',
  user_id: 'text',
  username: 'text',
  viewer_id: 'text',
  website: 'text?',
  width: 'number',
}

/** Names under which queries embed the rows of other tables. */
const EMBEDDED = {
  row: new Set(['author', 'actor', 'comment', 'person', 'post', 'requester', 'viewer']),
  list: new Set(['actors', 'follows_me', 'latest', 'mine', 'my_like', 'my_save', 'my_view', 'photos']),
} as const

/** A server's time, as `Date` and `Intl` take it. */
function isTime(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-/.test(value) && !Number.isNaN(Date.parse(value))
}

/** Columns of Postgres's `integer`; counts have their own check. */
function isInteger(value: unknown): boolean {
  return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31
}

function isColumn(name: string): name is keyof typeof FORMS {
  return Object.hasOwn(FORMS, name)
}

function isRight({ row, column, value }: Field): boolean {
  // PostgREST embeds an empty list; only `actors` comes from a function, which may find none.
  if (EMBEDDED.list.has(column))
    return Array.isArray(value) ? value.every(isObject) : value === null && column === 'actors'
  if (EMBEDDED.row.has(column)) return isObject(value) || (value === null && column !== 'author')
  // Of the rows with a `content`, only stories and groups of notifications may have none.
  if (column === 'content' && value === null) return 'media_type' in row || 'group_key' in row
  if (!isColumn(column)) return true
  const form: Form = FORMS[column]
  if (form === 'any' || (value === null && form.endsWith('?'))) return true
  if (form === 'yes') return typeof value === 'boolean'
  if (form.startsWith('number')) return isInteger(value)
  return column.endsWith('_at') ? isTime(value) : typeof value === 'string'
}

/**
 * Rows whose columns have the forms of the database: a server may answer anything, and a screen that draws an object or the length of
 * null fails as a whole. Returns them. Throws an `AppError` like an answer of a server that fails, for which every screen has a place.
 */
export function withRightForms<T>(rows: T): T {
  if (Array.isArray(rows) && !rows.every(isObject)) throw new AppError('server', '', 'rows of a wrong form')
  for (const field of fieldsIn(rows))
    if (!isRight(field)) throw new AppError('server', '', `a wrong form of ${field.column}`)
  return rows
}
