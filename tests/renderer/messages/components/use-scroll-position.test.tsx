import type { Virtualizer } from '@tanstack/react-virtual'
import { act } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { createStore } from 'zustand'
import { useScrollPosition } from '#/renderer/features/messages/components/useScrollPosition'
import { INITIAL_SCROLL, type ScrollState } from '#/renderer/features/messages/model/scroll'
import { buildTimeline } from '#/renderer/features/messages/model/timeline'
import { showHook } from '#tests/renderer/dom'
import { ME, message } from '../messages'

const rowsOf = (...ids: string[]) =>
  buildTimeline({
    me: ME,
    messages: ids.map((id, minute) => message(id, minute)),
    outgoing: [],
    divider: { beforeId: null, untilId: null, isMore: false },
    hasOlder: true,
    isOtherTyping: false,
    deliveredAt: null,
  })

test('MSG-14 a list on the way to a message goes on to it when earlier messages are loaded meanwhile', () => {
  const scrollToIndex = vi.fn()
  const list: Pick<Virtualizer<HTMLDivElement, Element>, 'scrollElement' | 'scrollToIndex'> = {
    scrollElement: document.createElement('div'),
    scrollToIndex,
  }
  const store = createStore<ScrollState>(() => ({ ...INITIAL_SCROLL, wantedId: 'c', opened: 'fetched' }))
  let rows = rowsOf('b', 'c', 'd')
  const { result, rerender } = showHook(() =>
    useScrollPosition(store, list as Virtualizer<HTMLDivElement, Element>, rows),
  )
  const indexOf = (key: string) => rows.findIndex((row) => row.key === key)
  const mark = { mark_at: null, mark_id: null }
  const shown = { messages: [], mark, visibleCount: 0, isFresh: true, soughtId: null, canFind: true }
  act(() =>
    result.current.dispatch({ type: 'rendered', rows, ...shown, pendingId: undefined, hasNewer: false }),
  )
  expect(scrollToIndex.mock.calls).toEqual([[indexOf('c'), { align: 'center' }]])

  rows = rowsOf('a', 'b', 'c', 'd')
  rerender()
  expect(scrollToIndex.mock.lastCall).toEqual([indexOf('c'), { align: 'center' }])
  expect(scrollToIndex).toHaveBeenCalledTimes(2)

  act(() => result.current.dispatch({ type: 'settled', toEnd: 400 }))
  rows = rowsOf('x', 'a', 'b', 'c', 'd')
  rerender()
  expect(scrollToIndex).toHaveBeenCalledTimes(2)
})
