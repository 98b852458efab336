import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { logFailure, logIfFails } from '#/renderer/lib/logger'
import { desktop } from './desktop'

/** Goes where a notification, the tray or a link leads, for as long as a member is signed in; also what came before. */
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
