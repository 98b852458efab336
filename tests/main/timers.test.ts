import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { schedule, wait } from '#/main/timers'

describe('timers', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('a wait ends once its time has passed, not before', async () => {
    const ended = vi.fn()
    void wait(1_000).then(ended)
    await vi.advanceTimersByTimeAsync(999)
    expect(ended).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(ended).toHaveBeenCalledOnce()
  })

  test('a scheduled task runs once, unless it is cancelled', async () => {
    const [run, cancelled] = [vi.fn(), vi.fn()]
    schedule(1_000, run)
    const cancel = schedule(1_000, cancelled)
    cancel()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(run).toHaveBeenCalledOnce()
    expect(cancelled).not.toHaveBeenCalled()
  })
})

test('a wait does not keep the process alive, a scheduled task does', () => {
  // Node lists only timers that keep the process alive.
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  void wait(60_000)
  expect(timers()).toBe(before)
  const cancel = schedule(60_000, () => undefined)
  expect(timers()).toBe(before + 1)
  cancel()
})
