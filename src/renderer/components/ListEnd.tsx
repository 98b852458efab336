import { type RefCallback, type RefObject, useCallback, useEffect, useRef } from 'react'
import { SpinnerOrRetry } from './SpinnerOrRetry'

/** The window as `scroller`: scrolling elements in it count too. */
export const WINDOW = { current: null }

interface ListEndProps {
  query: {
    dataUpdatedAt: number
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isError: boolean
    fetchNextPage: () => Promise<unknown>
  }
  /** The scrolling element; the window if its ref is null. */
  scroller: RefObject<Element | null>
  /** Accessible name of the spinner. */
  label: string
}

/**
 * The last item of an infinite list: loads the next page when it comes into view. Renders nothing after the last page.
 */
export function ListEnd({ query, scroller, label }: ListEndProps) {
  const { dataUpdatedAt, hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query
  const end = useOnScreen<HTMLLIElement>(scroller, () => {
    if (!isFetchingNextPage && !isError) void fetchNextPage()
  })
  if (!hasNextPage) return null
  return (
    // A new key per page, so that the observer checks the new element.
    <li key={`${dataUpdatedAt} ${isError}`} ref={end} className="col-span-full grid h-14 place-items-center">
      <SpinnerOrRetry hasFailed={isError} onRetry={fetchNextPage} size={18} label={label} />
    </li>
  )
}

/** An element this close to the scroller's edge counts as visible. */
const AHEAD = '120px'

/** Returns a ref for an element. Calls back when the element comes close to the visible part of the scroller. */
function useOnScreen<T extends Element>(
  scroller: RefObject<Element | null>,
  onShown: () => void,
): RefCallback<T> {
  const callback = useRef(onShown)
  useEffect(() => {
    callback.current = onShown
  })
  return useCallback(
    (element: T | null) => {
      if (element === null) return
      const observer = new IntersectionObserver(
        (entries) => {
          if (entries.some((entry) => entry.isIntersecting)) callback.current()
        },
        { root: scroller.current, rootMargin: AHEAD },
      )
      observer.observe(element)
      return () => observer.disconnect()
    },
    [scroller],
  )
}
