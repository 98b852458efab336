import { describe, expect, test } from 'vitest'
import { inspectPicture } from '#/renderer/lib/media/source/check-source'
import type { MediaErrorCode } from '#/renderer/lib/media/source/media-error'
import { type AvifItem, av1Header, avif, box, gridItem, type Size, stillAvif } from '#tests/picture-files'

const square = (side: number): Size => ({ width: side, height: side })
const CLAIMED = square(512)
/** Four by four of them have 119 megapixels. */
const TILE = 2_730
const HEIC = ['heic', 'mif1']

const image = (side: number, profile: 0 | 2 = 0): AvifItem => ({
  type: 'av01',
  data: av1Header(square(side), profile),
})
/** A grid of tiles that are in one place. */
const grid = (side: number, tile: number): AvifItem[] => [
  { type: 'grid', data: gridItem(square(side), 4) },
  ...Array.from({ length: 16 }, (_, index) => ({ ...image(tile, 2), isShared: index > 0 })),
]
const numbers = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}
/** A picture with a sequence whose first picture is this one. */
const sequence = (still: Uint8Array, first: AvifItem, kind = 'av01'): Uint8Array => {
  const movie = (at: number) => {
    const kinds = box('stsd', numbers(0, 1), box(kind, new Uint8Array(78)))
    const sizes = box('stsz', numbers(0, 0, 1, first.data.length))
    const table = box('stbl', kinds, sizes, box('stco', numbers(0, 1, at)))
    return box('moov', box('trak', box('mdia', box('minf', table))))
  }
  const at = still.length + movie(0).length + 8
  return Buffer.concat([still, movie(at), box('mdat', first.data)])
}
/** Images that overlap: they end in the same place. */
const overlapping = Array.from({ length: 10 }, (_, index) => ({
  type: 'av01',
  data: new Uint8Array(5_000 - index),
  isShared: index > 0,
}))
const canvas = (side: number): AvifItem => ({ type: 'grid', data: gridItem(square(side), 4) })

describe('CREATE-05 a chosen AVIF or HEIC is refused if its images take more memory than it says', () => {
  test.each<[string, Uint8Array, MediaErrorCode]>([
    ['a grid of 268 megapixels', avif(CLAIMED, grid(16_384, 4_096)), 'too-many-pixels'],
    ['a grid of 119 megapixels with 12 bits', avif(CLAIMED, grid(4 * TILE, TILE)), 'too-much-memory'],
    ['a grid of alpha planes', avif(CLAIMED, [image(512), ...grid(16_384, 4_096)]), 'too-many-pixels'],
    ['tiles that are much larger than their grid', avif(CLAIMED, grid(512, 4_096)), 'too-much-memory'],
    ['a coded image of 268 megapixels', stillAvif(CLAIMED, square(16_384)), 'too-many-pixels'],
    ['one of 100 megapixels with 12 bits', avif(CLAIMED, [image(10_000, 2)]), 'too-much-memory'],
    [
      'many that are auxiliary to it',
      avif(CLAIMED, [image(512), ...Array.from({ length: 4 }, () => image(9_000))]),
      'too-much-memory',
    ],
    ['a sequence of 268 megapixels', sequence(stillAvif(CLAIMED), image(16_384, 2)), 'too-many-pixels'],
    ['one of 100 with 12 bits', sequence(stillAvif(CLAIMED), image(10_000, 2)), 'too-much-memory'],
    [
      'a sequence that ends after the file',
      sequence(stillAvif(CLAIMED), image(512)).subarray(0, -4),
      'broken',
    ],
    ['a HEIC with a grid of 268 megapixels', avif(CLAIMED, [canvas(16_384)], HEIC), 'too-many-pixels'],
    [
      'a HEIC with an overlay as large',
      avif(
        CLAIMED,
        [{ type: 'iovl', data: new Uint8Array([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0x40, 0]) }],
        HEIC,
      ),
      'too-many-pixels',
    ],
    [
      'more than 2,000 items',
      avif(
        CLAIMED,
        Array.from({ length: 2_001 }, () => image(512)),
      ),
      'slow',
    ],
    ['a grid that ends early', avif(CLAIMED, [{ type: 'grid', data: new Uint8Array(6) }]), 'broken'],
    ['many images that overlap', avif(CLAIMED, overlapping), 'broken'],
    ['an image that ends after the file', stillAvif(CLAIMED).subarray(0, -4), 'broken'],
  ])('%s', (_, file, code) => {
    expect(() => inspectPicture(file)).toThrow(expect.objectContaining({ code }))
  })

  test.each<[string, Size, Uint8Array]>([
    ['a grid of 119 megapixels with 12 bits', square(4 * TILE), avif(square(4 * TILE), grid(4 * TILE, TILE))],
    [
      'a coded image of 120 megapixels with alpha and gain map, all with 12 bits',
      square(10_950),
      avif(
        square(10_950),
        Array.from({ length: 3 }, () => image(10_950, 2)),
      ),
    ],
    [
      'a gain map of 48 megapixels beside a smaller picture',
      CLAIMED,
      avif(CLAIMED, [image(512), image(6_928)]),
    ],
    ['a sequence', CLAIMED, sequence(stillAvif(CLAIMED), image(512))],
    ['a sequence of another codec', CLAIMED, sequence(stillAvif(CLAIMED), image(16_384), 'hvc1')],
    [
      'a HEIC of twenty pictures',
      square(4_000),
      avif(square(4_000), Array<AvifItem>(20).fill(canvas(4_000)), HEIC),
    ],
  ])('accepts %s', (_, size, file) => {
    expect(inspectPicture(file).size).toEqual(size)
  })
})
