import { type RefObject, useEffect } from 'react'

/** Moved further than this, in pixels, it is a drag and no click. */
const DRAG_FROM = 6

/** Lets a row that scrolls sideways be scrolled by the wheel and by dragging it with the mouse as well. */
export function useStripScroll(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const row = scroller.current
    if (row === null) return
    let start: { x: number; scrollLeft: number } | null = null
    let isDragged = false

    const handleWheel = (event: WheelEvent) => {
      if (event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return
      const before = row.scrollLeft
      row.scrollBy({ left: event.deltaY, behavior: 'instant' })
      // At its end the page scrolls on.
      if (row.scrollLeft !== before) event.preventDefault()
    }
    const handleDown = (event: PointerEvent) => {
      isDragged = false
      // Fingers scroll by themselves.
      start =
        event.pointerType === 'mouse' && event.button === 0
          ? { x: event.clientX, scrollLeft: row.scrollLeft }
          : null
    }
    const handleMove = (event: PointerEvent) => {
      if (start === null) return
      const moved = event.clientX - start.x
      if (!isDragged && Math.abs(moved) < DRAG_FROM) return
      isDragged = true
      row.scrollLeft = start.scrollLeft - moved
    }
    const handleUp = () => {
      start = null
    }
    const handleClick = (event: MouseEvent) => {
      if (!isDragged || event.detail === 0) return
      isDragged = false
      event.preventDefault()
      event.stopPropagation()
    }
    const handleDragStart = (event: Event) => event.preventDefault()

    row.addEventListener('wheel', handleWheel, { passive: false })
    row.addEventListener('pointerdown', handleDown)
    window.addEventListener('pointermove', handleMove)
    window.addEventListener('pointerup', handleUp)
    row.addEventListener('click', handleClick, { capture: true })
    row.addEventListener('dragstart', handleDragStart)
    return () => {
      row.removeEventListener('wheel', handleWheel)
      row.removeEventListener('pointerdown', handleDown)
      window.removeEventListener('pointermove', handleMove)
      window.removeEventListener('pointerup', handleUp)
      row.removeEventListener('click', handleClick, { capture: true })
      row.removeEventListener('dragstart', handleDragStart)
    }
  }, [scroller])
}
