import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createThrottle } from '#/renderer/lib/throttle'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('what is asked for in a moment is done once, and again when it is asked for later', () => {
  const work = vi.fn()
  const ask = createThrottle(work)
  for (let index = 0; index < 20; index += 1) ask()
  expect(work).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(work).toHaveBeenCalledTimes(1)
  ask()
  vi.runAllTimers()
  expect(work).toHaveBeenCalledTimes(2)
})

test('MSG-01 messages that come while the list is read do not stop the read: it is read once more after it', () => {
  const work = vi.fn()
  let isBusy = true
  const ask = createThrottle(work, () => isBusy)
  for (let index = 0; index < 20; index += 1) {
    ask()
    vi.advanceTimersByTime(100)
  }
  expect(work).not.toHaveBeenCalled()
  isBusy = false
  vi.runAllTimers()
  expect(work).toHaveBeenCalledTimes(1)
})
