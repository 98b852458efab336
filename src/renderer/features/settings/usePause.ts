import { useEffect, useState } from 'react'
import { usePreferences } from '#/renderer/features/desktop'

const HOUR_MS = 60 * 60 * 1_000

/** The pause of system notifications: its end in milliseconds since 1970, or null. */
export function usePause() {
  const [{ notificationsPausedUntil: until }, applyPreferencesPatch] = usePreferences()
  const [now, setNow] = useState(Date.now)
  const left = until === null ? 0 : until - now

  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setNow(Date.now()), left)
    return () => clearTimeout(timer)
  }, [left])

  return {
    pausedUntil: left > 0 ? until : null,
    pauseForAnHour: () => {
      const start = Date.now()
      setNow(start)
      applyPreferencesPatch({ notificationsPausedUntil: start + HOUR_MS })
    },
    resume: () => applyPreferencesPatch({ notificationsPausedUntil: null }),
  }
}
