import { type RefObject, useEffect } from 'react'

/** How long the controls stay without pointer and keys, in milliseconds. */
const IDLE_MS = 2_000

/** Marks the table with `data-idle` after a while without pointer and keys: its controls hide then, for the eye alone. */
export function useIdleMark(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let hasWokenByTouch = false
    const wake = (event?: Event) => {
      const dataset = content.current?.dataset
      if (event?.type === 'pointerdown') {
        const isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
        hasWokenByTouch = isTouch && dataset?.idle !== undefined
      }
      clearTimeout(timer)
      delete dataset?.idle
      timer = setTimeout(() => {
        if (content.current !== null) content.current.dataset.idle = ''
      }, IDLE_MS)
    }
    // A finger cannot know which control it meets.
    const handleClick = (event: MouseEvent) => {
      const isControl = event.target instanceof Element && event.target.closest('.table-controls') !== null
      if (!hasWokenByTouch || !isControl) return
      event.preventDefault()
      event.stopPropagation()
    }
    wake()
    const listening = new AbortController()
    const { signal } = listening
    for (const type of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'focusin'])
      window.addEventListener(type, wake, { capture: true, passive: true, signal })
    window.addEventListener('click', handleClick, { capture: true, signal })
    return () => {
      clearTimeout(timer)
      listening.abort()
    }
  }, [content])
}
