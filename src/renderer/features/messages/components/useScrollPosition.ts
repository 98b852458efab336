import type { Virtualizer } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { createStore, type StoreApi, useStore } from 'zustand'
import { INITIAL_SCROLL, isMoving, type ScrollEvent, type ScrollState, scrollReducer } from '../model/scroll'
import type { TimelineRow } from '../model/timeline'

type List = Virtualizer<HTMLDivElement, Element>

function distanceToEnd({ scrollTop, scrollHeight, clientHeight }: Element): number {
  return scrollHeight - clientHeight - scrollTop
}

/** Calls back once nothing has moved for two frames. Returns a cancel function. */
function onceSettled(element: Element, done: () => void): () => void {
  let still = 0
  let { scrollTop, scrollHeight } = element
  let frame = 0
  const look = () => {
    const isStill = element.scrollTop === scrollTop && element.scrollHeight === scrollHeight
    still = isStill ? still + 1 : 0
    ;({ scrollTop, scrollHeight } = element)
    if (still > 2) done()
    else frame = requestAnimationFrame(look)
  }
  frame = requestAnimationFrame(look)
  return () => cancelAnimationFrame(frame)
}

interface ScrollPosition {
  state: ScrollState
  dispatch: (event: ScrollEvent) => void
  /** Ref of the scrolling element. */
  attach: (element: HTMLDivElement) => () => void
}

/** The state is in a store, because scroll and resize events need it before the next render. */
export function useScrollStore(): StoreApi<ScrollState> {
  return useState(() => createStore<ScrollState>(() => INITIAL_SCROLL))[0]
}

/** Connects the model of the scroll position with the list. */
export function useScrollPosition(
  store: StoreApi<ScrollState>,
  virtualizer: List,
  rows: readonly TimelineRow[],
): ScrollPosition {
  const state = useStore(store)
  const cancelSettling = useRef<() => void>(() => undefined)

  const jump = (to: ScrollState['jump']) => {
    cancelSettling.current()
    if (to === null) return
    if (to.to === 'end') return virtualizer.scrollToEnd()
    const element = virtualizer.scrollElement
    if (element === null) return
    cancelSettling.current = onceSettled(element, () =>
      dispatch({ type: 'settled', toEnd: distanceToEnd(element) }),
    )
  }
  const dispatch = (event: ScrollEvent) => {
    const before = store.getState()
    const after = scrollReducer(before, event)
    if (after === before) return
    store.setState(after, true)
    if (after.jump !== before.jump) jump(after.jump)
  }

  // The list goes to an index: rows that come before the wanted one meanwhile change it.
  const target = isMoving(state) && state.jump?.to === 'row' ? state.jump : null
  const index = target === null ? -1 : rows.findIndex(({ key }) => key === target.key)
  useLayoutEffect(() => {
    if (target !== null && index >= 0) virtualizer.scrollToIndex(index, { align: target.align })
  }, [virtualizer, target, index])

  const attach = useCallback(
    (element: HTMLDivElement) => {
      let lastTop = element.scrollTop
      const handleScroll = () => {
        const movedBy = element.scrollTop - lastTop
        lastTop = element.scrollTop
        store.setState(
          scrollReducer(store.getState(), { type: 'scrolled', movedBy, toEnd: distanceToEnd(element) }),
          true,
        )
      }
      const observer = new ResizeObserver(() => {
        if (store.getState().hold === 'end') virtualizer.scrollToEnd()
      })
      observer.observe(element)
      if (element.firstElementChild !== null) observer.observe(element.firstElementChild)
      element.addEventListener('scroll', handleScroll, { passive: true })
      return () => {
        cancelSettling.current()
        observer.disconnect()
        element.removeEventListener('scroll', handleScroll)
      }
    },
    [store, virtualizer],
  )
  return { state, dispatch, attach }
}
