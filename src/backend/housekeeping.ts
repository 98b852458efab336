import type { PGlite } from '@electric-sql/pglite'
import { type BackendLog, describeError } from './log'
import type { Exclusive } from './mutex'

const EVERY_MS = 60 * 60_000

export interface HousekeepingOptions {
  pg: Pick<PGlite, 'query' | 'exec'>
  exclusive: Exclusive
  log: BackendLog
}

/**
 * Does, now and every hour, what pg_cron does on a hosted project (20261121001600_stories_extras.sql): deletes stories a
 * week after they expired and photos that no message followed. A failure is logged: the server goes on, and the
 * triggers delete a few with each new row. Gives what stops it.
 */
export async function keepHouse({ pg, exclusive, log }: HousekeepingOptions): Promise<() => void> {
  const tidy = () =>
    exclusive(async () => {
      const { rows } = await pg.query<{ removed: number }>('select private.remove_leftovers() as removed')
      const removed = rows[0]?.removed ?? 0
      if (removed === 0) return
      // PGlite has no autovacuum: without this the space of what went would never be used again.
      await pg.exec('vacuum public.stories, public.message_photos')
      log('info', `Removed ${removed} old stories and unsent photos.`)
    }).catch((error: unknown) => {
      log('warn', `Old stories could not be removed: ${describeError(error)}`)
    })
  await tidy()
  const timer = setInterval(tidy, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
