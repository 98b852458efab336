import type { Database } from '#/shared/database.types'

/**
 * Functions that are called by GET, so that a hosted project's replicas can serve them (docs/decisions/0098): they only read, and what
 * they take may stand in an address, which proxies write down. Not those that take a text of a member or the id of a session. Not
 * `my_unused_objects`: what it names is deleted, and a replica may not know yet that it is used.
 */
export const READING_FUNCTIONS: ReadonlySet<keyof Database['public']['Functions']> = new Set([
  'blocked_members',
  'conversation_folders',
  'explore_posts',
  'following_posts',
  'media_in_storage',
  'media_limit',
  'muted_members',
  'my_conversations',
  'my_sessions',
  'my_state',
  'new_sign_ins',
  'notification_groups',
  'people_to_follow',
  'popular_hashtags',
  'signed_in_recently',
  'unread_conversations',
  'unread_notifications',
])
