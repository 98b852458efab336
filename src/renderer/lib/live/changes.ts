import { checkedAnswer, columnsOf } from '#/renderer/lib/server/checks/checked-answer'
import { isIdList, isObject } from '#/renderer/lib/server/checks/checked-values'
import { hasInlineMedia } from '#/renderer/lib/server/checks/stored-pictures'
import { type ChangeSource, emitCaughtUp, emitIdsChange } from './row-changes-store'

/** The event name of the database's broadcasts in `member:<id>`. */
export const CHANGE_EVENT = 'change'

/** Payload of such a broadcast. The client reads the rows with the member's own rights, unless they are included. */
export interface ChangeNotice<Row = unknown> {
  table: string
  type: 'INSERT' | 'UPDATE' | 'DELETE'
  ids: string[]
  /** Whether the member made the change, on any device; missing on older servers. */
  own?: boolean
  /** New rows, if they are small and the server stores no broadcasts. */
  rows?: Row[]
}

function isRow(value: unknown): boolean {
  return isObject(value) && typeof value.id === 'string'
}

/** Whether a payload is such a notice. */
function isChangeNotice(payload: unknown): payload is ChangeNotice {
  if (!isObject(payload)) return false
  const { table, type, ids, own, rows } = payload
  return (
    typeof table === 'string' &&
    (type === 'INSERT' || type === 'UPDATE' || type === 'DELETE') &&
    isIdList(ids) &&
    (own === undefined || typeof own === 'boolean') &&
    (rows === undefined || (Array.isArray(rows) && rows.every(isRow)))
  )
}

/** The rows as a read returns them; undefined if they have to be read, which also checks the pictures inside them. */
function usableRows(table: string, rows: unknown[], columns: string): unknown[] | undefined {
  try {
    const { answer, media } = checkedAnswer(rows, {
      kind: 'rows',
      source: table,
      columns: columnsOf(columns),
    })
    return hasInlineMedia(media) ? undefined : (answer as unknown[])
  } catch {
    return undefined
  }
}

/** Reads the rows of changes and emits them. */
export interface ChangeReader {
  /** Ignores what is not a `ChangeNotice`. */
  handle(payload: unknown): void
  stop(): void
}

/** Likes and follows of two seconds are one broadcast, with all notices but the first in `also`. */
function noticesOf(payload: unknown): ChangeNotice[] {
  const also = isObject(payload) && Array.isArray(payload.also) ? payload.also.slice(0, ALSO_MAX) : []
  return [payload, ...also].filter(isChangeNotice)
}

/** Kinds of changes: of likes and of notifications, each added and deleted. */
const ALSO_MAX = 3

/** The most ids in a notice (`private.send_change`). */
const MAX_IDS = 100

/** After changes that are not kept, screens read again once in this time, in milliseconds. */
const READ_AGAIN_MS = 2_000

export function createChangeReader(sources: readonly ChangeSource[]): ChangeReader {
  let timer: ReturnType<typeof setTimeout> | undefined
  const readAgain = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      emitCaughtUp()
    }, READ_AGAIN_MS)
  }
  const readers = new Map(
    sources.map(({ table, columns, createReader }) => [table, { columns, reader: createReader(readAgain) }]),
  )
  function handle({ rows, ...notice }: ChangeNotice): void {
    const { table, type, ids } = notice
    if (ids.length > MAX_IDS) {
      readAgain()
      return
    }
    // A newer server may announce unknown tables.
    const source = readers.get(table)
    if (source === undefined || type === 'DELETE') {
      emitIdsChange(table, { type, ids })
      return
    }
    const usable = rows && usableRows(table, rows, source.columns)
    const changed = usable === undefined ? notice : { ...notice, rows: usable }
    source.reader.add(type === 'INSERT' ? 'insert' : 'update', changed)
  }
  return {
    handle: (payload) => {
      for (const notice of noticesOf(payload)) handle(notice)
    },
    stop: () => {
      clearTimeout(timer)
      for (const { reader } of readers.values()) reader.stop()
    },
  }
}
