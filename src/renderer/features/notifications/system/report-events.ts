import type { QueryClient } from '@tanstack/react-query'
import { serverNow } from '#/renderer/lib/core/clock-store'
import { logFailure } from '#/renderer/lib/core/logger'
import { connection, onCaughtUp, onRowChange } from '#/renderer/lib/live'
import type { Notice } from '#/shared/bridge'
import {
  loadMessageNotice,
  loadMissed,
  loadNotificationNotice,
  type MessageRow,
  type NotificationRow,
} from './queries'

export interface ReportParts {
  /** Keeps the members' pictures. */
  client: QueryClient
  me: string
  show(notice: Notice): Promise<unknown>
  messageNotice?(row: MessageRow): Promise<Notice | null>
  notificationNotice?(row: NotificationRow): Promise<Notice | null>
  missed?(me: string, since: string): Promise<[MessageRow[], NotificationRow[]]>
}

/**
 * Reports what others do to the host, live and after an interruption. The host decides whether to show it. Returns a
 * stop function.
 */
export function reportEvents({
  client,
  me,
  show,
  messageNotice = (row) => loadMessageNotice(client, row),
  notificationNotice = (row) => loadNotificationNotice(client, row),
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
  /**
   * Time of the latest known item, by the server's clock: with a local clock that is ahead, nothing would count as
   * missed.
   */
  let since = new Date(serverNow()).toISOString()
  const know = (row: { created_at: string }) => {
    if (Date.parse(row.created_at) > Date.parse(since)) since = row.created_at
  }
  const reportMessage = (row: MessageRow) => {
    if (row.sender_id === me || row.deleted_at !== null) return
    know(row)
    void report(messageNotice(row))
  }
  /** Ids of reported notifications: liking a post again restores the same row. */
  const reported = new Set<string>()
  const reportNotification = (row: NotificationRow) => {
    if (row.user_id !== me || row.actor_id === me || row.read || reported.has(row.id)) return
    reported.add(row.id)
    know(row)
    void report(notificationNotice(row))
  }
  const stopMessages = onRowChange('messages', ({ kind, row }) => {
    if (kind === 'insert') reportMessage(row)
  })
  const stopNotifications = onRowChange('notifications', ({ row }) => reportNotification(row))

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
        messages.forEach(reportMessage)
        notifications.forEach(reportNotification)
      },
      (cause) => {
        wasLost = true
        logFailure('report missed events', cause)
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
