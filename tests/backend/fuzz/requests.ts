import fc from 'fast-check'
import { words } from '#tests/words'

/** A request to /rest/v1 that supabase-js would not send. */
export interface RestRequest {
  method: string
  /** Includes the query string. */
  path: string
  headers: Record<string, string>
  body?: string
}

/** Tables with some of their columns, because valid names get further than random ones. */
const TABLES = {
  profiles: ['id', 'username', 'full_name', 'is_private', 'avatar_url', 'follower_count'],
  posts: ['id', 'user_id', 'content', 'image_url', 'audience', 'state', 'created_at', 'like_count'],
  post_media: ['id', 'post_id', 'position', 'kind', 'media_path', 'duration_ms', 'captions', 'has_captions'],
  likes: ['post_id', 'user_id', 'created_at'],
  comments: ['id', 'post_id', 'user_id', 'parent_id', 'content', 'like_count', 'created_at'],
  comment_likes: ['comment_id', 'user_id', 'created_at'],
  saved_posts: ['user_id', 'post_id', 'created_at'],
  post_tags: ['post_id', 'tagged_user_id', 'created_at'],
  post_topics: ['post_id', 'kind', 'topic', 'label', 'created_at'],
  hashtag_follows: ['follower_id', 'tag', 'created_at'],
  follows: ['follower_id', 'following_id', 'created_at'],
  follow_requests: ['requester_id', 'target_id', 'created_at'],
  stories: ['id', 'user_id', 'media_url', 'content', 'audience', 'state', 'expires_at'],
  story_views: ['story_id', 'viewer_id', 'created_at'],
  notifications: ['id', 'user_id', 'actor_id', 'type', 'message', 'read'],
  conversations: ['id', 'participant_1', 'participant_2', 'last_message_at'],
  conversation_views: [
    'member_id',
    'conversation_id',
    'folder',
    'accepted',
    'pinned_at',
    'cleared_at',
    'delivered_at',
    'mark_at',
    'mark_id',
    'muted_until',
  ],
  conversation_members: ['conversation_id', 'member_id', 'role', 'state', 'invited_by', 'joined_at'],
  messages: words(`
    id conversation_id sender_id recipient_id content read deleted_at media_id shared_kind shared_post_id
    shared_profile_id
  `),
  message_media: ['id', 'sender_id', 'conversation_id', 'kind', 'image_url', 'bytes', 'peaks', 'sent'],
  message_reactions: ['message_id', 'member_id', 'conversation_id', 'emoji', 'created_at'],
  activity: ['user_id', 'last_active_at'],
  blocks: ['blocker_id', 'blocked_id', 'created_at'],
  mutes: ['muter_id', 'muted_id', 'created_at'],
  reports: ['id', 'reporter_id', 'member_id', 'reason', 'details', 'post_content'],
}
const FUNCTIONS = words(`
  setup_status username_available search_profiles known_usernames accept_follow_request end_follow edit_message unsend_message
  unread_notifications
  notification_groups unread_conversations unread_groups following_posts explore_posts search_posts search_topics
  popular_hashtags count_topic_posts my_conversations conversation_folders search_messages block_members
  delete_posts delete_comments delete_stories blocked_members muted_members renamed_to people_to_follow
  touch_activity mark_delivered mark_read settle new_sign_ins register_device answer_sign_in end_session session_end
  create_post media_limit
`)
/** Every operator of PostgREST, and invalid ones. */
const OPERATORS = [
  ...['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch', 'in', 'is', 'isdistinct'],
  ...['fts', 'plfts', 'phfts', 'wfts', 'fts(english)', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj'],
  ...words(`
    not.eq not.in not.is not.ilike not.not.eq eq(any) like(all) match(any) gt(all)
  `),
  ...['nonsense', 'constructor', ''],
]
/** Patterns that can take very long to match. */
const PATTERNS = [
  '(a+)+$',
  '(.*)*(.*)*x',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '*a*a*a*a*a*a*a*b',
  '%_%_%_%_%_%_%x',
  '(\\w+\\s?)*\\1$',
]
/** Values that break parsers of URLs, PostgREST filters, JSON and SQL. */
const NASTY = [
  '',
  '*',
  '%',
  '\\',
  "'",
  '"',
  '(',
  ')',
  '{}',
  ',',
  ';--',
  '\u0000',
  '\ud800',
  '$1',
  'null',
  'now',
  'NaN',
  '1e999',
  '-1',
  '99999999999999999999',
  '00000000-0000-0000-0000-000000000000',
  '__proto__',
  'auth.users',
  '日本',
  '🔥',
  'Zoe\u0308 İ ㅋㅠ \u034f',
  '\u0301\u200d',
  "');drop table posts;--",
]

/** Generates `odd` in one of `weight` cases, otherwise `usual`. */
const seldom = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, weight = 10): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd })

