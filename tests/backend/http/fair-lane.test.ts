import { expect, test } from 'vitest'
import { createFairLane } from '#/backend/http/fair-lane'

/** A lane whose work notes its name, and ends when the test says so. */
function openLane() {
  const lane = createFairLane({ perCaller: 3, total: 100 })
  const started: string[] = []
  const ends: (() => void)[] = []
  const settle = () => new Promise((resolve) => setTimeout(resolve, 0))
  const add = (caller: string, name: string, isHeavy = false) =>
    lane({
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

test('callers take turns, each with its oldest work', async () => {
  const { add, started, finishAll } = openLane()
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) void add(name.charAt(0), name)
  await finishAll()
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
})

test('heavy work of many callers delays light work by one turn', async () => {
  const { add, started, finishAll } = openLane()
  for (let caller = 0; caller < 30; caller += 1) void add(`poster ${caller}`, `picture ${caller}`, true)
  for (const name of ['read 1', 'read 2', 'read 3']) void add('reader', name)
  await finishAll()
  expect(started.slice(0, 6)).toEqual(['picture 0', 'read 1', 'picture 1', 'read 2', 'picture 2', 'read 3'])
  expect(started).toHaveLength(33)
})

test('light work of many callers delays heavy work by one turn', async () => {
  const { add, started, finishAll } = openLane()
  for (let caller = 0; caller < 30; caller += 1) void add(`reader ${caller}`, `read ${caller}`)
  void add('poster', 'picture', true)
  await finishAll()
  expect(started.indexOf('picture')).toBe(1)
})

test('a caller has three pieces of work waiting at most, light and heavy together', async () => {
  const { add, finishAll } = openLane()
  void add('other', 'first')
  const mine = [add('me', '1'), add('me', '2', true), add('me', '3'), add('me', '4', true)]
  await finishAll()
  expect(await Promise.all(mine)).toEqual(['1', '2', '3', null])
})
