import { expect, test } from 'vitest'
import { createFairQueue } from '#/backend/http/fair-queue'

/** A fair queue whose tasks record their name and finish when the test resolves them. */
function openLane() {
  const queue = createFairQueue({ perCaller: 3, total: 100 })
  const started: string[] = []
  const ends: (() => void)[] = []
  const settle = () => new Promise((resolve) => setTimeout(resolve, 0))
  const add = (caller: string, name: string, isHeavy = false) =>
    queue({
      caller,
      isHeavy,
      work: () => {
        started.push(name)
        return new Promise<string>((resolve) => ends.push(() => resolve(name)))
      },
    })
  const finishAll = async () => {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end()
      await settle()
    }
  }
  return { add, started, finishAll }
}

test('alternates between callers, oldest task first', async () => {
  const { add, started, finishAll } = openLane()
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) void add(name.charAt(0), name)
  await finishAll()
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
})

test('heavy tasks of many callers delay a light task by one turn', async () => {
  const { add, started, finishAll } = openLane()
  for (let caller = 0; caller < 30; caller += 1) void add(`poster ${caller}`, `picture ${caller}`, true)
  for (const name of ['read 1', 'read 2', 'read 3']) void add('reader', name)
  await finishAll()
  expect(started.slice(0, 6)).toEqual(['picture 0', 'read 1', 'picture 1', 'read 2', 'picture 2', 'read 3'])
  expect(started).toHaveLength(33)
})

test('light tasks of many callers delay a heavy task by one turn', async () => {
  const { add, started, finishAll } = openLane()
  for (let caller = 0; caller < 30; caller += 1) void add(`reader ${caller}`, `read ${caller}`)
  void add('poster', 'picture', true)
  await finishAll()
  expect(started.indexOf('picture')).toBe(1)
})

test('queues at most three tasks per caller, light and heavy together', async () => {
  const { add, finishAll } = openLane()
  void add('other', 'first')
  const mine = [add('me', '1'), add('me', '2', true), add('me', '3'), add('me', '4', true)]
  await finishAll()
  expect(await Promise.all(mine)).toEqual(['1', '2', '3', null])
})
