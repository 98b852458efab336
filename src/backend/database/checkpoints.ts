import { type BackendLog, describeError } from '#/backend/base/log'
import type { Exclusive } from '#/backend/base/queue'
import type { Queries } from './queries'

/** The log's size is checked this long after a write, in milliseconds. */
const CHECK_AFTER_MS = 5_000
/** A reopened database replays at most about this much write-ahead log. */
const LOG_MAX_BYTES = 32 * 1024 * 1024

const LOG_SQL = 'select pg_current_wal_lsn() - redo_lsn as bytes from pg_control_checkpoint()'

export interface CheckpointOptions {
  pg: Queries
  exclusive: Exclusive
  log: BackendLog
  /** 32 MB when left out. */
  logMaxBytes?: number
}

/**
 * Makes checkpoints, because PGlite has no checkpointer process. Otherwise the write-ahead log would grow as long as the
 * server runs, and a reopened database would have to replay all of it.
 */
export function scheduleCheckpoints({ pg, exclusive, log, logMaxBytes = LOG_MAX_BYTES }: CheckpointOptions) {
  let timer: NodeJS.Timeout | null = null
  let isStopped = false

  const check = async () => {
    if (isStopped) return
    const { rows } = await pg.query<{ bytes: string }>(LOG_SQL)
    if (Number(rows[0]?.bytes) > logMaxBytes) await pg.exec('checkpoint')
  }

  return {
    /** Call after each write. */
    noteWrite: () => {
      timer ??= setTimeout(() => {
        exclusive(check)
          .catch((error) => log('warn', `The checkpoint failed: ${describeError(error)}`))
          .finally(() => {
            timer = null
          })
      }, CHECK_AFTER_MS).unref()
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer ?? undefined)
    },
  }
}
