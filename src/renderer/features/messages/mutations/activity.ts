import { isVisible, onVisibility } from '#/renderer/lib/browser/visibility'
import { logFailure } from '#/renderer/lib/core/logger'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'

/** Minimum time between two reports, in milliseconds. */
const REPORT_MS = 60_000

/** Events that show that the member is active. */
const ACTIVITY_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focus'] as const

/** Reports to the server that the member is active, while they are (SET-05). Returns a stop function. */
export function reportActivity(): () => void {
  let reportedAt = Number.NEGATIVE_INFINITY
  const report = () => {
    const now = Date.now()
    if (now - reportedAt < REPORT_MS || !isVisible()) return
    reportedAt = now
    unwrap(supabase().rpc('touch_activity')).catch((cause: unknown) => logFailure('report activity', cause))
  }
  report()
  const options = { capture: true, passive: true } as const
  for (const event of ACTIVITY_EVENTS) window.addEventListener(event, report, options)
  const unsubscribe = onVisibility(report)
  return () => {
    for (const event of ACTIVITY_EVENTS) window.removeEventListener(event, report, options)
    unsubscribe()
  }
}
