import { type RefCallback, type RefObject, useCallback, useEffect, useRef } from 'react'

/** How far outside the scroller an element already counts as shown. */
const AHEAD = '120px'

/** Calls back when the element comes near to being shown in a scroller. Give the result as the element's ref. */
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
