import { useLayoutEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

/** A page that one goes to begins at its top; a page that one comes back to restores its own place. */
export function useScrollTop(): void {
  const { pathname } = useLocation()
  const type = useNavigationType()

  useLayoutEffect(() => {
    window.history.scrollRestoration = 'manual'
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect follows the path it does not read
  useLayoutEffect(() => {
    if (type !== 'POP') window.scrollTo({ top: 0 })
  }, [pathname, type])
}
