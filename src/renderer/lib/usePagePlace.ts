import { type RefObject, useLayoutEffect, useState } from 'react'

interface PagePlace {
  /** How far it lies from the page's top, in pixels. */
  top: number
  /** In pixels. */
  width: number
}

/** Where an element is on the page, also after something above it came or went; null while it is not there. */
export function usePagePlace(element: RefObject<HTMLElement | null>, isThere = true): PagePlace | null {
  const [place, setPlace] = useState<PagePlace | null>(null)
  useLayoutEffect(() => {
    if (!isThere) return
    const measure = () => {
      const box = element.current?.getBoundingClientRect()
      if (box === undefined) return
      const next = { top: Math.round(box.top + window.scrollY), width: box.width }
      setPlace((last) => (last?.top === next.top && last.width === next.width ? last : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element, isThere])
  return place
}
