import * as z from 'zod'
import type { Session } from '#/backend/database/queries'
import type { Exclusive } from '#/backend/mutex'
import type { Identity } from './identity'
import { RIGHTS_CHANNEL, SESSIONS_CHANNEL } from './setup-sql'

/** An open channel. */
export interface RightsWatcher {
  identity(): Identity
  /** Reads its rights again. Never rejects. */
  recheck(): Promise<void>
  /** Closes the channel because its session has ended. */
  endSession(): void
}

/** Rechecks channels when their rights may have changed, and closes them when their session ends. */
export interface RightsWatch {
  add(watcher: RightsWatcher): void
  delete(watcher: RightsWatcher): void
  /** Resolves when all running rechecks have finished. */
  settled(): Promise<void>
  close(): Promise<void>
}

const memberIdsSchema = z.array(z.string())

export async function openRightsWatch(pg: Session, exclusive: Exclusive): Promise<RightsWatch> {
  const watchers = new Set<RightsWatcher>()
  const running = new Set<Promise<void>>()

  const stop = await exclusive(() =>
    pg.listen(RIGHTS_CHANNEL, (payload) => {
      const ids = memberIdsSchema.parse(JSON.parse(payload))
      for (const watcher of watchers) {
        if (!ids.includes(watcher.identity().claims.sub ?? '')) continue
        const recheck = watcher.recheck().finally(() => running.delete(recheck))
        running.add(recheck)
      }
    }),
  )

  const stopSessions = await exclusive(() =>
    pg.listen(SESSIONS_CHANNEL, (session) => {
      for (const watcher of watchers) {
        if (watcher.identity().claims.session_id === session) watcher.endSession()
      }
    }),
  )

  return {
    add: (watcher) => {
      watchers.add(watcher)
    },
    delete: (watcher) => {
      watchers.delete(watcher)
    },
    settled: async () => {
      await Promise.all(running)
    },
    close: async () => {
      watchers.clear()
      await Promise.all(running)
      await exclusive(async () => {
        await stop()
        await stopSessions()
      })
    },
  }
}
