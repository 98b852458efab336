import { expect, test } from 'vitest'
import { createPool } from '#/backend/base/pool'

/** A pool, and the parts that were taken away, by name. */
function openPool(total: number) {
  const pool = createPool(total)
  const lost: string[] = []
  return {
    lost,
    take: (caller: string, name: string, amount = 1) => pool.take(caller, amount, () => lost.push(name)),
  }
}

test('when it is full, the caller with most loses the oldest part', () => {
  const { take, lost } = openPool(4)
  for (const name of ['a1', 'a2', 'b1', 'a3']) take(name.slice(0, 1), name)
  expect(lost).toEqual([])
  take('c', 'c1')
  take('b', 'b2')
  expect(lost).toEqual(['a1', 'a2'])
  // Of equal callers, the one with the oldest part.
  take('c', 'c2')
  expect(lost).toEqual(['a1', 'a2', 'b1'])
})

test('counts amounts, and what was given back once', () => {
  const { take, lost } = openPool(10)
  const small = take('a', 'small', 2)
  take('b', 'large', 6)
  small.free()
  small.free()
  take('a', 'next', 4)
  expect(lost).toEqual([])
  take('c', 'last', 1)
  expect(lost).toEqual(['large'])
})

test('a part counts for the caller that becomes known later', () => {
  const { take, lost } = openPool(3)
  const [first, second] = [take('strangers', 's1'), take('strangers', 's2')]
  first.countFor('ada')
  second.countFor('ben')
  take('strangers', 's3').countFor('ben')
  take('strangers', 's4')
  expect(lost).toEqual(['s2'])
})

test('one part may exceed the total; it takes everything else away', () => {
  const { take, lost } = openPool(10)
  take('a', 'a1', 4)
  take('b', 'huge', 50)
  expect(lost).toEqual(['a1'])
  take('c', 'c1', 1)
  expect(lost).toEqual(['a1', 'huge'])
})
