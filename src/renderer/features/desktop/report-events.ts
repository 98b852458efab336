import {
  connection,
  MESSAGE_COLUMNS,
  type MessageRow,
  NOTIFICATION_COLUMNS,
  type NotificationRow,
  onCaughtUp,
  onMessageEvent,
  onNotificationEvent,
} from '#/renderer/lib/live'
import { logFailure } from '#/renderer/lib/logger'
import { serverNow } from '#/renderer/lib/server-time'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { texts } from '#/renderer/lib/texts'
import type { Notice, NoticeKind } from '#/shared/bridge'
import { type AppRoute, routePath } from '#/shared/routes'
import { notificationPicture } from './notification-picture'

export interface ReportParts {
  /** The member's id. */
  me: string
  show(notice: Notice): Promise<unknown>
  messageNotice?(row: MessageRow): Promise<Notice | null>
  notificationNotice?(row: NotificationRow): Promise<Notice | null>
  missed?(me: string, since: string): Promise<[MessageRow[], NotificationRow[]]>
}

/** As many as are told of after a time without connection, of each sort; the badge counts all. */
const MISSED = 50

/** As much of a message as a notification shows. */
const MESSAGE_PREVIEW = 160

/** The kind of a notification by its type, or by what an `other` is about. */
const KINDS = new Map<string, Exclude<NoticeKind, 'message'>>([
  ['like', 'like'],
  ['comment', 'comment'],
  ['follow', 'follow'],
  ['story_view', 'story_view'],
  ['follow_request', 'request'],
  ['follow_accepted', 'accepted'],
])

function shortened(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  const characters = [...line]
  return characters.length > MESSAGE_PREVIEW ? `${characters.slice(0, MESSAGE_PREVIEW).join('')}…` : line
}

/** A message as the member is told of it; null when its sender is no longer one they see. */
async function loadMessageNotice(row: MessageRow): Promise<Notice | null> {
  const sender = await unwrap(
    supabase().from('profiles').select('username,avatar_url').eq('id', row.sender_id).maybeSingle(),
  )
  if (sender === null) return null
  return {
    kind: 'message',
    id: row.id,
    title: sender.username,
    body: shortened(row.content) || texts.desktop.sentPhoto,
    route: routePath({ page: 'conversation', id: row.conversation_id }),
    icon: await notificationPicture(sender.avatar_url),
  }
}

function routeFor(row: NotificationRow, actor: string): AppRoute {
  if (row.story_id !== null) return { page: 'story', id: row.story_id }
  if (row.post_id !== null) return { page: 'post', id: row.post_id }
  return { page: 'profile', username: actor }
}

/** What happened as the member is told of it; null when it is gone again or its actor is no longer one they see. */
async function loadNotificationNotice(row: NotificationRow): Promise<Notice | null> {
  const kind = KINDS.get(row.type === 'other' ? (row.about ?? '') : row.type)
  if (kind === undefined) return null
  const found = await unwrap(
    supabase()
      .from('notifications')
      .select(
        'id,actor:profiles!notifications_actor_id_fkey(username,avatar_url),comment:comments!notifications_comment_id_fkey(content)',
      )
      .eq('id', row.id)
      .maybeSingle(),
  )
  if (!found?.actor) return null
  const { username, avatar_url } = found.actor
  // The database has words of its own for what is an `other`.
  const happened = kind === 'request' || kind === 'accepted' ? (row.message ?? '') : texts.notifications[kind]
  const comment = found.comment?.content
  return {
    kind,
    id: row.id,
    title: username,
    body: comment ? `${happened}: ${shortened(comment)}` : happened,
    route: routePath(routeFor(row, username)),
    icon: await notificationPicture(avatar_url),
  }
}

/** What came to the member after a time without connection, and waits to be seen; oldest first. */
async function loadMissed(me: string, since: string): Promise<[MessageRow[], NotificationRow[]]> {
  const messages = supabase()
    .from('messages')
    .select(MESSAGE_COLUMNS)
    .eq('recipient_id', me)
    .eq('read', false)
    .is('deleted_at', null)
  const notifications = supabase()
    .from('notifications')
    .select(NOTIFICATION_COLUMNS)
    .eq('user_id', me)
    .eq('read', false)
  return Promise.all([
    unwrap(messages.gt('created_at', since).order('created_at').limit(MISSED)),
    unwrap(notifications.gt('created_at', since).order('created_at').limit(MISSED)),
  ])
}

/**
 * Tells the host of what others did, as it is heard of, and of what was missed while the connection was lost; whether the member wants to be told is the host's decision.
 * Gives what ends it.
 */
export function reportEvents({
  me,
  show,
  messageNotice = loadMessageNotice,
  notificationNotice = loadNotificationNotice,
  missed = loadMissed,
}: ReportParts): () => void {
  let isOver = false
  const report = async (loading: Promise<Notice | null>) => {
    try {
      const notice = await loading
      if (notice !== null && !isOver) await show(notice)
    } catch (cause) {
      logFailure('report event', cause)
    }
  }
  /** Of the latest that is known, by the server's clock: by one ahead of it nothing would count as missed. */
  let since = new Date(serverNow()).toISOString()
  const know = (row: { created_at: string }) => {
    if (Date.parse(row.created_at) > Date.parse(since)) since = row.created_at
  }
  const hearMessage = (row: MessageRow) => {
    if (row.recipient_id !== me || row.read || row.deleted_at !== null) return
    know(row)
    void report(messageNotice(row))
  }
  /** Of notifications: a like taken back and given again puts the same row back. */
  const told = new Set<string>()
  const hearNotification = (row: NotificationRow) => {
    if (row.user_id !== me || row.actor_id === me || row.read || told.has(row.id)) return
    told.add(row.id)
    know(row)
    void report(notificationNotice(row))
  }
  const stopMessages = onMessageEvent(({ kind, row }) => {
    if (kind === 'insert') hearMessage(row)
  })
  const stopNotifications = onNotificationEvent(hearNotification)

  let wasLost = connection.getState().state === 'lost'
  const stopConnection = connection.subscribe(({ state }) => {
    wasLost ||= state === 'lost'
  })
  const stopCaughtUp = onCaughtUp(() => {
    if (!wasLost) return
    wasLost = false
    missed(me, since).then(
      ([messages, notifications]) => {
        if (isOver) return
        messages.forEach(hearMessage)
        notifications.forEach(hearNotification)
      },
      (cause) => {
        wasLost = true
        logFailure('report what was missed', cause)
      },
    )
  })
  return () => {
    isOver = true
    stopMessages()
    stopNotifications()
    stopConnection()
    stopCaughtUp()
  }
}
