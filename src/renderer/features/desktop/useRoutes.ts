import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { logFailure, logIfFails } from '#/renderer/lib/logger'
import { desktop } from './desktop'

/**
 * Navigates to routes requested by notifications, the tray or links while a member is signed in, including earlier
 * requests.
 */
export function useRoutes(): void {
  const navigate = useNavigate()
  const follow = useEffectEvent((path: string | null) => {
    if (path !== null) void navigate(path)
  })
  useEffect(() => {
    const stop = desktop.navigation.onNavigate((path) => follow(path))
    desktop.navigation.listen(true).then(
      (path) => follow(path),
      (cause) => logFailure('listen to routes', cause),
    )
    return () => {
      stop()
      logIfFails('stop listening to routes', desktop.navigation.listen(false))
    }
  }, [])
}
