import type { QueryClient } from '@tanstack/react-query'
import { isAfterMark } from '#/renderer/lib/live'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { texts } from '#/renderer/lib/texts'
import { isolate } from '#/shared/bidi'
import type { Notice, NoticeKind } from '#/shared/bridge'
import type { Tables } from '#/shared/database.types'
import { shortened } from '#/shared/graphemes'
import { type AppRoute, routePath } from '#/shared/routes'
import { trimText } from '#/shared/visible-text'
import { whatHappened } from '../model'
import { notificationPicture } from './notification-picture'

/** The columns of an item that reporting it needs. */
const MESSAGE_COLUMNS = 'id,conversation_id,sender_id,content,created_at,deleted_at,shared_kind'
const NOTIFICATION_COLUMNS =
  'id,user_id,actor_id,type,about,read,message,created_at,post_id,story_id,comment_id'

export type MessageRow = Pick<
  Tables<'messages'>,
  'id' | 'conversation_id' | 'sender_id' | 'content' | 'created_at' | 'deleted_at' | 'shared_kind'
>
export type NotificationRow = Omit<Tables<'notifications'>, 'group_key'>

/** Maximum items of each kind reported after an interruption; the badge counts all. */
const MISSED_LIMIT = 50

/** Maximum length of a message in a notification. */
const MESSAGE_PREVIEW = 160

/** Notification kinds by type, or for `other` by subject. */
const KINDS: ReadonlyMap<string, Exclude<NoticeKind, 'message'>> = new Map([
  ['like', 'like'],
  ['comment', 'comment'],
  ['mention', 'mention'],
  ['reply', 'reply'],
  ['comment_like', 'comment_like'],
  ['follow', 'follow'],
  ['story_view', 'story_view'],
  ['follow_request', 'request'],
  ['follow_accepted', 'accepted'],
])

function lineOf(text: string): string {
  return shortened(text.replace(/\s+/gu, ' ').trim(), MESSAGE_PREVIEW)
}

function sentWithoutText({ shared_kind }: MessageRow): string {
  if (shared_kind === 'post' || shared_kind === 'story' || shared_kind === 'profile')
    return texts.messages.shared[shared_kind].sent
  return texts.desktop.sentPhoto
}

const pictureOf = (client: QueryClient, member: string) =>
  notificationPicture(client, member, () =>
    unwrap(supabase().from('profiles').select('avatar_url,avatar_path').eq('id', member).maybeSingle()),
  )

/** Builds the notification of a message; null for a request, if it is read, or if its sender is no longer visible. */
export async function loadMessageNotice(client: QueryClient, row: MessageRow): Promise<Notice | null> {
  const [sender, member] = await Promise.all([
    unwrap(supabase().from('profiles').select('username').eq('id', row.sender_id).maybeSingle()),
    unwrap(
      supabase()
        .from('conversation_views')
        .select(
          'folder,is_group,mark_at,mark_id,conversation:conversations!conversation_views_conversation_id_fkey(name)',
        )
        .eq('conversation_id', row.conversation_id)
        .maybeSingle(),
    ),
  ])
  const isGroup = member?.is_group === true
  if (sender === null || member?.folder === 'requests') return null
  // A message brings an archived pair back, and leaves an archived group where it is.
  if (isGroup && member.folder !== 'inbox') return null
  if (member !== null && !isAfterMark(row, member)) return null
  const text = lineOf(row.content) || sentWithoutText(row)
  return {
    kind: 'message',
    id: row.id,
    sentAt: row.created_at,
    title: isolate(
      isGroup ? trimText(member.conversation?.name ?? '') || texts.messages.group : sender.username,
    ),
    body: isGroup ? texts.messages.saidBy(sender.username, text) : isolate(text),
    route: routePath({ page: 'conversation', id: row.conversation_id }),
    icon: await pictureOf(client, row.sender_id),
  }
}

function routeFor(row: NotificationRow, actor: string): AppRoute {
  if (row.story_id !== null) return { page: 'story', id: row.story_id }
  if (row.post_id !== null) {
    return { page: 'post', id: row.post_id, ...(row.comment_id !== null && { commentId: row.comment_id }) }
  }
  return { page: 'profile', username: actor }
}

