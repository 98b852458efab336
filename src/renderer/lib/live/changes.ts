import { supabase, unwrap } from '#/renderer/lib/supabase'
import { emitMessageEvent, emitNotificationEvent, MESSAGE_COLUMNS, NOTIFICATION_COLUMNS } from './events'
import { createRowReader, type RowReader } from './row-reader'

/** The event name of the database's broadcasts in `member:<id>`. */
export const CHANGE_EVENT = 'change'

/**
 * Payload of such a broadcast. It contains only ids, because the client reads the rows with the member's own rights.
 */
export interface ChangeNotice {
  table: string
  type: 'INSERT' | 'UPDATE'
  ids: string[]
  /** Whether the member made the change, on any device; missing on older servers. */
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
    // Ignores unknown tables, which a newer server may announce.
    handle: ({ table, type, ids, own = false }) =>
      readers[table]?.add(type === 'INSERT' ? 'insert' : 'update', ids, own),
    stop: () => {
      for (const reader of Object.values(readers)) reader.stop()
    },
  }
}
