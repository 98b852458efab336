import { type RefObject, useEffect, useEffectEvent, useLayoutEffect } from 'react'

/** Where the member has scrolled to in a list, by an item: sizes differ after a restart. */
export interface ScrollPosition {
  /** The first item on screen. */
  id: string
  /** The distance of its top from the top of the scroller's viewport, in pixels. */
  top: number
}

/** Delay after a scroll before the position is saved, in milliseconds. */
const SAVE_MS = 300
/** The restored position is kept for this many frames while the first items are measured, unless the member scrolls. */
const SETTLE_FRAMES = 30
const INPUTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

interface SavedScroll {
  /** Return to the saved position now. */
  isRestored: boolean
  saved: () => ScrollPosition | null | undefined
  /** The position at a scroll offset in pixels; null at the beginning, undefined if no item is known. */
  positionAt: (offset: number) => ScrollPosition | null | undefined
  /** Where an item starts, in pixels. */
  startOf: (id: string) => number | undefined
  save: (position: ScrollPosition | null) => void
  /** More items are being loaded, for which a list that is too short to return to its position waits. */
  isGrowing?: boolean
  /** Scrolls instead of the window. */
  element?: RefObject<HTMLElement | null>
}

/** Saves where the member has scrolled to, and returns there. */
export function useSavedScroll({
  isRestored,
  saved,
  positionAt,
  startOf,
  save,
  isGrowing = false,
  element,
}: SavedScroll): void {
  const scroller = () => (element === undefined ? document.scrollingElement : element.current)
  const handleSave = useEffectEvent(() => {
    const box = scroller()
    // A hidden element has no height, and is at 0.
    const position = box === null || box.clientHeight === 0 ? undefined : positionAt(box.scrollTop)
    if (position !== undefined) save(position)
  })

  const restore = useEffectEvent((frame: number): boolean => {
    const position = saved()
    const start = position == null ? undefined : startOf(position.id)
    const box = scroller()
    if (position == null || start === undefined || box === null) return false
    const top = start - position.top
    if (Math.abs(box.scrollTop - top) > 1) box.scrollTo({ top })
    return frame < SETTLE_FRAMES || (isGrowing && top > box.scrollHeight - box.clientHeight)
  })

  useLayoutEffect(() => {
    if (!isRestored) return
    let frame = 0
    let request = 0
    const settle = () => {
      if (restore(frame)) request = requestAnimationFrame(settle)
      frame += 1
    }
    const stop = () => cancelAnimationFrame(request)
    settle()
    for (const input of INPUTS) addEventListener(input, stop, { passive: true, capture: true })
    return () => {
      stop()
      for (const input of INPUTS) removeEventListener(input, stop, { capture: true })
    }
  }, [isRestored])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const handleScroll = ({ target }: Event) => {
      if (target !== (element === undefined ? document : element.current)) return
      clearTimeout(timer)
      timer = setTimeout(handleSave, SAVE_MS)
    }
    // Scrolling of an element does not bubble.
    addEventListener('scroll', handleScroll, { passive: true, capture: true })
    addEventListener('pagehide', handleSave)
    return () => {
      clearTimeout(timer)
      removeEventListener('scroll', handleScroll, { capture: true })
      removeEventListener('pagehide', handleSave)
    }
  }, [element])
}
