import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Moved up by more than this from the end, somebody means to leave it, in pixels. */
const LEAVING = 4

/**
 * What a list of messages keeps in place as sizes change: its end, once one is there; or nothing. `placing`: rows are
 * still being measured on the way to the one that is to be shown first.
 */
type Hold = 'end' | 'placing' | 'free'

type List = Virtualizer<HTMLDivElement, Element>

interface Place {
  scrollTop: number
  scrollHeight: number
  clientHeight: number
}

function placeOf({ scrollTop, scrollHeight, clientHeight }: Element): Place {
  return { scrollTop, scrollHeight, clientHeight }
}

function toEnd({ scrollTop, scrollHeight, clientHeight }: Place): number {
  return scrollHeight - clientHeight - scrollTop
}

/** Calls back once nothing has moved for two frames. Gives what ends the waiting. */
function onceSettled(element: Element, done: () => void): () => void {
  let still = 0
  let last = placeOf(element)
  let frame = 0
  const look = () => {
    const now = placeOf(element)
    const isStill = now.scrollTop === last.scrollTop && now.scrollHeight === last.scrollHeight
    still = isStill ? still + 1 : 0
    last = now
    if (still > 2) done()
    else frame = requestAnimationFrame(look)
  }
  frame = requestAnimationFrame(look)
  return () => cancelAnimationFrame(frame)
}

interface ScrollHold {
  /** Goes to the end and stays there, whatever becomes larger or smaller. */
  goToEnd: () => void
  /** Brings a row to the top, as far as there is something below it. */
  goToRow: (index: number) => void
  /** Nobody has scrolled away from where the list was put. */
  isHeld: () => boolean
  /** It is still on its way to the row that is to be shown first. */
  isPlacing: boolean
}

/**
 * Keeps a list at its end while the field below it grows and shrinks, and while its rows do. Within `reach` pixels of
 * the end one is there again.
 */
export function useScrollHold(
  scroller: RefObject<HTMLDivElement | null>,
  virtualizer: List,
  reach: number,
): ScrollHold {
  const hold = useRef<Hold>('end')
  const stopPlacing = useRef<() => void>(() => undefined)
  const [isPlacing, setIsPlacing] = useState(false)

  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    let { scrollTop: lastTop } = element
    const handleScroll = () => {
      const place = placeOf(element)
      const isUp = place.scrollTop < lastTop - 1
      lastTop = place.scrollTop
      if (hold.current === 'placing') return
      if (isUp) hold.current = toEnd(place) > LEAVING ? 'free' : 'end'
      else if (toEnd(place) <= reach) hold.current = 'end'
    }
    const observer = new ResizeObserver(() => {
      if (hold.current === 'end') virtualizer.scrollToEnd()
    })
    observer.observe(element)
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild)
    element.addEventListener('scroll', handleScroll, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', handleScroll)
    }
  }, [scroller, virtualizer, reach])

  const goToEnd = useCallback(() => {
    stopPlacing.current()
    setIsPlacing(false)
    hold.current = 'end'
    virtualizer.scrollToEnd()
  }, [virtualizer])

  const goToRow = useCallback(
    (index: number) => {
      const element = scroller.current
      if (element === null) return
      stopPlacing.current()
      setIsPlacing(true)
      hold.current = 'placing'
      virtualizer.scrollToIndex(index, { align: 'start' })
      stopPlacing.current = onceSettled(element, () => {
        setIsPlacing(false)
        hold.current = toEnd(placeOf(element)) <= reach ? 'end' : 'free'
      })
    },
    [scroller, virtualizer, reach],
  )

  const isHeld = useCallback(() => hold.current !== 'free', [])
  return { goToEnd, goToRow, isHeld, isPlacing }
}
