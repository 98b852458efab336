import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

/** A shortcut for the pointer only, on an element that is no control: what it does has a button of its own. */
export function useDoubleClick<T extends HTMLElement>(onDoubleClick: () => void): RefObject<T | null> {
  const element = useRef<T>(null)
  const callback = useEffectEvent(onDoubleClick)
  useEffect(() => {
    const target = element.current
    const handleDoubleClick = () => callback()
    target?.addEventListener('dblclick', handleDoubleClick)
    return () => target?.removeEventListener('dblclick', handleDoubleClick)
  }, [])
  return element
}
