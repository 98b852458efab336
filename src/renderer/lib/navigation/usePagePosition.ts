import { type RefObject, useLayoutEffect, useState } from 'react'

interface PagePosition {
  /** Distance from the top of the page, in pixels. */
  top: number
  /** In pixels. */
  width: number
}

/** An element's position on the page, updated when the layout changes; null while the element is not mounted. */
export function usePagePosition(
  element: RefObject<HTMLElement | null>,
  isMounted = true,
): PagePosition | null {
  const [position, setPosition] = useState<PagePosition | null>(null)
  useLayoutEffect(() => {
    if (!isMounted) return
    const measure = () => {
      const box = element.current?.getBoundingClientRect()
      if (box === undefined) return
      const next = { top: Math.round(box.top + window.scrollY), width: box.width }
      setPosition((last) => (last?.top === next.top && last.width === next.width ? last : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element, isMounted])
  return position
}
