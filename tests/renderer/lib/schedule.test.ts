import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createThrottle } from '#/renderer/lib/schedule'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a throttled function runs once for calls within a short time, and again for later calls', () => {
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

test('MSG-01 messages that arrive during a refetch do not cancel it: one more refetch follows', () => {
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
