import { supabase, unwrap } from '#/renderer/lib/supabase'
import {
  emitMessageEvent,
  emitNotificationEvent,
  MESSAGE_COLUMNS,
  type MessageRow,
  NOTIFICATION_COLUMNS,
  type NotificationRow,
} from './events'
import { createRowReader } from './row-reader'

/** The event name of the database's broadcasts in `member:<id>`. */
export const CHANGE_EVENT = 'change'

interface NoticeOf<Table extends string, Row> {
  table: Table
  type: 'INSERT' | 'UPDATE'
  ids: string[]
  /** Whether the member made the change, on any device; missing on older servers. */
  own?: boolean
  /** New rows, if they are small and the server stores no broadcasts. */
  rows?: Row[]
}

/** Payload of such a broadcast. The client reads the rows with the member's own rights, unless they are included. */
export type ChangeNotice = NoticeOf<'messages', MessageRow> | NoticeOf<'notifications', NotificationRow>

/** Reads the rows of changes and emits them as live events. */
export interface ChangeReader {
  handle(notice: ChangeNotice): void
  stop(): void
}

export function createChangeReader(): ChangeReader {
  const messages = createRowReader<MessageRow>({
    load: (ids) => unwrap(supabase().from('messages').select(MESSAGE_COLUMNS).in('id', ids)),
    emit: (kind, row) => emitMessageEvent({ kind, row }),
  })
  const notifications = createRowReader<NotificationRow>({
    load: (ids) => unwrap(supabase().from('notifications').select(NOTIFICATION_COLUMNS).in('id', ids)),
    emit: (_, row) => emitNotificationEvent(row),
  })
  return {
    handle: (notice) => {
      const kind = notice.type === 'INSERT' ? 'insert' : 'update'
      // Ignores unknown tables, which a newer server may announce.
      if (notice.table === 'messages') messages.add(kind, notice)
      else if (notice.table === 'notifications') notifications.add(kind, notice)
    },
    stop: () => {
      messages.stop()
      notifications.stop()
    },
  }
}
