import { type RefObject, useEffect, useRef } from 'react'

/** A shortcut for the pointer only, on an element that is no control: what it does has a button of its own. */
export function useDoubleClick<T extends HTMLElement>(onDoubleClick: () => void): RefObject<T | null> {
  const element = useRef<T>(null)
  const callback = useRef(onDoubleClick)
  useEffect(() => {
    callback.current = onDoubleClick
  })
  useEffect(() => {
    const target = element.current
    const handleDoubleClick = () => callback.current()
    target?.addEventListener('dblclick', handleDoubleClick)
    return () => target?.removeEventListener('dblclick', handleDoubleClick)
  }, [])
  return element
}
