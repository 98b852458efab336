import { type RefCallback, useCallback, useEffect, useRef } from 'react'
import { isTyping } from '#/renderer/lib/shortcuts'

/** Longer than this, in milliseconds, and it was a stop to look, not a tap. */
const TAP_MS = 350
/** Moved further than this, in pixels, and it was no tap either. */
const TAP_REACH = 12

/** What has a meaning of its own when it is pressed. */
const CONTROLS = 'a, button, input, textarea, [data-press=own]'

interface TapHandlers {
  /** Of the halves of the window (STORY-04). */
  onTap: (side: 'left' | 'right') => void
  onPress: () => void
  onRelease: () => void
  /** A press is about to begin: true if all it does is to leave what was in hand. */
  onLeave: () => boolean
}

/** Hears taps on an element and holding it down. Give the result as the element's ref. */
export function useTaps<T extends HTMLElement>(handlers: TapHandlers): RefCallback<T> {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  return useCallback((element: T | null) => {
    if (element === null) return
    let start: { x: number; y: number; at: number } | null = null

    const handleDown = (event: PointerEvent) => {
      if (event.button !== 0 || !event.isPrimary) return
      // A press beside the field one writes in only leaves it.
      if (isTyping(document.activeElement)) return
      if (event.target instanceof Element && event.target.closest(CONTROLS) !== null) return
      if (latest.current.onLeave()) return
      start = { x: event.clientX, y: event.clientY, at: event.timeStamp }
      element.setPointerCapture(event.pointerId)
      latest.current.onPress()
    }
    const handleUp = (event: PointerEvent) => {
      if (start === null) return
      const { x, y, at } = start
      start = null
      latest.current.onRelease()
      const isNear = Math.hypot(event.clientX - x, event.clientY - y) <= TAP_REACH
      if (isNear && event.timeStamp - at <= TAP_MS)
        latest.current.onTap(event.clientX < window.innerWidth / 2 ? 'left' : 'right')
    }
    const handleCancel = () => {
      if (start === null) return
      start = null
      latest.current.onRelease()
    }
    element.addEventListener('pointerdown', handleDown)
    element.addEventListener('pointerup', handleUp)
    element.addEventListener('pointercancel', handleCancel)
    return () => {
      element.removeEventListener('pointerdown', handleDown)
      element.removeEventListener('pointerup', handleUp)
      element.removeEventListener('pointercancel', handleCancel)
    }
  }, [])
}
