import { useEffect } from 'react'
import { logFailure } from '#/renderer/lib/logger'
import { answer, supabase } from '#/renderer/lib/supabase'
import { useIsLooking } from './useIsLooking'

/** How often a member who is there says so, in milliseconds. */
const TELL_MS = 60_000

/** Tells that the member is active, while they look at the app; whether others get to see it is theirs to say (SET-05). */
export function useTellActivity(): void {
  const isLooking = useIsLooking()
  useEffect(() => {
    if (!isLooking) return
    const tell = () => {
      answer(supabase().rpc('touch_activity')).catch((cause: unknown) => logFailure('tell activity', cause))
    }
    tell()
    const timer = setInterval(tell, TELL_MS)
    return () => clearInterval(timer)
  }, [isLooking])
}
