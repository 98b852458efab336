import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { decodeTiff } from '#/renderer/lib/media/decode/decode-tiff'
import { TYPES, tiffFile } from '#tests/camera-files'
import { jpegSegment } from '#tests/picture-files'

let reads = 0

/** What geotiff needs of a FileReader, which Node does not have. */
class CountingReader {
  result: ArrayBuffer | null = null
  onload: () => void = () => undefined
  readAsArrayBuffer(blob: Blob): void {
    reads += 1
    void blob.arrayBuffer().then((result) => {
      this.result = result
      this.onload()
    })
  }
}

beforeEach(() => {
  reads = 0
  vi.stubGlobal('FileReader', CountingReader)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** A grey TIFF whose strips or tiles, all at the same place, hold `blockBytes` bytes each. */
function grey(
  size: number,
  block: Readonly<Record<number, number>>,
  offsets: number,
  blockBytes = 1,
  bits = 8,
): Blob {
  const short = (...values: number[]) => ({ type: TYPES.short, values })
  const long = (values: number[]) => ({ type: TYPES.long, values })
  const [at, counts] = 322 in block ? [324, 325] : [273, 279]
  const file = tiffFile({
    directory: {
      256: long([size]),
      257: long([size]),
      258: short(bits),
      259: short(1),
      262: short(1),
      277: short(1),
      ...Object.fromEntries(Object.entries(block).map(([tag, value]) => [tag, long([value])])),
      [at]: long(Array<number>(offsets).fill(8)),
      [counts]: long(Array<number>(offsets).fill(blockBytes)),
    },
  })
  return new Blob([file])
}

const tiles = (side: number) => ({ 322: side, 323: side })

test('CREATE-05 decodes a photo in many strips and tiles', async () => {
  const size = { width: 96, height: 96 }
  await expect(decodeTiff(grey(96, tiles(16), 36, 256))).resolves.toMatchObject({ size })
  await expect(decodeTiff(grey(96, { 278: 1 }, 96, 96))).resolves.toMatchObject({ size })
})

test.each([
  ['a tile for each pixel, with the place of one', grey(300, tiles(1), 1)],
  ['strips of one row, with the places of half', grey(300, { 278: 1 }, 150)],
  ['tiles that have no size', grey(300, tiles(0), 1)],
  [
    'no places of tiles',
    new Blob([
      tiffFile({
        directory: { 256: { type: TYPES.long, values: [8] }, 257: { type: TYPES.long, values: [8] } },
      }),
    ]),
  ],
  ['a tile for each of 202,500 pixels', grey(450, tiles(1), 202_500)],
])('CREATE-05 refuses %s before it reads one of them', async (_what, file) => {
  await expect(decodeTiff(file)).rejects.toMatchObject({ code: 'broken' })
  // The directory, and the places of the tiles.
  expect(reads).toBeLessThanOrEqual(3)
})

test.each([
  ['a tile of 484 megapixels', grey(300, tiles(22_000), 1)],
  ['a strip of 100 megapixels with eight bytes each', grey(10_000, { 278: 10_000 }, 1, 1, 64)],
])('CREATE-05 refuses %s before it reads it', async (_what, file) => {
  await expect(decodeTiff(file)).rejects.toMatchObject({ code: 'too-much-memory' })
  expect(reads).toBeLessThanOrEqual(3)
})

/** A JPEG that declares a size, and ends. */
const declaring = (side: number, before: readonly number[] = []) => [
  ...[0xff, 0xd8],
  ...before,
  ...jpegSegment(0xc0, [8, side >> 8, side & 0xff, side >> 8, side & 0xff, 1, 1, 0x11, 0]),
  ...[0xff, 0xd9],
]

/** A grey TIFF of 16 x 16 pixels with this data. */
function compressed(kind: number, data: readonly number[], tables: readonly number[] = []): Blob {
  const short = (value: number) => ({ type: TYPES.short, values: [value] })
  const directory = {
    256: short(16),
    257: short(16),
    258: short(8),
    259: short(kind),
    262: short(1),
    273: 'data' as const,
    277: short(1),
    278: short(16),
    279: short(data.length),
    ...(tables.length > 0 && { 347: { type: TYPES.undefined, values: tables } }),
  }
  return new Blob([tiffFile({ directory, data: Uint8Array.from(data) })])
}

const SMALL = declaring(16)
const HIDDEN = jpegSegment(0xe1, declaring(4_000))

test.each([
  ['a strip', compressed(7, declaring(4_000))],
  ['a strip behind a part that some skip', compressed(7, [0xff, 0xd8, ...HIDDEN, ...SMALL.slice(2)])],
  ['their tables', compressed(7, SMALL, declaring(4_000))],
])(
  'CREATE-05 a TIFF with JPEG whose size in %s is not that of the strip is refused before it is decoded',
  async (_where, file) => {
    const error: unknown = await decodeTiff(file).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: 'broken' })
    // Not by the decoder, which makes an object for each block before.
    expect(error).not.toHaveProperty('cause')
  },
)

test('CREATE-05 a real TIFF with JPEG is decoded, one with LERC or WebP is no photo', async () => {
  const photo = readFileSync(
    join(import.meta.dirname, '../../../../e2e/fixtures/camera-files/corners-jpeg.tif'),
  )
  await expect(decodeTiff(new Blob([photo]))).resolves.toBeDefined()
  for (const kind of [34_887, 50_001])
    await expect(decodeTiff(compressed(kind, [1, 2, 3]))).rejects.toMatchObject({ code: 'unsupported' })
})