/** Random requests; `ids` exist and belong to other members. */
export function randomRequests(ids: readonly string[]): fc.Arbitrary<RestRequest> {
  const value = fc.oneof(
    fc.constantFrom(...NASTY),
    fc.constantFrom(...PATTERNS),
    { weight: 3, arbitrary: fc.constantFrom(...ids) },
    fc.string({ maxLength: 12 }),
    fc.integer().map(String),
  )
  const onTables = Object.entries(TABLES).map(([table, columns]) => requestsTo(table, columns, value))
  const onFunctions = seldom(fc.constantFrom(...FUNCTIONS), value).chain((name) =>
    requestsTo(`rpc/${name}`, ['name', 'query', 'requester', 'before_at', 'before_id'], value),
  )
  const elsewhere = fc
    .oneof(value, fc.constantFrom('rpc/pg_sleep', 'rpc/query_to_xml', 'pg_stat_activity', 'auth.users', ''))
    .chain((name) => requestsTo(name, ['id'], value))
  return fc.oneof(
    { weight: 20, arbitrary: fc.oneof(...onTables) },
    { weight: 4, arbitrary: onFunctions },
    { weight: 2, arbitrary: elsewhere },
    { weight: 6, arbitrary: oversizedRequests(ids) },
  )
}

/** Queries with one part that is far too large. */
function oversizedRequests(ids: readonly string[]): fc.Arbitrary<RestRequest> {
  const many = (count: number, part: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => part(index))
  const nested = (depth: number, open: string, inner: string) =>
    `${open.repeat(depth)}${inner}${')'.repeat(depth)}`
  const { length } = ids
  return fc
    .tuple(fc.constantFrom(...Object.entries(TABLES)), fc.integer({ min: 7, max: 600 }))
    .chain(([[table, columns], size]) => {
      const column = columns.at(-1) ?? 'id'
      const queries = [
        `select=${many(size, (index) => `a${index}:${column}`)}`,
        `select=${many(size, (index) => `a${index}:profiles(username)`)}`,
        `select=${nested(size, 'profiles(id,posts!posts_user_id_fkey(', '*').replaceAll(')', '))')}`,
        `or=${nested(size, '(or', `(${column}.eq.1)`)}`,
        `or=(${many(size, () => `${column}.neq.1`)})`,
        `${columns[0]}=in.(${many(size, (index) => ids[index % length] ?? '')})`,
        `order=${many(size, () => column)}`,
        many(size, () => `${column}=neq.1`).join('&'),
        `${column}=eq.${'a'.repeat(size * 40)}`,
        `limit=${'9'.repeat(size)}`,
        `${column}=match.${'(a+)'.repeat(size)}$`,
      ]
      return fc.constantFrom(...queries).map((query) => ({
        method: 'GET',
        path: `/rest/v1/${table}?${encodeURI(query)}`,
        headers: { prefer: 'count=planned' },
      }))
    })
}

