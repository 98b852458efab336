import { type RefCallback, useCallback, useState } from 'react'

/** Whether an element has more than it shows. Give the first of the pair as the element's ref. */
export function useIsClipped<T extends HTMLElement>(): [RefCallback<T>, boolean] {
  const [isClipped, setIsClipped] = useState(false)
  const ref = useCallback((element: T | null) => {
    if (element === null) return
    const look = () => setIsClipped(element.scrollHeight > element.clientHeight + 1)
    const observer = new ResizeObserver(look)
    observer.observe(element)
    // What is typed into a preview changes the words and not the size.
    const words = new MutationObserver(look)
    words.observe(element, { childList: true, subtree: true, characterData: true })
    return () => {
      observer.disconnect()
      words.disconnect()
    }
  }, [])
  return [ref, isClipped]
}
