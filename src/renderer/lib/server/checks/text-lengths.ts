import type { Database } from '#/shared/database.types'
import { HASHTAG_MAX } from '#/shared/hashtags'
import { CAPTIONS, TEXT_LIMITS, USERNAME } from '#/shared/limits'

type Functions = Database['public']['Functions']

/** The tables whose rows functions return. */
const TABLES: {
  [Name in keyof Functions as Functions[Name] extends { SetofOptions: unknown }
    ? Name
    : never]: Functions[Name] extends { SetofOptions: { to: infer Table } } ? Table : never
} = {
  explore_posts: 'posts',
  following_posts: 'posts',
  my_conversations: 'conversations',
  search_posts: 'posts',
}

/**
 * Characters of the texts of members and operators, by column: the database accepts no longer ones. With the table or function where
 * columns of one name differ; the name alone is then for all others.
 */
export const LENGTHS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    alt_text: TEXT_LIMITS.altText,
    bio: TEXT_LIMITS.bio,
    camera: TEXT_LIMITS.cameraDetail,
    captions: CAPTIONS.characters,
    content: TEXT_LIMITS.message,
    'comments.content': TEXT_LIMITS.comment,
    /** Of a comment, or of the post that mentions the member. */
    'notification_groups.content': TEXT_LIMITS.post,
    'posts.content': TEXT_LIMITS.post,
    'stories.content': TEXT_LIMITS.caption,
    details: TEXT_LIMITS.reportDetails,
    followed_by: USERNAME.max,
    full_name: TEXT_LIMITS.fullName,
    label: TEXT_LIMITS.location,
    location: TEXT_LIMITS.location,
    /** Of a group. */
    'conversations.name': TEXT_LIMITS.fullName,
    'message_media.name': 255,
    'my_state.reason': 500,
    tag: HASHTAG_MAX,
    topic: TEXT_LIMITS.location,
    user_agent: 250,
    username: USERNAME.max,
    website: TEXT_LIMITS.website,
  }),
)

/** Characters of all others: ids, times, paths of objects, names of kinds and states. */
const OTHERS = 100

/**
 * The most UTF-16 units of a text in a column, of which each character may be two.
 *
 * @param source the table, or the function that returns the row
 */
export function textMost(source: string, column: string): number {
  const table = Object.hasOwn(TABLES, source) ? TABLES[source as keyof typeof TABLES] : source
  return 2 * (LENGTHS.get(`${table}.${column}`) ?? LENGTHS.get(column) ?? OTHERS)
}
