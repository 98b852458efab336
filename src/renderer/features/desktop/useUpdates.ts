import { useEffect, useState } from 'react'
import { logFailure } from '#/renderer/lib/logger'
import type { UpdateState } from '#/shared/bridge'
import { desktop } from './desktop'

/** Where the app stands with newer versions of itself. */
export function useUpdates(): UpdateState {
  const [state, setState] = useState<UpdateState>({ state: 'off' })
  useEffect(() => {
    desktop.updates.state().then(setState, (cause) => logFailure('read updates', cause))
    return desktop.updates.onChange(setState)
  }, [])
  return state
}
