import type { ChangeSource } from './row-changes-store'

/** The event name of the database's broadcasts in `member:<id>`. */
export const CHANGE_EVENT = 'change'

/** Payload of such a broadcast. The client reads the rows with the member's own rights, unless they are included. */
export interface ChangeNotice<Row = unknown> {
  table: string
  type: 'INSERT' | 'UPDATE'
  ids: string[]
  /** Whether the member made the change, on any device; missing on older servers. */
  own?: boolean
  /** New rows, if they are small and the server stores no broadcasts. */
  rows?: Row[]
}

/** Reads the rows of changes and emits them. */
export interface ChangeReader {
  handle(notice: ChangeNotice): void
  stop(): void
}

export function createChangeReader(sources: readonly ChangeSource[]): ChangeReader {
  const readers = new Map(sources.map(({ table, createReader }) => [table, createReader()]))
  return {
    // Ignores unknown tables, which a newer server may announce.
    handle: (notice) =>
      readers.get(notice.table)?.add(notice.type === 'INSERT' ? 'insert' : 'update', notice),
    stop: () => {
      for (const reader of readers.values()) reader.stop()
    },
  }
}
