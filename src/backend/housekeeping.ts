import type { PGlite } from '@electric-sql/pglite'
import { type BackendLog, describeError } from './log'
import type { Exclusive } from './mutex'

const EVERY_MS = 60 * 60_000
/** Of each kind in one turn at the database: a story holds megabytes, and others come between two turns. */
const BATCH = 20

export interface HousekeepingOptions {
  pg: Pick<PGlite, 'query' | 'exec'>
  exclusive: Exclusive
  log: BackendLog
}

const REMOVE_SQL = 'select private.remove_old_stories($1) + private.remove_unsent_photos($1) as removed'

/**
 * Does, from now on and every hour, what pg_cron does on a hosted project (20261121001600_stories_extras.sql): deletes stories a
 * week after they expired and photos that no message followed. Nobody waits for it. A failure is logged: the server
 * goes on, and the triggers delete a few with each new row. Gives what stops it, after the turn under way.
 */
export function keepHouse({ pg, exclusive, log }: HousekeepingOptions): () => void {
  let isStopped = false

  /** How many rows went; none once it is stopped, since the database may be closed by then. */
  const removeSome = () =>
    exclusive(async () => {
      if (isStopped) return 0
      const { rows } = await pg.query<{ removed: number }>(REMOVE_SQL, [BATCH])
      return rows[0]?.removed ?? 0
    })

  const tidy = async () => {
    let total = 0
    try {
      for (let removed = await removeSome(); removed > 0; removed = await removeSome()) total += removed
      if (total === 0) return
      log('info', `Removed ${total} old stories and unsent photos.`)
      // PGlite has no autovacuum: without this the space of what went would never be used again.
      await exclusive(async () => {
        if (!isStopped) await pg.exec('vacuum public.stories, public.message_photos')
      })
    } catch (error) {
      log('warn', `Old stories could not be removed: ${describeError(error)}`)
    }
  }

  void tidy()
  const timer = setInterval(tidy, EVERY_MS)
  timer.unref()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}
