import { logFailure } from '#/renderer/lib/logger'
import { isUuid } from '#/renderer/lib/uuid'
import { retryDelay } from './backoff'

/** Changes that arrive within this time are read together, in milliseconds. */
const GATHER_MS = 2
/** The same for the member's own changes, which the app shows already. */
const GATHER_OWN_MS = 250
/** The most rows of one read: their ids are part of its address. */
const READ_ROWS = 100
/** Waits before rows that could not be read are read again, in milliseconds. */
const REREAD = { first: 1_000, longest: 30_000 } as const

type ChangeKind = 'insert' | 'update'

/** Reads the rows of one table. */
export interface RowReader {
  /** `isOwn`: the member made the change, so there is no hurry. */
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

  /** A row that is new to the client stays an insert, whatever else happened to it. */
  const keep = (id: string, kind: ChangeKind) => {
    if (pending.get(id) !== 'insert') pending.set(id, kind)
  }

  const schedule = (delay: number) => {
    if (isReading || isStopped) return
    const at = Date.now() + delay
    // A failed read is repeated after its delay, whatever arrives meanwhile.
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
    let delay = GATHER_MS
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
      delay = retryDelay(attempts, Math.random, REREAD)
      attempts += 1
    } finally {
      isReading = false
    }
    if (pending.size > 0) schedule(delay)
  }

  return {
    add: (kind, ids, isOwn = false) => {
      for (const id of ids) if (isUuid(id)) keep(id, kind)
      if (pending.size > 0) schedule(isOwn ? GATHER_OWN_MS : GATHER_MS)
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
      pending.clear()
    },
  }
}
