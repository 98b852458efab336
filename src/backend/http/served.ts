import { MEDIA_LIMITS } from '#/shared/limits'

/**
 * Allowlist of the embedded server: the requests of the app, and the calls of other clients that are promised to work.
 * docs/security.md explains it; tests/backend/http/rest compares it with the database.
 */

export type RestMethod = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'

/** The columns and embeds of a table, or of a function's rows, that a query may name. */
export interface ServedRows {
  /** Names separated by spaces. */
  columns: string
  /** Columns with pictures and videos: they can be selected, but not used in filters or orders. */
  media?: string
  /**
   * Columns with members' texts, which filters can only compare for equality: filters run before row security, and the
   * response time of `gt` and `lt` would reveal a hidden text letter by letter.
   */
  texts?: string
  /** Columns that `ilike` may search. */
  searchable?: string
  /** Tables that may be embedded as one row, by the foreign key of this table. */
  one?: Record<string, string>
  /** Tables that may be embedded as a list, by their foreign key. */
  many?: Record<string, string>
}

export interface ServedTable extends ServedRows {
  methods: readonly RestMethod[]
  /** The accepted value of `on_conflict`. */
  onConflict?: string
  /** The primary key, if it is neither `id` nor the value of `onConflict`. */
  key?: string
  /** Characters of a row's largest picture or video, if they may exceed `REST_LIMITS.body`. */
  mediaMax?: number
  /** Rows of an insert, if fewer than `REST_LIMITS.rows`. */
  insertRows?: number
}

export interface ServedFunction {
  /** Argument names separated by spaces. `query` is a text that is searched for. */
  args: string
  /** Arguments that are lists of objects. */
  lists?: string
  /** The rows that it returns; left out if it returns a value or nothing. */
  rows?: ServedRows
}

/** Limits of one request. The app's requests stay far below them. */
export const REST_LIMITS = {
  /** Characters of path and query; a list of 400 ids fits. */
  url: 20_000,
  /** Query parameters. */
  parameters: 24,
  /** Filters, including filters inside `or` and of embedded tables. */
  conditions: 24,
  /** Values of an `in` list. */
  list: 400,
  /** Nesting of `or` and `and`. */
  logicDepth: 2,
  /** Characters of a value. */
  value: 4_000,
  /** Characters that an `ilike` searches for. */
  search: 100,
  /** Nesting of embedded tables. */
  embedDepth: 2,
  /** Embedded tables. */
  embeds: 6,
  /** Rows of a read that embeds lists, and rows of each list. Also the default of the read. */
  embedding: 100,
  /** Rows of a read, times the rows of all its lists. The default of each list uses it up. */
  listRows: 2_000,
  /** Rows of a read, times the tables of which one row is embedded in each. Also the default. */
  embeddedRows: 2_000,
  /** Columns in `order`. */
  order: 3,
  limit: 1_000,
  offset: 10_000,
  /** Rows of an insert. */
  rows: 100,
  /** Bytes of a body without the picture or video of one row. Below INLINE_MEDIA_BYTES in database/bounds.ts. */
  body: 250_000,
  /** Characters of a body's value that is not a picture or video; twice as many as a member's longest text. */
  bodyValue: 16_000,
  /** The same in a list of objects: a photo's alternative text, and its camera details as JSON. */
  listValue: 6_000,
  /** Characters of the text that a function searches for. The app's fields have 100. */
  query: 400,
  /**
   * Marks in a row. PostgreSQL takes time by the square of their number to compose a text, before any check of its length: a second for
   * 16,000.
   */
  marks: 250,
} as const

/** Triggers insert up to 30 hashtags and 20 mentions of each text: fifty posts would take most of a statement's second. */
const TEXTS_AT_ONCE = 20

const SEE = ['GET', 'HEAD'] as const
const PROFILE = 'profiles'
const FOUND_MEMBER: ServedRows = { columns: 'id username full_name avatar_url avatar_path' }
const LISTED_MEMBER: ServedRows = { columns: 'id username full_name avatar_url avatar_path created_at' }

const CONVERSATION: ServedRows = {
  columns:
    'id participant_1 participant_2 participant_1_wrote participant_2_wrote started_by created_at last_message_at',
  one: { conversations_participant_1_fkey: PROFILE, conversations_participant_2_fkey: PROFILE },
  many: {
    messages_conversation_id_fkey: 'messages',
    conversation_members_conversation_id_fkey: 'conversation_members',
  },
}

const POST: ServedRows = {
  columns:
    'id user_id content image_url thumbnail_url image_width image_height location alt_text audience like_count comment_count created_at edited_at',
  texts: 'content location alt_text',
  media: 'image_url thumbnail_url',
  one: { posts_user_id_fkey: PROFILE },
  many: {
    likes_post_id_fkey: 'likes',
    saved_posts_post_id_fkey: 'saved_posts',
    post_photos_post_id_fkey: 'post_photos',
  },
}

