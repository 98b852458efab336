import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { type Location, useLocation, useNavigationType } from 'react-router-dom'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { type ScrollPosition, useSavedScroll } from './useSavedScroll'

/** Where the member has scrolled to in lists. Not fetched: kept as queries, so that they are cached on disk. */
export const SCROLL_KEY = 'scroll'

/** How many pages are loaded to find the saved item. */
const MOST_PAGES = 10

interface Visits {
  /** The last location at which a list was shown. */
  location: Location | null
  /** Positions by list and history entry. */
  positions: Map<string, ScrollPosition | null>
}

const visitsOf = onePerClient((): Visits => ({ location: null, positions: new Map() }))

interface ListScroll {
  /** Names the list. */
  list: QueryKey
  /** The loaded items. */
  ids: readonly string[]
  /** Whether the items can be scrolled to. */
  isReady: boolean
  query: { hasNextPage: boolean; isFetching: boolean; fetchNextPage: () => unknown }
  /** The position at a scroll offset in pixels; null at the beginning. */
  positionAt: (offset: number) => ScrollPosition | null
  /** Where an item starts, in pixels. */
  startOf: (index: number) => number
  /** Scrolls instead of the window. */
  element?: RefObject<HTMLElement | null>
}

/**
 * Returns to the last position in a list on Back and after a restart, and loads pages until its item is there. A list
 * that the member opens by a link starts at its beginning.
 */
export function useListScroll({ list, ids, isReady, query, positionAt, startOf, element }: ListScroll): void {
  const client = useQueryClient()
  const location = useLocation()
  const isPop = useNavigationType() === 'POP'
  const visits = visitsOf(client)
  // A change to another tab of the same page has no new location.
  const [isBack] = useState(() => isPop && visits.location !== location)
  useEffect(() => {
    visits.location = location
  }, [visits, location])

  const queryKey = [SCROLL_KEY, ...list]
  const inEntry = (key: string) => JSON.stringify([key, ...list])
  const { data: stored } = useQuery({
    queryKey,
    queryFn: (): ScrollPosition | null => null,
    enabled: isBack,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [first] = useState(() => visits.positions.get(inEntry(location.key)))
  const [target, setTarget] = useState<ScrollPosition | null | undefined>(isBack ? first : null)
  if (target === undefined && stored !== undefined) setTarget(stored)

  const [pages, setPages] = useState(0)
  const isFound = target != null && ids.includes(target.id)
  const isSought = target != null && !isFound && query.hasNextPage && pages < MOST_PAGES
  const seek = useEffectEvent(() => {
    setPages(pages + 1)
    query.fetchNextPage()
  })
  // Restore only once, because the item may leave the list later.
  const [isRestored, setIsRestored] = useState(false)
  if (isFound && isReady && !isRestored) setIsRestored(true)
  const canSeek = isSought && isReady && !query.isFetching
  useEffect(() => {
    if (canSeek) seek()
  }, [canSeek])

  const save = useEffectEvent((position: ScrollPosition | null) => {
    // Do not overwrite the saved position before the list has returned to it.
    if (target === undefined || isSought || !isReady) return
    visits.positions.set(inEntry(location.key), position)
    client.setQueryData(queryKey, position)
  })
  useSavedScroll({
    isRestored,
    saved: () => target,
    positionAt,
    startOf: (id) => (ids.includes(id) ? startOf(ids.indexOf(id)) : undefined),
    save: (position) => save(position),
    isGrowing: query.isFetching,
    ...(element && { element }),
  })
  const leave = useEffectEvent(() => {
    const box = element === undefined ? document.scrollingElement : element.current
    if (box !== null && box.clientHeight > 0) save(positionAt(box.scrollTop))
  })
  useLayoutEffect(() => () => leave(), [])
}
