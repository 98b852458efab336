import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

/** Adds a double-click shortcut to an element that is not a control. The same action must also have a button. */
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