export const SERVED_TABLES: Readonly<Record<string, ServedTable>> = {
  profiles: {
    methods: [...SEE, 'POST', 'PATCH'],
    columns:
      'id username full_name bio website avatar_url avatar_path is_private show_activity_status allow_story_replies new_messages_from post_count follower_count following_count created_at updated_at',
    texts: 'avatar_path',
    media: 'avatar_url',
    many: { follows_follower_id_fkey: 'follows' },
    searchable: 'username full_name',
  },
  posts: {
    ...POST,
    methods: [...SEE, 'POST', 'PATCH', 'DELETE'],
    mediaMax: MEDIA_LIMITS.image.characters,
    insertRows: TEXTS_AT_ONCE,
  },
  post_photos: {
    methods: [...SEE, 'PATCH'],
    columns:
      'id user_id post_id position full_path middle_path feed_path grid_path width height thumbhash alt_text camera',
    texts: 'full_path middle_path feed_path grid_path thumbhash alt_text',
  },
  post_tags: {
    methods: SEE,
    columns: 'post_id tagged_user_id created_at',
    key: 'post_id,tagged_user_id',
    one: { post_tags_post_id_fkey: 'posts' },
  },
  post_topics: {
    methods: SEE,
    columns: 'user_id post_id kind topic label audience created_at',
    texts: 'topic label',
    key: 'post_id,kind,topic',
    one: { post_topics_post_id_fkey: 'posts' },
  },
  likes: {
    methods: [...SEE, 'POST', 'DELETE'],
    columns: 'post_id user_id created_at',
    one: { likes_user_id_fkey: PROFILE, likes_post_id_fkey: 'posts' },
    onConflict: 'post_id,user_id',
  },
  saved_posts: {
    methods: [...SEE, 'POST', 'DELETE'],
    columns: 'user_id post_id created_at',
    one: { saved_posts_post_id_fkey: 'posts' },
    onConflict: 'user_id,post_id',
  },
  comments: {
    methods: [...SEE, 'POST', 'DELETE'],
    columns: 'id post_id user_id parent_id content like_count reply_count created_at',
    texts: 'content',
    one: { comments_user_id_fkey: PROFILE, comments_post_id_fkey: 'posts' },
    many: { comment_likes_comment_id_fkey: 'comment_likes' },
  },
  comment_likes: {
    methods: [...SEE, 'POST', 'DELETE'],
    columns: 'comment_id user_id created_at',
    one: { comment_likes_comment_id_fkey: 'comments' },
    onConflict: 'comment_id,user_id',
  },
  follows: {
    methods: [...SEE, 'POST', 'DELETE'],
    columns: 'follower_id following_id created_at',
    one: { follows_follower_id_fkey: PROFILE, follows_following_id_fkey: PROFILE },
    onConflict: 'follower_id,following_id',
  },
  hashtag_follows: {
    methods: [...SEE, 'POST', 'DELETE'],
    columns: 'follower_id tag created_at',
    texts: 'tag',
    onConflict: 'follower_id,tag',
  },
  follow_requests: {
    methods: [...SEE, 'POST', 'DELETE'],
    columns: 'requester_id target_id created_at',
    one: { follow_requests_requester_id_fkey: PROFILE, follow_requests_target_id_fkey: PROFILE },
    onConflict: 'requester_id,target_id',
  },
  stories: {
    methods: [...SEE, 'POST', 'DELETE'],
    columns:
      'id user_id media_url media_type content thumbnail_url media_width media_height duration_ms audience created_at expires_at media_path poster_path thumbhash',
    texts: 'content media_path poster_path thumbhash',
    media: 'media_url thumbnail_url',
    mediaMax: MEDIA_LIMITS.video.characters,
    insertRows: TEXTS_AT_ONCE,
    one: { stories_user_id_fkey: PROFILE },
    many: { story_views_story_id_fkey: 'story_views' },
  },
  story_views: {
    methods: [...SEE, 'POST'],
    columns: 'story_id viewer_id created_at',
    key: 'story_id,viewer_id',
    one: { story_views_viewer_id_fkey: PROFILE },
  },
  notifications: {
    methods: [...SEE, 'POST', 'PATCH'],
    columns: 'id user_id type about actor_id post_id comment_id story_id message read created_at group_key',
    texts: 'message',
    one: {
      notifications_actor_id_fkey: PROFILE,
      notifications_post_id_fkey: 'posts',
      notifications_comment_id_fkey: 'comments',
    },
  },
  conversations: { ...CONVERSATION, methods: [...SEE, 'POST', 'PATCH'] },
  conversation_members: {
    methods: [...SEE, 'PATCH'],
    columns:
      'member_id conversation_id folder accepted unread undelivered pinned_at cleared_at delivered_at last_message_at',
    key: 'member_id,conversation_id',
  },
  messages: {
    methods: [...SEE, 'POST', 'PATCH'],
    columns:
      'id conversation_id sender_id recipient_id content read read_at created_at edited_at deleted_at forwarded reply_to_id photo_id thumbnail_url image_width image_height story_id answers_story sender_reaction recipient_reaction thumbhash shared_kind shared_post_id shared_story_id shared_profile_id',
    texts: 'content thumbhash',
    media: 'thumbnail_url',
    one: { messages_sender_id_fkey: PROFILE },
  },
  message_photos: {
    methods: [...SEE, 'POST'],
    columns: 'id sender_id conversation_id image_url sent created_at image_path thumbnail_path',
    texts: 'image_path thumbnail_path',
    media: 'image_url',
    mediaMax: MEDIA_LIMITS.image.characters,
  },
  activity: { methods: SEE, columns: 'user_id last_active_at', key: 'user_id' },
  blocks: {
    methods: [...SEE, 'POST', 'DELETE'],
    columns: 'blocker_id blocked_id created_at',
    onConflict: 'blocker_id,blocked_id',
  },
  mutes: {
    methods: [...SEE, 'POST', 'DELETE'],
    columns: 'muter_id muted_id created_at',
    onConflict: 'muter_id,muted_id',
  },
  reports: {
    methods: ['POST'],
    columns: 'id reporter_id member_id post_id reason details post_content created_at',
  },
}

