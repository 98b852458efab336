/** The members who ask about the author's post and story. All have saved the post, received it in a message and are named in it. */
export const READERS = ['author', 'follower', 'stranger', 'blocked'] as const
export type Reader = (typeof READERS)[number]

/** What has happened to a post or story, and to its author's account. */
export interface State {
  isPrivate: boolean
  state: 'visible' | 'warned' | 'hidden' | 'archived'
  isRemoved?: boolean
}

/** Who finds the post or story there, if not the usual readers; the blocked member finds it nowhere. */
interface Surface {
  public?: Reader[]
  private?: Reader[]
  /** While nobody but its author sees it. */
  hidden?: Reader[]
  /** Of the own folder, where objects are until the cleanup. */
  afterRemoval?: Reader[]
}

/** By the name of a question in schema/support/surfaces.ts, or of an attempt in ATTEMPTS. */
type Surfaces = Record<string, Surface>

const USUAL = {
  public: ['author', 'follower', 'stranger'],
  private: ['author', 'follower'],
} satisfies Surface
const OTHERS: Surface = { public: ['follower', 'stranger'], private: ['follower'] }
/** By its words and topics, which a post that nobody but its author sees does not have. */
const BY_WORDS: Surface = { hidden: [] }
const AUTHOR: Surface = { public: ['author'], private: ['author'] }
const OBJECTS: Surface = { afterRemoval: ['author'] }

/**
 * Where a post is found (docs/decisions/0108-one-rule-of-visibility.md). A question that finds it and is not here fails the test, and
 * so does a function of the API that reads posts, or a table that refers to them, and is not here or below.
 */
export const OF_POSTS: Surfaces = {
  feed: {},
  profiles: {},
  saved: {},
  tagged: {},
  topics: BY_WORDS,
  comments: {},
  likes: {},
  messages: {},
  'notices of the system': AUTHOR,
  'shown rows of posts': {},
  'shown rows of post_media': {},
  'shown rows of post_topics': BY_WORDS,
  'shown rows of comments': {},
  'shown rows of comment_likes': {},
  'shown rows of likes': {},
  'shown_comment_count()': {},
  'shown_like_count()': {},
  'shown_reply_count()': {},
  'explore_posts()': { public: ['follower', 'stranger'], private: [] },
  'following_posts()': {},
  'search_posts()': BY_WORDS,
  'search_topics()': BY_WORDS,
  'count_topic_posts()': BY_WORDS,
  'popular_hashtags()': { private: [], hidden: [] },
  'notification_groups()': {},
  'storage.objects': OBJECTS,
  'visible_objects()': OBJECTS,
}

/** The same for stories. */
export const OF_STORIES: Surfaces = {
  strip: {},
  viewers: AUTHOR,
  messages: {},
  download: AUTHOR,
  'shown rows of stories': {},
  'shown rows of story_views': AUTHOR,
  'storage.objects': OBJECTS,
  'visible_objects()': OBJECTS,
}

/** Who is what in a group. */
export type GroupReader = 'owner' | 'in' | 'invited' | 'left' | 'removed' | 'outsider'

const MEMBERS: GroupReader[] = ['owner', 'in']
const KNOWING: GroupReader[] = [...MEMBERS, 'invited']
const OF_BEFORE: GroupReader[] = ['left', 'removed']

/** Where the id of a group is found, and a message of its owner. All else shows neither. */
export const OF_GROUPS: Record<string, Partial<Record<'group' | 'message', GroupReader[]>>> = {
  conversations: { group: KNOWING },
  messages: { message: MEMBERS },
  'search_messages()': { message: MEMBERS },
  'my_conversations()': { group: KNOWING },
  'unread_groups()': { group: MEMBERS },
  'shown rows of conversations': { group: KNOWING },
  // The own row and view, and own messages.
  'shown rows of conversation_members': { group: [...KNOWING, ...OF_BEFORE] },
  'shown rows of conversation_views': { group: [...KNOWING, ...OF_BEFORE] },
  'shown rows of messages': { group: [...MEMBERS, ...OF_BEFORE], message: MEMBERS },
  'shown rows of message_media': { group: MEMBERS, message: MEMBERS },
  'shown rows of message_reactions': { group: MEMBERS, message: MEMBERS },
  'storage.objects': { message: MEMBERS },
  'visible_objects()': { message: MEMBERS },
}

/** What a member tries with an id: {post}, {comment}, {story} and {me} are ids, and {chat} one of the conversations with the fan. */
export const ATTEMPTS: Record<string, { sql: string } & Surface> = {
  'a like': { sql: 'insert into public.likes (post_id, user_id) values ({post}, {me})' },
  'a comment': {
    sql: `insert into public.comments (post_id, user_id, content) values ({post}, {me}, 'Where?')`,
  },
  'an answer': {
    sql: `insert into public.comments (post_id, parent_id, user_id, content) values ({post}, {comment}, {me}, 'There')`,
  },
  'a like of a comment': {
    sql: 'insert into public.comment_likes (comment_id, user_id) values ({comment}, {me})',
  },
  'saving a post': {
    sql: 'delete from public.saved_posts where post_id = {post}; insert into public.saved_posts (post_id, user_id) values ({post}, {me})',
  },
  'a report': {
    sql: `insert into public.reports (reporter_id, member_id, post_id, reason) select {me}, {author}, {post}, 'spam' where {me} <> {author}`,
    ...OTHERS,
  },
  'a card of a post': {
    sql: `insert into public.messages (conversation_id, sender_id, content, shared_post_id) values ({chat}, {me}, '', {post})`,
  },
  'the channel of a post': { sql: 'select pg_temp.join_channel({post})' },
  'a view of a story': {
    sql: 'insert into public.story_views (story_id, viewer_id) values ({story}, {me})',
    ...OTHERS,
  },
  'a card of a story': {
    sql: `insert into public.messages (conversation_id, sender_id, content, shared_story_id) values ({chat}, {me}, '', {story})`,
  },
  'an answer to a story': {
    sql: `insert into public.messages (conversation_id, sender_id, content, story_id)
      select id, {me}, 'Nice', {story} from public.conversations where {author} in (participant_1, participant_2)`,
    ...OTHERS,
  },
}

/** Questions that name a post or story in rows of the reader's own, without what it shows. */
export const OWN_ROWS = [
  'shown rows of messages',
  'shown rows of notifications',
  'shown rows of post_tags',
  'shown rows of saved_posts',
]

/** Functions of the API that read or write posts, stories or what refers to them, and show none. */
export const SHOW_NONE = [
  // Write for their caller: cases/member-states.ts has each of these.
  'accept_follow_request',
  'clear_account',
  'create_post',
  'delete_comments',
  'delete_posts',
  'delete_stories',
  'edit_message',
  'mark_read',
  'settle',
  'unsend_message',
  // Numbers, keys and messages of the caller's own.
  'my_unused_objects',
  'search_messages',
  'unread_conversations',
  'unread_groups',
  'unread_notifications',
  // Names public accounts.
  'people_to_follow',
]

export function mayFind(surface: Surface, reader: Reader, { isPrivate, state, isRemoved }: State): boolean {
  if (isRemoved) return surface.afterRemoval?.includes(reader) ?? false
  const isHidden = state === 'hidden' || state === 'archived'
  if (isHidden && !(surface.hidden ?? ['author']).includes(reader)) return false
  const privacy = isPrivate ? 'private' : 'public'
  return (surface[privacy] ?? USUAL[privacy]).includes(reader)
}
