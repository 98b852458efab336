import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { collectGarbageWhenIdle } from '#/backend/collect-garbage'

test('returns unused memory ten seconds after the last use, each time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const noteUse = collectGarbageWhenIdle()
  for (let use = 0; use < 2; use += 1) {
    noteUse()
    const unused = new WeakRef({ large: new ArrayBuffer(1_000_000) })
    // A reference stays alive until the turn in which it was made has ended.
    await nextTurn()
    vi.advanceTimersByTime(10_000)
    await nextTurn()
    expect(unused.deref()).toBeUndefined()
  }
})
