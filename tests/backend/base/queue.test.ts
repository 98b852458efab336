import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createQueue, SkippedError } from '#/backend/base/queue'

test('runs functions one at a time, in order, also after a failure', async () => {
  const exclusive = createQueue()
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
  const exclusive = createQueue()
  const result = new WeakRef(await exclusive(async () => ({ dump: new ArrayBuffer(1_000) })))
  // A reference stays alive until the turn in which it was made has ended.
  await pause(0)
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  expect(result.deref()).toBeUndefined()
  // The queue is still in use.
  expect(await exclusive(async () => 1)).toBe(1)
})

/** Puts work into a queue that is busy until `release` is called, and returns the order in which it ran. */
function busyQueue() {
  const queue = createQueue(() => 0)
  const order: string[] = []
  let release: () => void = () => undefined
  const held = queue(() => new Promise<void>((resolve) => (release = resolve)))
  return {
    order,
    add: (caller: string, name: string, isGone?: () => boolean) =>
      queue(async () => void order.push(name), { caller, ...(isGone && { isGone }) }),
    release: async () => {
      release()
      await held
      await queue(async () => undefined, { caller: 'last' })
    },
  }
}

test('callers take turns, each in the order of the calls', async () => {
  const { add, order, release } = busyQueue()
  const all = ['a0', 'a1', 'a2', 'a3', 'b0', 'b1', 'c0'].map((name) => add(name.slice(0, 1), name))
  await release()
  await Promise.all(all)
  expect(order).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3'])
})

test('a caller with short turns is before any number of callers with longer ones', async () => {
  let now = 0
  const queue = createQueue(() => now)
  const order: string[] = []
  const take = (caller: string, ms: number) =>
    queue(
      async () => {
        now += ms
        order.push(caller)
      },
      { caller },
    )
  const accounts = Array.from({ length: 20 }, (_, number) => `account ${number}`)
  const flood = [...accounts, ...accounts, ...accounts].map((account) => take(account, 100))
  await flood[19]
  for (let turn = 0; turn < 5; turn += 1) await take('member', 4)
  expect(order.lastIndexOf('member')).toBeLessThan(20 + 5 + 2)
  await Promise.all(flood)
})

test('skips the work of callers who have gone, and refuses what waits beyond a thousand', async () => {
  const { add, order, release } = busyQueue()
  let isGone = false
  const gone = expect(add('a', 'gone', () => isGone)).rejects.toThrow(SkippedError)
  const flood = Array.from({ length: 1_000 }, (_, index) => add('b', `b${index}`))
  await expect(add('b', 'too many')).rejects.toThrow(SkippedError)
  const other = add('c', 'other')
  isGone = true
  await release()
  await Promise.all([gone, ...flood, other])
  expect(order).toHaveLength(1_001)
  expect(order.indexOf('other')).toBeLessThanOrEqual(2)
})
