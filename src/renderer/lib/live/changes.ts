import { supabase, unwrap } from '#/renderer/lib/supabase'
import { emitMessageEvent, emitNotificationEvent, MESSAGE_COLUMNS, NOTIFICATION_COLUMNS } from './events'
import { createRowReader, type RowReader } from './row-reader'

/** The event of the database's broadcasts in `member:<id>`. */
export const CHANGE_EVENT = 'change'

/** What such a broadcast contains: the rows are read with the member's own rights. */
export interface ChangeNotice {
  table: string
  type: 'INSERT' | 'UPDATE'
  ids: string[]
  /** The member made the change, on this device or another; missing on older servers. */
  own?: boolean
}

/** Reads the rows of changes and emits them as live events. */
export interface ChangeReader {
  handle(notice: ChangeNotice): void
  stop(): void
}

export function createChangeReader(): ChangeReader {
  const readers: Readonly<Record<string, RowReader>> = {
    messages: createRowReader({
      load: (ids) => unwrap(supabase().from('messages').select(MESSAGE_COLUMNS).in('id', ids)),
      emit: (kind, row) => emitMessageEvent({ kind, row }),
    }),
    notifications: createRowReader({
      load: (ids) => unwrap(supabase().from('notifications').select(NOTIFICATION_COLUMNS).in('id', ids)),
      emit: (_, row) => emitNotificationEvent(row),
    }),
  }
  return {
    // A newer server may announce other tables.
    handle: ({ table, type, ids, own = false }) =>
      readers[table]?.add(type === 'INSERT' ? 'insert' : 'update', ids, own),
    stop: () => {
      for (const reader of Object.values(readers)) reader.stop()
    },
  }
}