function requestsTo(
  place: string,
  columns: readonly string[],
  value: fc.Arbitrary<string>,
): fc.Arbitrary<RestRequest> {
  const column = seldom(fc.constantFrom(...columns), value, 20)
  const table = seldom(fc.constantFrom(...Object.keys(TABLES)), value, 20)
  const written = seldom(
    fc.constant(''),
    fc.constantFrom('::text', '::int', '::regclass', '.count()', '.max()', '->a', '->>0', '::nothing'),
  )
  const { select } = fc.letrec<{ select: string; item: string }>((tie) => ({
    item: fc.oneof(
      { depthSize: 'small' },
      { weight: 5, arbitrary: fc.tuple(column, written).map((parts) => parts.join('')) },
      fc.constantFrom('*', 'count'),
      fc.tuple(value, column).map(([alias, name]) => `${alias}:${name}`),
      fc
        .tuple(
          table,
          fc.constantFrom('', '!inner', '!left', '!posts_user_id_fkey', '!user_id', '!x'),
          tie('select'),
        )
        .map(([name, hint, inner]) => `${name}${hint}(${inner})`),
      fc.tuple(table, tie('select')).map(([name, inner]) => `...${name}(${inner})`),
    ),
    select: fc.array(tie('item'), { minLength: 1, maxLength: 4 }).map((items) => items.join()),
  }))

  const operand = seldom(
    value,
    fc.array(value, { maxLength: 3 }).map((list) => `(${list.join()})`),
    3,
  )
  const condition = fc.tuple(fc.constantFrom(...OPERATORS), operand).map((parts) => parts.join('.'))
  const { tree } = fc.letrec<{ tree: string; node: string }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.tuple(column, condition).map((parts) => parts.join('.')),
      fc
        .tuple(fc.constantFrom('or', 'and', 'not.or', 'not.and', 'not'), tie('tree'))
        .map((parts) => parts.join('')),
    ),
    tree: fc.array(tie('node'), { maxLength: 3 }).map((list) => `(${list.join()})`),
  }))
  const direction = fc.constantFrom('', '.desc', '.asc.nullsfirst', '.up', '->a.desc', '::text')
  const parameter: fc.Arbitrary<[string, string]> = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constant('select'), select) },
    { weight: 4, arbitrary: fc.tuple(column, condition) },
    fc.tuple(fc.constantFrom('or', 'and', 'not.or', 'not.and', 'posts.or', 'likes.not.and'), tree),
    fc.tuple(
      fc.constantFrom('order', 'posts.order'),
      fc.tuple(column, direction).map((parts) => parts.join('')),
    ),
    fc.tuple(fc.constantFrom('limit', 'offset', 'posts.limit', 'columns', 'on_conflict', 'apikey'), value),
    fc.tuple(value, value),
  )

  const row = fc.dictionary(column, fc.oneof(value, fc.jsonValue({ maxDepth: 1 })), { maxKeys: 5 })
  const body = fc.oneof(
    { weight: 6, arbitrary: row.map((one) => JSON.stringify(one)) },
    { weight: 3, arbitrary: fc.array(row, { maxLength: 3 }).map((rows) => JSON.stringify(rows)) },
    fc.string(),
    fc.json(),
  )
  return fc
    .record({
      method: fc.constantFrom(
        'GET',
        'GET',
        'GET',
        'GET',
        'POST',
        'POST',
        'PATCH',
        'DELETE',
        'PUT',
        'HEAD',
        'OPTIONS',
      ),
      parameters: fc.array(parameter, { maxLength: 4 }),
      headers: seldom(fc.constant({}), ODD_HEADERS, 2),
      body,
    })
    .map(({ method, parameters, headers, body }) => ({
      method,
      path: `/rest/v1/${place.split('/').map(wellFormed).join('/')}?${parameters
        .map((parts) => parts.map(wellFormed).join('='))
        .join('&')}`,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method !== 'GET' && method !== 'HEAD' && { body }),
    }))
}

const ODD_HEADERS: fc.Arbitrary<Record<string, string>> = fc
  .uniqueArray(
    fc.constantFrom(
      ['prefer', 'return=representation'],
      ['prefer', 'count=exact'],
      ['prefer', 'count=planned'],
      ['prefer', 'resolution=merge-duplicates,return=representation'],
      ['prefer', 'resolution=ignore-duplicates'],
      ['prefer', 'tx=rollback,max-affected=1,handling=strict'],
      ['accept', 'application/vnd.pgrst.object+json'],
      ['accept', 'text/csv'],
      ['accept', 'application/vnd.pgrst.plan+json'],
      ['accept', 'image/png'],
      ['content-type', 'text/csv'],
      ['content-type', 'application/x-www-form-urlencoded'],
      ['content-type', 'application/octet-stream'],
      ['accept', 'application/vnd.pgrst.plan+text; options=analyze|verbose|buffers'],
      ['prefer', 'count=estimated,return=representation'],
      ['range', '0-5'],
      ['range', '5-0'],
      ['range', 'items=1-2'],
      ['accept-profile', 'auth'],
      ['content-profile', 'private'],
      ['x-http-method-override', 'DELETE'],
    ),
    { maxLength: 3 },
  )
  .map((pairs) => Object.fromEntries(pairs))

/** Escapes a text for a URL; a lone surrogate becomes U+FFFD. */
const wellFormed = (text: string): string =>
  encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/gu, '\ufffd'))
