import { type BackendLog, describeError } from '#/backend/base/log'
import type { Exclusive } from '#/backend/base/queue'
import type { Queries } from '#/backend/database/queries'
import type { Objects } from '#/backend/objects/open-objects'

const EVERY_MS = 60 * 60_000
/** Rows of each kind per turn of the database: a story can have megabytes, and requests run between two turns. */
const BATCH = 20

export interface CleanupOptions {
  pg: Queries
  exclusive: Exclusive
  /** Left out if the server stores no objects. */
  objects?: Pick<Objects, 'sweep' | 'checkStored'> | undefined
  log: BackendLog
}

const REMOVE_SQL = 'select private.cleanup($1) as removed'

/**
 * Tables to vacuum, because PGlite has no autovacuum. The thresholds are PostgreSQL's defaults; a single deleted picture
 * or video, which is stored outside its row, is large enough.
 */
const BLOATED_SQL = `
  select pg_catalog.format('%I.%I', s.schemaname, s.relname) as name
  from pg_catalog.pg_stat_user_tables s
  join pg_catalog.pg_class c on c.oid = s.relid
  left join pg_catalog.pg_stat_all_tables media on media.relid = c.reltoastrelid
  where media.n_dead_tup > 0 or s.n_dead_tup > 50 + 0.2 * s.n_live_tup`

/**
 * Tables to analyze, for the same reason and with PostgreSQL's default threshold. An analyzed table is planned again: a plan that a function made
 * while the table was small may read all of it. Vacuumed too, new rows are read by the index alone, and searched names are in the index.
 */
const CHANGED_SQL = `
  select pg_catalog.format('%I.%I', schemaname, relname) as name
  from pg_catalog.pg_stat_user_tables
  where n_mod_since_analyze > 50 + 0.1 * n_live_tup`

/**
 * Runs now and every hour, like the pg_cron job of a hosted project (supabase/schemas/25_cleanup.sql):
 * deletes expired stories after a week, unsent photos, old read notifications and quota counters, vacuums, analyzes, and removes unused
 * objects. Now also checks the objects that were stored unchecked. Failures are logged and the next run tries again. Returns a function
 * that stops it after the current turn.
 */
export function scheduleCleanup({ pg, exclusive, objects, log }: CleanupOptions): () => void {
  let isStopped = false

  /** Resolves with the number of deleted rows; 0 once stopped, because the database may be closed by then. */
  const deleteBatch = () =>
    exclusive(async () => {
      if (isStopped) return 0
      const { rows } = await pg.query<{ removed: number }>(REMOVE_SQL, [BATCH])
      return rows[0]?.removed ?? 0
    })

  /** Runs a command for each table that the query finds, in one turn of the database each. */
  const maintain = async (command: 'vacuum' | 'vacuum (analyze, process_toast false)', tablesSql: string) => {
    const { rows } = await exclusive(async () => {
      if (isStopped) return { rows: [] }
      // PostgreSQL delays statistics by up to a second.
      await pg.query('select pg_catalog.pg_stat_force_next_flush()')
      return pg.query<{ name: string }>(tablesSql)
    })
    for (const { name } of rows) {
      await exclusive(async () => {
        if (!isStopped) await pg.exec(`${command} ${name}`)
      })
    }
  }

  /** The database may be closed in the middle of the work. */
  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (!isStopped) log('warn', `${what}: ${describeError(error)}`)
    }
  }

  const cleanRows = async () => {
    let total = 0
    for (let removed = await deleteBatch(); removed > 0; removed = await deleteBatch()) total += removed
    if (total > 0)
      log('info', `Removed ${total} old stories, unsent photos, read notifications and counters.`)
    await maintain('vacuum', BLOATED_SQL)
    await maintain('vacuum (analyze, process_toast false)', CHANGED_SQL)
  }

  const sweepObjects = async () => {
    const removed = (await objects?.sweep.sweep(() => isStopped)) ?? 0
    if (removed > 0) log('info', `Removed ${removed} unused objects.`)
  }

  /** Only after the start: later uploads are checked before they are stored. */
  const checkStored = async () => {
    const { passed, failed } = (await objects?.checkStored(() => isStopped)) ?? { passed: 0, failed: 0 }
    if (passed + failed > 0)
      log('info', `Checked ${passed + failed} stored pictures and videos; ${failed} failed.`)
  }

  const cleanAll = async () => {
    await attempt('The cleanup of the database failed', cleanRows)
    await attempt('Unused objects could not be removed', sweepObjects)
  }

  void cleanAll().then(() => attempt('Stored pictures could not be checked', checkStored))
  const timer = setInterval(cleanAll, EVERY_MS).unref()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}
