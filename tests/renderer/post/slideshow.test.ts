import { act } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useSlideshow } from '#/renderer/features/post/useSlideshow'
import { showHook } from '#tests/renderer/dom'

afterEach(() => {
  vi.useRealTimers()
})

test('FEED-20 the slideshow waits for the end of a video, which takes its element from the player', () => {
  vi.useFakeTimers()
  const content = document.createElement('div')
  content.innerHTML = '<div data-player="playing"><video></video></div>'
  const onNext = vi.fn(() => true)
  const { result } = showHook(() => useSlideshow({ current: content }, 'a 0', onNext))
  act(() => result.current.setPlaying(true))
  act(() => vi.advanceTimersByTime(60_000))
  expect(onNext).not.toHaveBeenCalled()
  content.querySelector('video')?.remove()
  act(() => vi.advanceTimersByTime(1_000))
  expect(onNext).toHaveBeenCalledOnce()
})
