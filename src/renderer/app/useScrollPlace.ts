import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

/** Scroll offsets in pixels by history entry. */
const places = new Map<string, number>()

/**
 * A page that one goes to begins at its top, also when it is the page one is on; a page that one comes back to is
 * where it was. A change of the address behind '?' alone moves nothing.
 */
export function useScrollPlace(): void {
  const { key, pathname, search } = useLocation()
  const type = useNavigationType()
  const shown = useRef({ key, pathname, search })

  useEffect(() => {
    window.history.scrollRestoration = 'manual'
    const remember = () => places.set(shown.current.key, window.scrollY)
    window.addEventListener('scroll', remember, { passive: true })
    return () => window.removeEventListener('scroll', remember)
  }, [])

  useLayoutEffect(() => {
    const before = shown.current
    if (before.key === key) return
    shown.current = { key, pathname, search }
    // The new entry shows the same page at the same place, and is come back to there as well.
    if (pathname === before.pathname && search !== before.search) places.set(key, window.scrollY)
    else window.scrollTo({ top: type === 'POP' ? (places.get(key) ?? 0) : 0 })
  }, [key, pathname, search, type])
}
