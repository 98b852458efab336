import { logFailure } from '#/renderer/lib/core/logger'
import { removeObjects } from '#/renderer/lib/media-store/requests'
import { storedUser, supabase, unwrap } from '#/renderer/lib/server/supabase'
import { pendingRows } from './pending'

/** Members whose unused objects were removed since the app was loaded. */
const done = new Set<string>()

/**
 * Removes what earlier uploads of the signed-in member have left unused for a day, once while the app runs: a hosted project does not
 * remove it, and it counts towards the quota of uploads. Keeps the files of waiting rows. Never rejects.
 */
export async function removeUnusedObjects(): Promise<void> {
  try {
    const me = (await storedUser())?.id
    if (me === undefined || done.has(me)) return
    done.add(me)
    await removeUnused().catch((cause) => {
      done.delete(me)
      throw cause
    })
  } catch (cause) {
    logFailure('remove unused objects', cause)
  }
}

async function removeUnused(): Promise<void> {
  const unused = await unwrap(supabase().rpc('my_unused_objects'))
  const waiting = new Set(pendingRows.getState().flatMap(({ uploads = {} }) => Object.values(uploads)))
  await removeObjects(unused.map(({ name }) => name).filter((name) => !waiting.has(name)))
}
