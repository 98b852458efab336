import { useEffect, useEffectEvent, useRef } from 'react'
import { useSessionStore } from './session'

/** Calls back if the sign-in succeeded but no session could be opened, so that the form can show an error. */
export function useFailedSession(onFailed: () => void): void {
  const session = useSessionStore((state) => state.session)
  const handleFailed = useEffectEvent(onFailed)
  const shown = useRef(session)
  useEffect(() => {
    if (shown.current === session) return
    shown.current = session
    if (session.status === 'signed-out' && session.hasFailed) handleFailed()
  }, [session])
}
