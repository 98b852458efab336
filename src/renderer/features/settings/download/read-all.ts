import { AppError } from '#/renderer/lib/core/errors'
import type { Cursor } from '#/renderer/lib/queries/keyset'

/** Delays between attempts, in milliseconds. */
const RETRY_DELAYS = [1_000, 4_000]

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const handleAbort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', handleAbort)
      resolve()
    }, ms)
    signal.addEventListener('abort', handleAbort, { once: true })
  })
}

/** Retries a request after a transient failure. Rejects with the signal's reason after an abort. */
export async function withRetry<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted()
    try {
      return await request()
    } catch (cause) {
      signal.throwIfAborted()
      const isPassing = cause instanceof AppError && (cause.code === 'offline' || cause.code === 'server')
      const wait = RETRY_DELAYS[attempt]
      if (!isPassing || wait === undefined) throw cause
      await sleep(wait, signal)
    }
  }
}

/** Rows of one table that a download reads; far more than a member writes. */
export const ROWS_MOST = 1_000_000

/**
 * Characters of all rows of a download as JSON: several hundred thousand messages. They are in memory until it is finished, and a server
 * may send full pages of the longest texts for ever.
 */
export const CHARACTERS_MOST = 400_000_000

/** Returns a function that counts the rows of a download. It throws an `AppError`, which is not retried, beyond `CHARACTERS_MOST`. */
export function createRowCount(): (rows: readonly unknown[]) => void {
  let characters = 0
  return (rows) => {
    characters += JSON.stringify(rows).length
    if (characters > CHARACTERS_MOST) throw new AppError('refused', '', 'a download without an end')
  }
}

/** Columns for paging; `id` is the tiebreaker for rows with the same time. */
export interface Row {
  created_at: string
  id: string
}

interface Paged<R> {
  signal: AbortSignal
  size: number
  load: (after: Cursor, size: number) => Promise<R[]>
}

/** Reads a table page by page, newest first. Throws an `AppError` beyond `ROWS_MOST`: a server may send full pages for ever. */
export async function* readPages<R extends Row>({ signal, size, load }: Paged<R>): AsyncGenerator<R[]> {
  let after: Cursor = null
  for (let count = 0; count < ROWS_MOST; ) {
    const rows: R[] = await withRetry(signal, () => load(after, size))
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < size) return
    after = { createdAt: last.created_at, id: last.id }
    count += rows.length
  }
  throw new AppError('server', '', 'rows without an end')
}

/** Reads all rows of a table, newest first; `onRead` receives the number of rows so far. */
export async function readAll<R extends Row>(
  paged: Paged<R>,
  onRead?: (count: number) => void,
): Promise<R[]> {
  const all: R[] = []
  for await (const rows of readPages(paged)) {
    all.push(...rows)
    onRead?.(all.length)
  }
  return all
}
