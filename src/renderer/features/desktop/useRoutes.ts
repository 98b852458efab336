import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { logFailure } from '#/renderer/lib/logger'
import { desktop } from './desktop'

/** Goes where a notification, the tray or a link leads, for as long as a member is signed in; also what came before. */
export function useRoutes(): void {
  const navigate = useNavigate()
  const go = useRef(navigate)
  useEffect(() => {
    go.current = navigate
  })
  useEffect(() => {
    const follow = (path: string | null) => {
      if (path !== null) void go.current(path)
    }
    const stop = desktop.navigation.onNavigate(follow)
    desktop.navigation.listen(true).then(follow, (cause) => logFailure('listen to routes', cause))
    return () => {
      stop()
      desktop.navigation.listen(false).catch((cause) => logFailure('stop listening to routes', cause))
    }
  }, [])
}
