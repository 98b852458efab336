import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { collectGarbage } from '#/backend/collect-garbage'
import { createMutex } from '#/backend/mutex'

test('runs functions one at a time, in order, also after a failure', async () => {
  const exclusive = createMutex()
  const events: string[] = []
  const work = (name: string) => async () => {
    events.push(`${name} starts`)
    await pause(1)
    events.push(`${name} ends`)
    if (name === 'b') throw new Error(name)
    return name
  }
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => exclusive(work(name))))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(events).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends'])
})

test('does not keep the last result in memory', async () => {
  const exclusive = createMutex()
  const result = new WeakRef(await exclusive(async () => ({ dump: new ArrayBuffer(1_000) })))
  // A reference stays alive until the turn in which it was made has ended.
  await pause(0)
  collectGarbage()
  expect(result.deref()).toBeUndefined()
  // The mutex is still in use.
  expect(await exclusive(async () => 1)).toBe(1)
})
