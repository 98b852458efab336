import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { logFailure, logIfFails } from '#/renderer/lib/core/logger'
import type { DesktopAbilities, UpdateState } from '#/shared/bridge'
import { desktop } from './desktop'

/** What the host supports; null until it has responded. */
export function useAbilities(): DesktopAbilities | null {
  const [abilities, setAbilities] = useState<DesktopAbilities | null>(null)
  useEffect(() => {
    desktop.system.abilities().then(setAbilities, (cause) => logFailure('read abilities', cause))
  }, [])
  return abilities
}

/** State of the app's auto-update. */
export function useUpdates(): UpdateState {
  const [state, setState] = useState<UpdateState>({ state: 'off' })
  useEffect(() => {
    desktop.updates.state().then(setState, (cause) => logFailure('read updates', cause))
    return desktop.updates.onChange(setState)
  }, [])
  return state
}

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
