import { MEDIA_LIMITS } from '#/shared/limits'

/**
 * What the embedded server serves: the requests of the app and the calls of a hosted project that the specification
 * names, nothing else. docs/security.md explains it; tests/backend/http compares it with the database.
 */

export type RestMethod = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'

/** A table or the result of a function, as far as a query may name it. */
export interface ServedRows {
  /** Names separated by spaces. Every other column is unknown to a request. */
  columns: string
  /** Columns with pictures and videos: they can be selected, but neither filtered nor ordered by. */
  media?: string
  /**
   * Columns with members' own words. A filter can compare them for equality only: filters run before row security, and
   * with `gt` and `lt` the response time would find out a hidden text letter by letter.
   */
  texts?: string
  /** Columns that `ilike` may search, for a text anywhere in them. */
  searchable?: string
  /** Tables that may be embedded, by the foreign key that leads there; a row has one such row. */
  one?: Record<string, string>
  /** Tables that may be embedded, by the foreign key that leads here; a row has any number of such rows. */
  many?: Record<string, string>
}

export interface ServedTable extends ServedRows {
  methods: readonly RestMethod[]
  /** The unique columns that an upsert may name in `on_conflict`, as it names them. */
  onConflict?: string
  /** Characters of the largest picture or video that a row holds, where they exceed `REST_LIMITS.body`. */
  mediaMax?: number
}

export interface ServedFunction {
  /** Argument names separated by spaces. */
  args: string
  /** The rows it returns; without them it returns a value or nothing. */
  rows?: ServedRows
}

/** The bounds of one request. The app's own requests stay well below each. */
export const REST_LIMITS = {
  /** Characters of path and query; a list of 400 ids fits. */
  url: 20_000,
  /** Parameters of a query. */
  parameters: 24,
  /** Filters of a request, those inside `or` and of embedded tables included. */
  conditions: 24,
  /** Values of an `in` list. */
  list: 400,
  /** `or` and `and` inside each other. */
  logicDepth: 2,
  /** Characters of one value. */
  value: 4_000,
  /** Characters that an `ilike` searches for. */
  search: 100,
  /** Tables inside tables inside the one that is asked for. */
  embedDepth: 2,
  /** Embedded tables of a request. */
  embeds: 6,
  /** Rows of a read that embeds lists, and rows of each list; also where the request names no limit. */
  embedding: 100,
  /** Columns that a request orders by. */
  order: 3,
  limit: 1_000,
  offset: 10_000,
  /** Rows of one insert. */
  rows: 500,
  /** Bytes of a body, besides the picture or video of one row. Below what database/bounds.ts takes for media. */
  body: 250_000,
  /** Characters of a value of a body that is no picture or video; a member's longest text has half as many. */
  bodyValue: 16_000,
} as const

const SEE = ['GET', 'HEAD'] as const
const PROFILE = 'profiles'
const FOUND_MEMBER: ServedRows = { columns: 'id username full_name avatar_url' }
const LISTED_MEMBER: ServedRows = { columns: 'id username full_name avatar_url created_at' }

const CONVERSATION: ServedRows = {
  columns:
    'id participant_1 participant_2 participant_1_wrote participant_2_wrote started_by created_at last_message_at',
  one: { conversations_participant_1_fkey: PROFILE, conversations_participant_2_fkey: PROFILE },
  many: { messages_conversation_id_fkey: 'messages' },
}

