import type { Queries } from './database/queries'
import { type BackendLog, describeError } from './log'
import type { Exclusive } from './mutex'
import type { ObjectSweep } from './objects/sweep-objects'

const EVERY_MS = 60 * 60_000
/** Of each kind in one turn at the database: a story holds megabytes, and others come between two turns. */
const BATCH = 20

export interface HousekeepingOptions {
  pg: Queries
  exclusive: Exclusive
  /** Left out if the server stores no objects. */
  objects?: ObjectSweep | undefined
  log: BackendLog
}

const REMOVE_SQL = 'select private.cleanup($1) as removed'

/**
 * PGlite has no autovacuum. Its thresholds are PostgreSQL's own; a picture or video, which lies outside its row, is worth
 * the trouble at once.
 */
const BLOATED_SQL = `
  select pg_catalog.format('%I.%I', s.schemaname, s.relname) as name
  from pg_catalog.pg_stat_user_tables s
  join pg_catalog.pg_class c on c.oid = s.relid
  left join pg_catalog.pg_stat_all_tables media on media.relid = c.reltoastrelid
  where media.n_dead_tup > 0 or s.n_dead_tup > 50 + 0.2 * s.n_live_tup`

/**
 * Does, from now on and every hour, what pg_cron does on a hosted project (supabase/migrations/20261122001900_cleanup.sql): deletes stories a
 * week after they expired, photos that no message followed and counters of quotas, and makes the space of all that was
 * deleted or refused usable again. Nobody waits for it. A failure is logged: the server
 * goes on, and the triggers delete a few with each new row. Gives what stops it, after the turn under way.
 */
export function keepHouse({ pg, exclusive, objects, log }: HousekeepingOptions): () => void {
  let isStopped = false

  /** How many rows went; none once it is stopped, since the database may be closed by then. */
  const removeSome = () =>
    exclusive(async () => {
      if (isStopped) return 0
      const { rows } = await pg.query<{ removed: number }>(REMOVE_SQL, [BATCH])
      return rows[0]?.removed ?? 0
    })

  const reclaimSpace = async () => {
    const { rows } = await exclusive(async () => {
      if (isStopped) return { rows: [] }
      // PostgreSQL holds statistics back for a second.
      await pg.query('select pg_catalog.pg_stat_force_next_flush()')
      return pg.query<{ name: string }>(BLOATED_SQL)
    })
    for (const { name } of rows) {
      await exclusive(async () => {
        if (!isStopped) await pg.exec(`vacuum ${name}`)
      })
    }
  }

  const tidy = async () => {
    let total = 0
    try {
      for (let removed = await removeSome(); removed > 0; removed = await removeSome()) total += removed
      if (total > 0) log('info', `Removed ${total} old stories, unsent photos and counters.`)
      await reclaimSpace()
    } catch (error) {
      log('warn', `Old stories could not be removed: ${describeError(error)}`)
    }
  }

  const sweepObjects = async () => {
    try {
      const removed = (await objects?.sweep(() => isStopped)) ?? 0
      if (removed > 0) log('info', `Removed ${removed} unused objects.`)
    } catch (error) {
      // The database may be closed in the middle of a sweep.
      if (!isStopped) log('warn', `Unused objects could not be removed: ${describeError(error)}`)
    }
  }

  const tidyAll = async () => {
    await tidy()
    await sweepObjects()
  }

  void tidyAll()
  const timer = setInterval(tidyAll, EVERY_MS)
  timer.unref()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}
