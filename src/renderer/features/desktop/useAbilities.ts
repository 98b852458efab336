import { useEffect, useState } from 'react'
import { logFailure } from '#/renderer/lib/logger'
import type { DesktopAbilities } from '#/shared/bridge'
import { desktop } from './desktop'

/** What the host supports; null until it has responded. */
export function useAbilities(): DesktopAbilities | null {
  const [abilities, setAbilities] = useState<DesktopAbilities | null>(null)
  useEffect(() => {
    desktop.system.abilities().then(setAbilities, (cause) => logFailure('read abilities', cause))
  }, [])
  return abilities
}