export const SERVED_TABLES: Readonly<Record<string, ServedTable>> = {
  profiles: {
    methods: [...SEE, 'POST', 'PATCH'],
    columns:
      'id username full_name bio website avatar_url is_private show_activity_status allow_story_replies post_count follower_count following_count created_at updated_at',
    media: 'avatar_url',
    searchable: 'username full_name',
  },
  posts: {
    methods: [...SEE, 'POST', 'PATCH', 'DELETE'],
    columns:
      'id user_id content image_url thumbnail_url image_width image_height location alt_text audience like_count comment_count created_at edited_at',
    texts: 'content location alt_text',
    media: 'image_url thumbnail_url',
    mediaMax: MEDIA_LIMITS.image.characters,
    one: { posts_user_id_fkey: PROFILE },
    many: {
      likes_post_id_fkey: 'likes',
      saved_posts_post_id_fkey: 'saved_posts',
    },
  },
  post_tags: {
    methods: SEE,
    columns: 'post_id tagged_user_id created_at',
    one: { post_tags_post_id_fkey: 'posts' },
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
    columns: 'id post_id user_id content created_at',
    texts: 'content',
    one: { comments_user_id_fkey: PROFILE, comments_post_id_fkey: 'posts' },
  },
  follows: {
    methods: [...SEE, 'POST', 'DELETE'],
    columns: 'follower_id following_id created_at',
    one: { follows_follower_id_fkey: PROFILE, follows_following_id_fkey: PROFILE },
    onConflict: 'follower_id,following_id',
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
      'id user_id media_url media_type content thumbnail_url media_width media_height duration_ms audience created_at expires_at',
    texts: 'content',
    media: 'media_url thumbnail_url',
    mediaMax: MEDIA_LIMITS.video.characters,
    one: { stories_user_id_fkey: PROFILE },
    many: { story_views_story_id_fkey: 'story_views' },
  },
  story_views: {
    methods: [...SEE, 'POST'],
    columns: 'story_id viewer_id created_at',
    one: { story_views_viewer_id_fkey: PROFILE },
  },
  notifications: {
    methods: [...SEE, 'POST', 'PATCH'],
    columns: 'id user_id type about actor_id post_id comment_id story_id message read created_at',
    texts: 'message',
    one: {
      notifications_actor_id_fkey: PROFILE,
      notifications_post_id_fkey: 'posts',
      notifications_comment_id_fkey: 'comments',
    },
  },
  conversations: { ...CONVERSATION, methods: [...SEE, 'POST', 'PATCH'] },
  messages: {
    methods: [...SEE, 'POST', 'PATCH'],
    columns:
      'id conversation_id sender_id recipient_id content read read_at created_at deleted_at reply_to_id photo_id thumbnail_url image_width image_height story_id answers_story sender_reaction recipient_reaction',
    texts: 'content',
    media: 'thumbnail_url',
    one: { messages_sender_id_fkey: PROFILE },
  },
  message_photos: {
    methods: [...SEE, 'POST'],
    columns: 'id sender_id conversation_id image_url sent created_at',
    media: 'image_url',
    mediaMax: MEDIA_LIMITS.image.characters,
  },
  activity: { methods: SEE, columns: 'user_id last_active_at' },
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

/** Functions are called with POST only. */
export const SERVED_FUNCTIONS: Readonly<Record<string, ServedFunction>> = {
  setup_status: { args: '' },
  username_available: { args: 'name' },
  renamed_to: { args: 'name' },
  search_profiles: { args: 'query', rows: FOUND_MEMBER },
  accept_follow_request: { args: 'requester' },
  unread_notifications: { args: '' },
  unread_conversations: { args: '' },
  my_conversations: { args: 'before_at before_id', rows: CONVERSATION },
  blocked_members: { args: '', rows: LISTED_MEMBER },
  muted_members: { args: '', rows: LISTED_MEMBER },
  touch_activity: { args: '' },
  my_sessions: { args: '', rows: { columns: 'id created_at last_used_at user_agent is_current' } },
  signed_in_recently: { args: '' },
  clear_account: { args: '' },
  delete_account: { args: '' },
}

/** Pictures that an embed leaves out where it may show the same row many times; an avatar is small. */
export const MEDIA_ONCE: readonly string[] = ['image_url', 'media_url', 'thumbnail_url']

/** The embeds of one row that may have them: a member's own lists, in which a post stands once. */
export const EMBEDS_WITH_MEDIA: readonly string[] = ['saved_posts_post_id_fkey', 'post_tags_post_id_fkey']