/** Builds the notification of an event; null if it was undone, or its actor is muted or no longer visible. */
export async function loadNotificationNotice(
  client: QueryClient,
  row: NotificationRow,
): Promise<Notice | null> {
  const kind = KINDS.get(row.type === 'other' ? (row.about ?? '') : row.type)
  if (kind === undefined) return null
  const [found, mute] = await Promise.all([
    unwrap(
      supabase()
        .from('notifications')
        .select(
          'id,actor:profiles!notifications_actor_id_fkey(username),comment:comments!notifications_comment_id_fkey(content)',
        )
        .eq('id', row.id)
        .maybeSingle(),
    ),
    unwrap(
      supabase()
        .from('mutes')
        .select('muted_id')
        .eq('muter_id', row.user_id)
        .eq('muted_id', row.actor_id)
        .maybeSingle(),
    ),
  ])
  if (!found?.actor || mute !== null) return null
  const { username } = found.actor
  const happened = whatHappened(row)
  const comment = found.comment?.content
  return {
    kind,
    id: row.id,
    title: isolate(username),
    body: comment ? `${happened}: ${isolate(lineOf(comment))}` : happened,
    route: routePath(routeFor(row, username)),
    icon: await pictureOf(client, row.actor_id),
  }
}

/** Messages of others after this time, in conversations that have unread ones, oldest first. */
async function loadMissedMessages(me: string, since: string): Promise<MessageRow[]> {
  const views = supabase()
    .from('conversation_views')
    .select('conversation_id')
    .eq('member_id', me)
    .eq('folder', 'inbox')
    .eq('unread', true)
  const unread = await unwrap(
    views.gt('last_message_at', since).order('listed_at', { ascending: false }).limit(MISSED_LIMIT),
  )
  if (unread.length === 0) return []
  const messages = supabase().from('messages').select(MESSAGE_COLUMNS).neq('sender_id', me)
  const ids = unread.map(({ conversation_id }) => conversation_id)
  return unwrap(
    messages
      .in('conversation_id', ids)
      .is('deleted_at', null)
      .gt('created_at', since)
      .order('created_at')
      .limit(MISSED_LIMIT),
  )
}

/** Items that arrived during an interruption, oldest first: unread notifications, and messages that may be unread. */
export async function loadMissed(me: string, since: string): Promise<[MessageRow[], NotificationRow[]]> {
  const notifications = supabase()
    .from('notifications')
    .select(NOTIFICATION_COLUMNS)
    .eq('user_id', me)
    .eq('read', false)
  return Promise.all([
    loadMissedMessages(me, since),
    unwrap(notifications.gt('created_at', since).order('created_at').limit(MISSED_LIMIT)),
  ])
}

/** Up to where the member has read these conversations. */
async function loadMarks(me: string, conversations: readonly string[]) {
  if (conversations.length === 0) return new Map<string, never>()
  const views = supabase().from('conversation_views').select('conversation_id,mark_at,mark_id')
  const rows = await unwrap(views.eq('member_id', me).in('conversation_id', conversations))
  return new Map(rows.map((row) => [row.conversation_id, row]))
}

/** Which of these messages and notifications are unread. */
export async function loadUnreadIds(me: string, ids: readonly string[]): Promise<string[]> {
  const messages = supabase().from('messages').select('id,created_at,conversation_id').neq('sender_id', me)
  const notifications = supabase().from('notifications').select('id').eq('user_id', me).eq('read', false)
  const [received, events] = await Promise.all([
    unwrap(messages.is('deleted_at', null).in('id', ids)),
    unwrap(notifications.in('id', ids)),
  ])
  const marks = await loadMarks(me, [...new Set(received.map((row) => row.conversation_id))])
  const unread = received.filter((row) => {
    const mark = marks.get(row.conversation_id)
    return mark === undefined || isAfterMark(row, mark)
  })
  return [...unread, ...events].map(({ id }) => id)
}
