import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  BADGE_MAX,
  CONVERSATIONS_PAGE,
  DEVICE_REGISTERED_MINUTES,
  FEED_PAGE,
  FOLDER_COUNT_MAX,
  GRID_PAGE,
  GROUP_ACTORS_MAX,
  MESSAGE_EDIT_MINUTES,
  MESSAGE_SEARCH,
  MESSAGES_MARKED,
  NOTIFICATIONS_PAGE,
  STORY_HOURS,
  TOPIC_POSTS_COUNTED,
  USERNAME_HOLD_DAYS,
} from '#/shared/limits'
import {
  ACTIVITY_SECONDS,
  CHANGE_ENDS_SESSIONS_MINUTES,
  EXPIRED_STORY_DAYS,
  FORMER_EMAIL_DAYS,
  MENTIONS_NOTIFIED,
  NEW_SIGN_INS_ASKED,
  POPULAR_DAYS,
  POPULAR_HASHTAGS,
  QUOTAS,
  READ_NOTIFICATION_DAYS,
  RECENT_SIGN_IN_MINUTES,
  SEARCH_LIMIT,
  SESSIONS_SHOWN,
  TOPICS_FOUND,
  UNSENT_PHOTO_DAYS,
  UNUSED_SESSION_DAYS,
  UNUSED_UPLOAD_DAYS,
  WITHDRAWN_NOTIFICATION_DAYS,
} from './database-limits'

const SUPABASE = join(import.meta.dirname, '../../supabase')
const OBJECT = /^(?:create table|create policy|CREATE OR REPLACE FUNCTION) ([\w.]+)/

/** The distinct groups of `pattern` in schema.sql, by the table, policy or function that contains them. */
function valuesByObject(pattern: RegExp): Record<string, string[]> {
  const found = new Map<string, Set<string>>()
  let object = ''
  for (const line of readFileSync(join(SUPABASE, 'schema.sql'), 'utf8').split('\n')) {
    object = OBJECT.exec(line)?.[1] ?? object
    for (const [, ...groups] of line.matchAll(pattern)) {
      const value = groups.find((group) => group !== undefined) ?? ''
      found.set(object, (found.get(object) ?? new Set()).add(value))
    }
  }
  return Object.fromEntries([...found].map(([name, values]) => [name, [...values].sort()]))
}

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)
const minutes = (count: number) => (count === 1 ? '1 minute' : `${count} minutes`)

test('every duration in the database is a known lifetime', () => {
  const technical = {
    // The windows of QUOTAS.
    'private.count_quota': ['1 day', '1 minute'],
    'private.refuse_spent': ['1 day', '1 minute'],
    'private.delete_quota_usage': ['1 day'],
    'private.media_bytes_of_day': ['1 day'],
    // How long one batch of a deletion may take.
    'private.clear_account': ['100 milliseconds'],
    // How long a deletion tries again while others hold its rows.
    'private.give_way': ['2 seconds'],
    // How long a block tries to remove what the two members left with each other, before the cleanup does.
    'private.on_block': ['2 seconds'],
    // How long it waits for what the two are doing to each other.
    'private.await_pair': ['1 second'],
    // How long pg_cron goes on.
    'private.schedule_cleanup': ['90 seconds'],
    'private.schedule_settle': ['50 seconds'],
    // Likes and follows are broadcast to a member once in that time.
    'private.may_announce': ['2 seconds'],
    'private.settle_announcements': ['0.2 seconds', '2 seconds'],
    // How long a call begins with batches of another kind.
    'private.settle_waiting': ['150 milliseconds'],
    // How long a batch of a removal goes on, and what cannot be removed now waits.
    'private.work_job': ['1 minute', '100 milliseconds'],
    // The gap between an overtaken message and the one before it.
    'private.touch_conversations': ['1 microsecond'],
    // The first message after what was deleted.
    'private.newest_in_groups': ['1 microsecond'],
    // A cleanup is missing that nobody called for that long.
    'private.cleanup_state': ['2 hours'],
    // Members' notifications are looked at once a day; read ones stay for 90.
    'private.delete_read_notifications': ['1 day', days(READ_NOTIFICATION_DAYS)],
  }
  expect(valuesByObject(/interval '([^']+)'|'([^']+)'::interval/g)).toEqual({
    ...technical,
    'public.stories': [`${STORY_HOURS}:00:00`],
    stories_select: [days(EXPIRED_STORY_DAYS)],
    'public.popular_hashtags': [days(POPULAR_DAYS)],
    'private.delete_expired_stories': [days(EXPIRED_STORY_DAYS)],
    'private.examine_objects': [days(UNUSED_UPLOAD_DAYS)],
    'private.my_unused_objects': [days(UNUSED_UPLOAD_DAYS)],
    'private.delete_unsent_media': [days(UNSENT_PHOTO_DAYS)],
    'private.is_held_username': [days(USERNAME_HOLD_DAYS)],
    'private.delete_expired_usernames': [days(USERNAME_HOLD_DAYS)],
    'private.delete_withdrawn_notifications': [days(WITHDRAWN_NOTIFICATION_DAYS)],
    'private.add_notifications': [days(WITHDRAWN_NOTIFICATION_DAYS)],
    'private.withdraw_notifications': [days(WITHDRAWN_NOTIFICATION_DAYS)],
    'private.session_end': [days(UNUSED_SESSION_DAYS)],
    'private.end_unused_sessions': [days(UNUSED_SESSION_DAYS)],
    'private.delete_old_sign_ins': [days(UNUSED_SESSION_DAYS)],
    'private.former_email_owner': [days(FORMER_EMAIL_DAYS)],
    'private.record_account_change': [days(FORMER_EMAIL_DAYS)],
    'private.record_session_end': [minutes(CHANGE_ENDS_SESSIONS_MINUTES)],
    'private.unanswered_sign_ins': [minutes(DEVICE_REGISTERED_MINUTES)],
    'private.is_recent_session': [minutes(RECENT_SIGN_IN_MINUTES)],
    'private.guard_message_edit': [minutes(MESSAGE_EDIT_MINUTES)],
    'public.touch_activity': [`${ACTIVITY_SECONDS} seconds`],
  })
})

