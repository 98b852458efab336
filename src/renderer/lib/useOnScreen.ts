import { type RefCallback, type RefObject, useCallback, useEffect, useRef } from 'react'

/** An element this close to the scroller's edge counts as visible. */
const AHEAD = '120px'

/** Returns a ref for an element. Calls back when the element comes close to the visible part of the scroller. */
export function useOnScreen<T extends Element>(
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
