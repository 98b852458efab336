import { type BackendLog, describeError } from '#/backend/base/log'
import type { Exclusive } from '#/backend/base/queue'
import type { Queries } from './queries'

/** The log's size is checked this long after a write, in milliseconds. */
const CHECK_AFTER_MS = 5_000
/** A reopened database replays at most about this much write-ahead log. */
const LOG_MAX_BYTES = 32 * 1024 * 1024

const LOG_SQL = 'select pg_current_wal_lsn() - redo_lsn as bytes from pg_control_checkpoint()'

/** PostgreSQL delays statistics by up to a second. */
const FLUSH_SQL = 'select pg_catalog.pg_stat_force_next_flush()'

/** Tables with 32 MB of removed pictures and videos, which are stored outside their rows in parts of 2 KB. */
const BLOATED_SQL = `
  select pg_catalog.format('%I.%I', s.schemaname, s.relname) as name
  from pg_catalog.pg_stat_user_tables s
  join pg_catalog.pg_class c on c.oid = s.relid
  join pg_catalog.pg_stat_all_tables media on media.relid = c.reltoastrelid
  where media.n_dead_tup > 16384`

export interface CheckpointOptions {
  pg: Queries
  exclusive: Exclusive
  log: BackendLog
  /** 32 MB when left out. */
  logMaxBytes?: number
}

/**
 * Makes checkpoints, because PGlite has no checkpointer process. Otherwise the write-ahead log would grow as long as the
 * server runs, and a reopened database would have to replay all of it. With them, vacuums tables that much was removed from: a member who
 * sends and unsends pictures would fill gigabytes within an hour, and vacuuming those would hold up everybody for a minute.
 */
export function scheduleCheckpoints({ pg, exclusive, log, logMaxBytes = LOG_MAX_BYTES }: CheckpointOptions) {
  let timer: NodeJS.Timeout | null = null
  let isStopped = false

  const check = async () => {
    if (isStopped) return
    const { rows } = await pg.query<{ bytes: string }>(LOG_SQL)
    if (!(Number(rows[0]?.bytes) > logMaxBytes)) return
    await pg.exec('checkpoint')
    await pg.query(FLUSH_SQL)
    const bloated = await pg.query<{ name: string }>(BLOATED_SQL)
    for (const { name } of bloated.rows) await pg.exec(`vacuum ${name}`)
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
