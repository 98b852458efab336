import { logFailure } from '#/renderer/lib/core/logger'
import { toCount } from '#/renderer/lib/server/checks/checked-values'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { connection } from './connection'

/** The first time after what the member waits for, then again and again. In milliseconds. */
const FIRST_MS = 30_000
const EVERY_MS = 10 * 60_000
/** Each takes about 100 ms on the server. */
const BATCHES_MOST = 100

/**
 * Helps the server to clean up what members have removed, while the app is online: a hosted project may have no scheduler. What is
 * removed has disappeared already (SET-03, FEED-11). Returns a stop function.
 */
export function helpCleaningUp(): () => void {
  let isOver = false
  let batches = 0
  let timer = setTimeout(run, FIRST_MS)
  async function run() {
    let again: number | null = null
    try {
      if (connection.getState().state === 'online') {
        const asked = await unwrap(supabase().rpc('settle'))
        // Far ahead, it would overflow the timer, which then fires at once.
        again = asked === null ? null : Math.min(toCount(asked), EVERY_MS)
      }
    } catch (cause) {
      if (!isOver) logFailure('help cleaning up', cause)
    }
    batches = again === null || batches + 1 === BATCHES_MOST ? 0 : batches + 1
    if (!isOver) timer = setTimeout(run, batches === 0 || again === null ? EVERY_MS : again)
  }
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