/** The columns of a table's primary key. */
export function keyColumns(table: ServedTable | undefined): string[] {
  return (table?.key ?? table?.onConflict ?? 'id').split(',')
}

/** Functions, which only POST can call. */
export const SERVED_FUNCTIONS: Readonly<Record<string, ServedFunction>> = {
  setup_status: { args: '' },
  username_available: { args: 'name' },
  renamed_to: { args: 'name' },
  search_profiles: { args: 'query', rows: FOUND_MEMBER },
  people_to_follow: {
    args: '',
    rows: { columns: 'id username full_name avatar_url avatar_path followed_by followed_by_count' },
  },
  known_usernames: { args: 'names', rows: { columns: 'username' } },
  accept_follow_request: { args: 'requester' },
  following_posts: { args: 'before_at before_id', rows: POST },
  explore_posts: { args: 'before_at before_id', rows: POST },
  search_posts: { args: 'query before_at before_id', rows: POST },
  search_topics: { args: 'query', rows: { columns: 'kind topic label' } },
  popular_hashtags: { args: '', rows: { columns: 'topic label' } },
  count_topic_posts: { args: 'topic_kind topic_name' },
  unread_notifications: { args: '' },
  notification_groups: {
    args: 'before_at before_id',
    rows: {
      columns:
        'id group_key type about message post_id comment_id story_id created_at read content actor_count actors',
    },
  },
  unread_conversations: { args: '' },
  my_conversations: { args: 'before_at before_id in_folder', rows: CONVERSATION },
  conversation_folders: { args: '', rows: { columns: 'folder conversations' } },
  search_messages: {
    args: 'query in_conversation before_at before_id',
    rows: { columns: 'id conversation_id sender_id content created_at is_match is_last_read' },
  },
  blocked_members: { args: '', rows: LISTED_MEMBER },
  muted_members: { args: '', rows: LISTED_MEMBER },
  create_post: {
    args: 'post_id content location photos',
    lists: 'photos',
    rows: { columns: 'id created_at' },
  },
  media_in_storage: { args: '' },
  my_unused_objects: { args: '', rows: { columns: 'name' } },
  touch_activity: { args: '' },
  mark_delivered: { args: '' },
  my_sessions: { args: '', rows: { columns: 'id created_at last_used_at user_agent is_current' } },
  signed_in_recently: { args: '' },
  register_device: { args: 'device' },
  new_sign_ins: { args: '', rows: { columns: 'id created_at user_agent' } },
  answer_sign_in: { args: 'sign_in was_me' },
  end_session: { args: 'session' },
  session_end: { args: 'session', rows: { columns: 'reason ended_at' } },
  clear_account: { args: '' },
  delete_account: { args: '' },
}

/** Large columns that an embed cannot select if the same row may appear many times. Avatars are small. */
export const MEDIA_ONCE: readonly string[] = ['image_url', 'media_url', 'thumbnail_url']

/** Embeds that can select them: a post appears once in a member's own list, and once among the posts with a hashtag or of a place. */
export const EMBEDS_WITH_MEDIA: readonly string[] = [
  'saved_posts_post_id_fkey',
  'post_tags_post_id_fkey',
  'post_topics_post_id_fkey',
]

/** Lists that are so short that they may be embedded in embedded rows: a post has at most ten photos. */
export const SHORT_LISTS: readonly string[] = ['post_photos_post_id_fkey']
export const SHORT_LIST_ROWS = 10
