import { deflateSync } from 'node:zlib'
import { getDecoder } from 'geotiff'
import { beforeAll, expect, test } from 'vitest'
import { boundDecoders } from '#/renderer/lib/media/decode/tiff-decoders'

const PARAMETERS = {
  tileWidth: 64,
  tileHeight: 64,
  predictor: 1,
  bitsPerSample: [8, 8, 8],
  planarConfiguration: 1,
}
const SIZE = 64 * 64 * 3
const LZW = 5

/** Codes of TIFF's LZW, written one by one, each single byte followed by a clear code where the list says so. */
function codes(list: readonly [value: number, bits: number][]): Uint8Array {
  const digits = list.map(([value, bits]) => value.toString(2).padStart(bits, '0')).join('')
  return Uint8Array.from(digits.match(/.{1,8}/g) ?? [], (byte) => Number.parseInt(byte.padEnd(8, '0'), 2))
}

/** The same byte, in codes that each stand for one byte more than the one before. */
function growingRun(byte: number, length: number): Uint8Array {
  const list: [number, number][] = [[256, 9]]
  for (let made = 0; made < length; ) {
    let [next, bits] = [258, 9]
    list.push([byte, bits])
    made += 1
    for (let run = 2; made < length && next < 4_094; run += 1) {
      list.push([next, bits])
      next += 1
      made += run
      if (next + 1 >= 2 ** bits && bits < 12) bits += 1
    }
    list.push([made < length ? 256 : 257, bits])
  }
  return codes(list)
}

const decode = async (kind: number, data: Uint8Array) =>
  new Uint8Array(
    (await (await getDecoder(kind, PARAMETERS)).decode(Uint8Array.from(data).buffer)) as ArrayBuffer,
  )

/** What geotiff's own decoder makes of a run of 100,000 bytes. */
let original: Uint8Array
beforeAll(async () => {
  original = await decode(LZW, growingRun(7, 100_000))
  await boundDecoders()
})

test('CREATE-05 LZW is decoded as geotiff does, as far as the strip goes', async () => {
  expect(original.length).toBeGreaterThanOrEqual(100_000)
  expect(original.every((byte) => byte === 7)).toBe(true)
  const decoded = await decode(LZW, growingRun(7, 100_000))
  expect(decoded).toHaveLength(SIZE)
  expect(decoded.every((byte) => byte === 7)).toBe(true)
  const words = codes([
    [256, 9],
    [65, 9],
    [66, 9],
    [258, 9],
    [260, 9],
    [67, 9],
    [259, 9],
    [257, 9],
  ])
  // The third code repeats the first two bytes, the fourth itself.
  expect(String.fromCharCode(...(await decode(LZW, words)))).toBe('ABABABACBA')
  await expect(
    decode(
      LZW,
      codes([
        [256, 9],
        [65, 9],
        [300, 9],
      ]),
    ),
  ).rejects.toThrow('does not define')
})

test('CREATE-05 PackBits is decoded as far as the strip goes', async () => {
  const run = [0x02, 1, 2, 3, 0x80, 0xfd, 9]
  expect([...(await decode(32_773, Uint8Array.from(run)))]).toEqual([1, 2, 3, 9, 9, 9, 9])
  const long = new Uint8Array(2 * SIZE).map((_, at) => (at % 2 === 0 ? 0x81 : 5))
  expect(await decode(32_773, long)).toEqual(new Uint8Array(SIZE).fill(5))
})

test('CREATE-05 Deflate with more bytes than its strip is refused, and one that is filled up is decoded', async () => {
  const data = new Uint8Array(SIZE).map((_, at) => at)
  expect(await decode(8, deflateSync(data))).toEqual(data)
  expect(await decode(8, Buffer.concat([deflateSync(data), Buffer.alloc(4)]))).toEqual(data)
  await expect(decode(8, deflateSync(new Uint8Array(SIZE + 1)))).rejects.toThrow('more bytes')
  await expect(decode(32_946, deflateSync(new Uint8Array(50_000_000)))).rejects.toThrow('more bytes')
})
