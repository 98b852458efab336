import type { PGlite } from '@electric-sql/pglite'
import * as z from 'zod'
import type { Exclusive } from '#/backend/mutex'
import type { Identity } from './identity'
import { RIGHTS_CHANNEL } from './setup-sql'

/** A private channel, which may be open longer than the rights it was joined with. */
export interface RightsWatcher {
  identity(): Identity
  /** Asks anew what it may do. Never rejects. */
  recheck(): Promise<void>
}

/** Lets private channels ask again when something was written that decides about them. */
export interface RightsWatch {
  add(watcher: RightsWatcher): void
  delete(watcher: RightsWatcher): void
  /** Resolves when every channel told so far has asked. */
  settled(): Promise<void>
  close(): Promise<void>
}

const memberIdsSchema = z.array(z.string())

export async function openRightsWatch(pg: PGlite, exclusive: Exclusive): Promise<RightsWatch> {
  const watchers = new Set<RightsWatcher>()
  const asking = new Set<Promise<void>>()

  const stop = await exclusive(() =>
    pg.listen(RIGHTS_CHANNEL, (payload) => {
      const ids = memberIdsSchema.parse(JSON.parse(payload))
      for (const watcher of watchers) {
        if (!ids.includes(watcher.identity().claims.sub ?? '')) continue
        const asked = watcher.recheck().finally(() => asking.delete(asked))
        asking.add(asked)
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
      await Promise.all(asking)
    },
    close: async () => {
      watchers.clear()
      await Promise.all(asking)
      await exclusive(() => stop())
    },
  }
}
