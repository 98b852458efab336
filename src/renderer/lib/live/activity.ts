import { logFailure } from '#/renderer/lib/logger'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { isVisible, onVisibility } from '#/renderer/lib/visibility'

/** While the app is used the server is told this often at most, in milliseconds. */
const TELL_MS = 60_000

/** What says that somebody is there. */
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focus'] as const

/** Tells the server that the member is active, as long as they are, until the function it gives is called (SET-05). */
export function tellActivity(): () => void {
  let toldAt = Number.NEGATIVE_INFINITY
  const tell = () => {
    const now = Date.now()
    if (now - toldAt < TELL_MS || !isVisible()) return
    toldAt = now
    unwrap(supabase().rpc('touch_activity')).catch((cause: unknown) => logFailure('tell activity', cause))
  }
  tell()
  const quietly = { capture: true, passive: true } as const
  for (const sign of SIGNS) window.addEventListener(sign, tell, quietly)
  const ignoreVisibility = onVisibility(tell)
  return () => {
    for (const sign of SIGNS) window.removeEventListener(sign, tell, quietly)
    ignoreVisibility()
  }
}
