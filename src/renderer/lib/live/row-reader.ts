import { logFailure } from '#/renderer/lib/logger'
import { isUuid } from '#/renderer/lib/uuid'
import { retryDelay } from './backoff'

/** Changes that arrive within this time are read together, in milliseconds. */
const BATCH_MS = 2
/** The same for the member's own changes, which are already on screen. */
const BATCH_OWN_MS = 250
/** Maximum rows per read: their ids are part of the URL. */
const READ_ROWS = 100
/** Delays before a failed read is retried, in milliseconds. */
const RETRY_DELAYS = { first: 1_000, longest: 30_000 } as const

type ChangeKind = 'insert' | 'update'

export interface RowReader {
  /** `isOwn`: the member made the change, so the read is not urgent. */
  add(kind: ChangeKind, ids: readonly string[], isOwn?: boolean): void
  stop(): void
}

interface RowReaderParts<Row> {
  /** Resolves with the rows that the member may see, in any order. */
  load(ids: string[]): Promise<readonly Row[]>
  emit(kind: ChangeKind, row: Row): void
}

/**
 * Reads changed rows and emits them in the order in which their changes arrived. Only one read runs at a time, so that an
 * older version never follows a newer one.
 */
export function createRowReader<Row extends { id: string }>({ load, emit }: RowReaderParts<Row>): RowReader {
  const pending = new Map<string, ChangeKind>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = 0
  let isReading = false
  let isStopped = false
  let attempts = 0

  /** A row that is new to the client stays an insert, even if it was also updated. */
  const keep = (id: string, kind: ChangeKind) => {
    if (pending.get(id) !== 'insert') pending.set(id, kind)
  }

  const schedule = (delay: number) => {
    if (isReading || isStopped) return
    const at = Date.now() + delay
    // New changes do not shorten the delay after a failed read.
    if (timer !== undefined && (attempts > 0 || dueAt <= at)) return
    clearTimeout(timer)
    dueAt = at
    timer = setTimeout(() => void read(), delay)
  }

  const read = async () => {
    timer = undefined
    isReading = true
    const batch = [...pending].slice(0, READ_ROWS)
    for (const [id] of batch) pending.delete(id)
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
      isReading = false
    }
    if (pending.size > 0) schedule(delay)
  }

  return {
    add: (kind, ids, isOwn = false) => {
      for (const id of ids) if (isUuid(id)) keep(id, kind)
      if (pending.size > 0) schedule(isOwn ? BATCH_OWN_MS : BATCH_MS)
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
      pending.clear()
    },
  }
}
