import { expect, test } from 'vitest'
import { joinExtents } from '#/shared/heif-items'

test('CREATE-09 the data of an item is its extents in their order, and never more than the file', () => {
  const view = new DataView(Uint8Array.of(1, 2, 3, 4).buffer)
  const tail = { start: 2, end: 4 }
  expect(joinExtents(view, [tail, { start: 0, end: 1 }])).toEqual(Uint8Array.of(3, 4, 1))
  expect(() => joinExtents(view, [tail, tail, tail])).toThrow(RangeError)
})
