import { expect, test, vi } from 'vitest'
import { joinExtents, readLocations, readPrimarySize } from '#/shared/heif-items'
import { box } from '#tests/picture-files'

test('CREATE-09 the data of an item is its extents in their order, and never more than the file', () => {
  const view = new DataView(Uint8Array.of(1, 2, 3, 4).buffer)
  const tail = { start: 2, end: 4 }
  expect(joinExtents(view, [tail, { start: 0, end: 1 }])).toEqual(Uint8Array.of(3, 4, 1))
  expect(() => joinExtents(view, [tail, tail, tail])).toThrow(RangeError)
})

test('MEDIA-07 the boxes beside the places of items are passed once, not for each item', () => {
  const items = Array.from({ length: 100 }, (_, item) => [0, item, 0, 1, 0, 0, 0, 0]).flat()
  const iloc = box('iloc', [1, 0, 0, 0], [0x44, 0], [0, 100], items)
  const beside = Array.from({ length: 1_000 }, () => box('free'))
  const file = box('meta', iloc, box('idat'), ...beside)
  const read = vi.spyOn(DataView.prototype, 'getUint32')
  const places = [...readLocations(new DataView(file.buffer), { start: 8, end: file.length }, 100)]
  const reads = read.mock.calls.length
  read.mockRestore()
  expect(places).toHaveLength(100)
  expect(reads).toBeLessThan(3 * beside.length)
})

test('CREATE-09 the properties of items are read to the end of their box, not of the file', () => {
  const [lists, entries] = [100, 10_000]
  const ipma = box('ipma', [0, 0, 0, 0], [0, 0, entries >> 8, entries & 255])
  const iprp = box('iprp', box('ipco'), ...Array.from({ length: lists }, () => ipma))
  const meta = box('meta', [0, 0, 0, 0], box('pitm', [0, 0, 0, 0], [0, 1]), iprp)
  const file = Buffer.concat([meta, box('free', new Uint8Array(4 * entries))])
  const read = vi.spyOn(DataView.prototype, 'getUint16')
  const size = readPrimarySize(new DataView(file.buffer, file.byteOffset, file.length))
  const reads = read.mock.calls.length
  read.mockRestore()
  expect(size).toBeNull()
  expect(reads).toBeLessThan(2 * lists)
})
