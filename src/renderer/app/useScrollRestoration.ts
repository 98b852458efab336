import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { exploreRoute } from '#/renderer/lib/content/topics'
import { hasModal } from '#/renderer/lib/navigation/modal-route'

interface Address {
  pathname: string
  search: string
}

function isSamePage(a: Address, b: Address): boolean {
  const topicOf = ({ search }: Address) => JSON.stringify(exploreRoute(search))
  return a.pathname === b.pathname && topicOf(a) === topicOf(b)
}

/**
 * Scrolls to the top on navigation, and restores the offset on back and forward. A change of only the search parameters
 * does not scroll, unless they name another page.
 */
export function useScrollRestoration(): void {
  const { key, pathname, search } = useLocation()
  const type = useNavigationType()
  const shown = useRef({ key, pathname, search })
  /** Scroll offsets in pixels, by key of the history entry. */
  const [offsets] = useState(() => new Map<string, number>())

  useEffect(() => {
    window.history.scrollRestoration = 'manual'
    const remember = () => offsets.set(shown.current.key, window.scrollY)
    window.addEventListener('scroll', remember, { passive: true })
    return () => window.removeEventListener('scroll', remember)
  }, [offsets])

  useLayoutEffect(() => {
    const before = shown.current
    if (before.key === key) return
    shown.current = { key, pathname, search }
    // The new entry shows the same page, so it starts with the same offset. Two quick steps in a modal, there and back, are rendered as one
    // to the same address.
    const isChange = search !== before.search || hasModal(search)
    if (isChange && isSamePage({ pathname, search }, before)) offsets.set(key, window.scrollY)
    else window.scrollTo({ top: type === 'POP' ? (offsets.get(key) ?? 0) : 0 })
  }, [key, offsets, pathname, search, type])
}
