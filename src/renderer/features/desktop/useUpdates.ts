import { useEffect, useState } from 'react'
import { logFailure } from '#/renderer/lib/logger'
import type { UpdateState } from '#/shared/bridge'
import { desktop } from './desktop'

/** State of the app's auto-update. */
export function useUpdates(): UpdateState {
  const [state, setState] = useState<UpdateState>({ state: 'off' })
  useEffect(() => {
    desktop.updates.state().then(setState, (cause) => logFailure('read updates', cause))
    return desktop.updates.onChange(setState)
  }, [])
  return state
}
