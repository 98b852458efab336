import { expect, test } from 'vitest'
import { setLatest } from '#/renderer/lib/core/set-latest'

test('keeps the latest entries; an entry that is set again becomes the latest', () => {
  const map = new Map<string, number>()
  for (const [index, key] of ['a', 'b', 'c', 'a', 'd'].entries()) setLatest(map, key, index, 3)
  expect([...map]).toEqual([
    ['c', 2],
    ['a', 3],
    ['d', 4],
  ])
})
