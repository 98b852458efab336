import { type RefCallback, useCallback, useEffect, useRef } from 'react'

/** Calls back when the element comes on screen, `margin` around it included. Give the result as the element's ref. */
export function useOnScreen<T extends Element>(onShown: () => void, margin = '200px'): RefCallback<T> {
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
        { rootMargin: margin },
      )
      observer.observe(element)
      return () => observer.disconnect()
    },
    [margin],
  )
}