test('every page size in the database is known', () => {
  const limits = valuesByObject(/\b(?:limit|most constant integer :=) ([2-9]|\d\d+)\b/g)
  expect(limits).toEqual({
    // The requests that going public accepts at once.
    'private.apply_privacy': ['200'],
    // The batches of a deletion.
    'private.clear_account': ['2'],
    // What one writer adds to counters of what the others have written down.
    'private.take_changes': ['10000'],
    // Closed accounts that connect-check counts.
    'private.setup_status': ['1000'],
    // Posts whose viewers learn of one deletion.
    'private.broadcast_comments': ['100'],
    // Members, posts and likes that one deletion is announced for.
    'private.broadcast_deleted_notifications': ['500'],
    'private.broadcast_deleted_conversations': ['500'],
    'private.broadcast_deleted_posts': ['100'],
    'private.broadcast_own_likes': ['100'],
    // Conversations whose senders learn of a delivery at once, among so many of the newest.
    'private.mark_delivered': ['1000', '200'],
    'private.mark_read': [String(MESSAGES_MARKED)],
    'public.conversation_folders': [String(FOLDER_COUNT_MAX + 1)],
    'public.search_messages': [MESSAGE_SEARCH.page, MESSAGE_SEARCH.read].map(String),
    'private.newest_in_groups': [String(MESSAGE_SEARCH.read)],
    // A member's notifications from which on what is removed is looked through instead, if it is not as much.
    'private.lost_notification_ids': ['1000'],
    'public.my_conversations': [String(CONVERSATIONS_PAGE)],
    // The latest follows that are looked through.
    'private.search_profiles': [String(SEARCH_LIMIT), '1000'],
    'private.mentioned_members': [String(MENTIONS_NOTIFIED)],
    // The tags of a post that take the lock of the two members.
    'private.skip_apart': [String(MENTIONS_NOTIFIED)],
    // Number of suggestions, and of the follows, posts and new accounts that it reads.
    'private.people_to_follow': ['20', '200', '30', '60'],
    'private.following_post_ids': [String(FEED_PAGE)],
    // And the followed hashtags.
    'private.followed_hashtag_post_ids': ['200', String(FEED_PAGE)],
    'public.following_posts': [String(FEED_PAGE)],
    'public.explore_posts': [String(GRID_PAGE)],
    'public.search_posts': [String(GRID_PAGE)],
    // The words of one post, or of one of them.
    'private.searched_words': ['500'],
    // Of which as many as the search shows may be seen.
    'private.found_topics': [String(2 * TOPICS_FOUND)],
    // The latest rows in which it looks for them.
    'public.popular_hashtags': [String(POPULAR_HASHTAGS), '2000'],
    // One more than the page shows.
    'public.count_topic_posts': [String(TOPIC_POSTS_COUNTED + 1)],
    // Hashtags of one post.
    'private.topics_of': ['30'],
    'private.my_sessions': [String(SESSIONS_SHOWN)],
    // Sessions and ended sign-ins too many, of which a new sign-in ends or forgets so many.
    'private.record_sign_in': ['100'],
    // Earlier new passwords of an account that the next one forgets.
    'private.record_account_change': ['100'],
    'private.new_sign_ins': [String(NEW_SIGN_INS_ASKED)],
    // As many objects as Storage removes at once.
    'private.my_unused_objects': ['1000'],
    // One more than the badge shows, among so many of the newest.
    'public.unread_conversations': [String(BADGE_MAX + 1), '1000'],
    // The newest messages after the mark of a group.
    'private.unread_groups': ['100'],
    'public.unread_notifications': [String(BADGE_MAX + 1)],
    'private.notification_heads': [String(NOTIFICATIONS_PAGE)],
    // Enough notifications of a group to know that more than 99 others caused them.
    'public.notification_groups': [String(GROUP_ACTORS_MAX + 2)],
  })
})

test('the database starts with the known quotas', () => {
  const text = readFileSync(join(SUPABASE, 'schemas/03_quotas.sql'), 'utf8')
  const [, rows = ''] =
    /insert into private\.quotas \(kind, per_minute, per_day\) values([^;]+);/.exec(text) ?? []
  const quota = (text: string | undefined) => (text === 'null' ? null : Number(text))
  const quotas = [...rows.matchAll(/\('(\w+)', (\w+), (\w+)\)/g)].map(
    ([, kind, minute, day]) => [kind, { perMinute: quota(minute), perDay: quota(day) }] as const,
  )
  expect(Object.fromEntries(quotas)).toEqual(QUOTAS)
})
