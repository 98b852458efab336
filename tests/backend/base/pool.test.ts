import { expect, test } from 'vitest'
import { createPool, type PoolSize } from '#/backend/base/pool'

/** A pool, and the parts that were taken away, by name. */
function openPool(size: PoolSize) {
  const pool = createPool(size)
  const lost: string[] = []
  return {
    lost,
    free: pool.free,
    take: (caller: string, name: string, amount = 1, rank = 0) => {
      const part = { caller, amount, rank, lose: () => void lost.push(name) }
      pool.take(part)
      return part
    },
  }
}

test('when it is full, the caller with most loses the oldest part', () => {
  const { take, lost } = openPool({ total: 4 })
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
  const { take, free, lost } = openPool({ total: 10 })
  const small = take('a', 'small', 2)
  take('b', 'large', 6)
  free(small)
  free(small)
  take('a', 'next', 4)
  expect(lost).toEqual([])
  take('c', 'last', 1)
  expect(lost).toEqual(['large'])
})

test('a part counts for the caller that becomes known later', () => {
  const { take, lost } = openPool({ total: 3 })
  const [first, second] = [take('strangers', 's1'), take('strangers', 's2')]
  first.caller = 'ada'
  second.caller = 'ben'
  take('strangers', 's3').caller = 'ben'
  take('strangers', 's4')
  expect(lost).toEqual(['s2'])
})

test('one part may exceed the total; it takes everything else away', () => {
  const { take, lost } = openPool({ total: 10 })
  take('a', 'a1', 4)
  take('b', 'huge', 50)
  expect(lost).toEqual(['a1'])
  take('c', 'c1', 1)
  expect(lost).toEqual(['a1', 'huge'])
})

test('however many callers there are, none loses what each has alone', () => {
  const { take, lost } = openPool({ total: 1_000, own: 2, shared: 3 })
  for (const name of ['a1', 'a2']) take('a', name)
  for (let caller = 0; caller < 100; caller += 1) take(`m${caller}`, `m${caller}`)
  for (let index = 0; index < 5; index += 1) take('b', `b${index}`)
  expect(lost).toEqual([])
  take('c', 'c1')
  take('b', 'b5')
  take('a', 'a3')
  expect(lost).toEqual(['b0', 'b1'])
})

test('loses what has the lowest rank first, and never has more than the total', () => {
  const { take, lost } = openPool({ total: 10, own: 8, shared: 3 })
  const a1 = take('a', 'a1', 1, 2)
  for (const name of ['a2', 'a3']) take('a', name, 1, name === 'a2' ? 2 : 1)
  for (let caller = 0; caller < 7; caller += 1) take(`m${caller}`, `m${caller}`, 1, 2)
  take('n', 'n')
  expect(lost).toEqual(['a3'])
  a1.rank = 0
  take('o', 'o')
  expect(lost).toEqual(['a3', 'a1'])
})
