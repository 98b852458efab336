import { type RefCallback, useCallback, useEffect, useRef } from 'react'

/** A press that moves less than this is a click, in pixels. */
const CLICK_REACH = 5

/** Where a drag began: the pointer, and how far the scroller had been scrolled. */
interface Start {
  x: number
  y: number
  left: number
  top: number
}

/**
 * Moves a scroller by dragging what is in it, with a mouse or pen; touch scrolls by itself. A click calls back. Give
 * the result as the scroller's ref.
 */
export function usePan<T extends HTMLElement>(onClick: () => void): RefCallback<T> {
  const callback = useRef(onClick)
  useEffect(() => {
    callback.current = onClick
  })
  return useCallback((scroller: T | null) => {
    if (scroller === null) return
    let from: Start | null = null
    let hasMoved = false
    const handleDown = ({ button, clientX: x, clientY: y }: PointerEvent) => {
      hasMoved = false
      from = button === 0 ? { x, y, left: scroller.scrollLeft, top: scroller.scrollTop } : null
    }
    const handleMove = ({ clientX, clientY, pointerId, pointerType }: PointerEvent) => {
      if (from === null || pointerType === 'touch') return
      const [x, y] = [clientX - from.x, clientY - from.y]
      if (!hasMoved && Math.hypot(x, y) < CLICK_REACH) return
      if (!hasMoved) scroller.setPointerCapture(pointerId)
      hasMoved = true
      scroller.scrollTo(from.left - x, from.top - y)
    }
    const handleEnd = () => {
      from = null
    }
    const handleClick = () => {
      if (!hasMoved) callback.current()
    }
    const listening = new AbortController()
    const { signal } = listening
    scroller.addEventListener('pointerdown', handleDown, { signal })
    scroller.addEventListener('pointermove', handleMove, { signal })
    scroller.addEventListener('pointerup', handleEnd, { signal })
    scroller.addEventListener('pointercancel', handleEnd, { signal })
    scroller.addEventListener('click', handleClick, { signal })
    return () => listening.abort()
  }, [])
}
