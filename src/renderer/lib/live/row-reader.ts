import { logFailure } from '#/renderer/lib/core/logger'
import { isUuid } from '#/renderer/lib/core/uuid'
import { retryDelay } from './backoff'

/** Changes that arrive within this time are read together, in milliseconds. */
const BATCH_MS = 2
/** The same for the member's own changes, which are already on screen. */
const BATCH_OWN_MS = 250
/** Maximum rows per read: their ids are part of the URL. */
const READ_ROWS = 100
/** Changes that wait to be read. What is beyond is not kept: the screens read again. */
const MAX_PENDING = 2_000
/** Delays before a failed read is retried, in milliseconds. */
const RETRY_DELAYS = { first: 1_000, longest: 30_000 } as const

type ChangeKind = 'insert' | 'update'

interface ChangedRows<Row> {
  ids: readonly string[]
  /** Whether the member made the change, so that the read is not urgent. */
  own?: boolean
  /** New rows that need no read. */
  rows?: readonly Row[]
}

export interface RowReader<Row> {
  add(kind: ChangeKind, changed: ChangedRows<Row>): void
  stop(): void
}

interface RowReaderParts<Row> {
  /** Resolves with the rows that the member may see, in any order. */
  load(ids: string[]): Promise<readonly Row[]>
  emit(kind: ChangeKind, row: Row): void
  /** More changes arrived than are kept: those that waited will not be emitted. */
  onDropped(): void
}

/**
 * Reads changed rows and emits them in the order in which their changes arrived; new rows that arrive with their change are
 * emitted at once. Only one read runs at a time, so that an older version never follows a newer version.
 */
export function createRowReader<Row extends { id: string }>({
  load,
  emit,
  onDropped,
}: RowReaderParts<Row>): RowReader<Row> {
  const pending = new Map<string, ChangeKind>()
  /** The ids of the running read. */
  let reading: ReadonlySet<string> = new Set()
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = 0
  let isStopped = false
  let attempts = 0

  /** A row that is new to the client stays an insert, even if it was also updated. */
  const keep = (id: string, kind: ChangeKind) => {
    if (pending.get(id) !== 'insert') pending.set(id, kind)
  }

  const schedule = (delay: number) => {
    if (reading.size > 0 || isStopped) return
    const at = Date.now() + delay
    // New changes do not shorten the delay after a failed read.
    if (timer !== undefined && (attempts > 0 || dueAt <= at)) return
    clearTimeout(timer)
    dueAt = at
    timer = setTimeout(() => void read(), delay)
  }

  const read = async () => {
    timer = undefined
    const batch = [...pending].slice(0, READ_ROWS)
    for (const [id] of batch) pending.delete(id)
    reading = new Set(batch.map(([id]) => id))
    let delay = BATCH_MS
    try {
      const rows = await load(batch.map(([id]) => id))
      attempts = 0
      const byId = new Map(rows.map((row) => [row.id, row]))
      for (const [id, kind] of batch) {
        const row = byId.get(id)
        if (row !== undefined && !isStopped) emit(kind, row)
      }
    } catch (cause) {
      logFailure('read changes', cause)
      const later = [...pending]
      pending.clear()
      for (const [id, kind] of [...batch, ...later]) keep(id, kind)
      delay = retryDelay(attempts, Math.random, RETRY_DELAYS)
      attempts += 1
    } finally {
      reading = new Set()
    }
    if (pending.size > 0) schedule(delay)
  }

  return {
    add: (kind, { ids, own = false, rows = [] }) => {
      const included = new Map(rows.map((row) => [row.id, row]))
      for (const id of ids.filter(isUuid)) {
        const row = included.get(id)
        // A read of the same row, pending or running, may already have found a later version.
        if (row === undefined || pending.has(id) || reading.has(id)) keep(id, kind)
        else if (!isStopped) emit(kind, row)
      }
      if (pending.size > MAX_PENDING) {
        pending.clear()
        onDropped()
      }
      if (pending.size > 0) schedule(own ? BATCH_OWN_MS : BATCH_MS)
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
      pending.clear()
    },
  }
}
