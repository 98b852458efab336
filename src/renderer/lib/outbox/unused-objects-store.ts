import { logFailure } from '#/renderer/lib/core/logger'
import { removeObjects } from '#/renderer/lib/media-store/requests'
import { pendingRows } from '#/renderer/lib/outbox/pending'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'

/** Members whose unused objects were removed since the app was loaded. */
const done = new Set<string>()

/**
 * Removes what earlier uploads of a member have left unused for a day, once while the app runs: a hosted project does not remove it, and
 * it counts towards the quota of uploads. Never rejects.
 */
export async function removeUnusedObjects(me: string): Promise<void> {
  if (done.has(me)) return
  done.add(me)
  try {
    const unused = await unwrap(supabase().rpc('my_unused_objects'))
    const waiting = new Set(pendingRows.getState().flatMap(({ uploads = {} }) => Object.values(uploads)))
    await removeObjects(unused.map(({ name }) => name).filter((name) => !waiting.has(name)))
  } catch (cause) {
    done.delete(me)
    logFailure('remove unused objects', cause)
  }
}
