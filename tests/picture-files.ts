import { deflateSync } from 'node:zlib'

/** Picture files made part by part, valid for a decoder unless a test asks for something else. */

type Bytes = Uint8Array<ArrayBuffer>

const joined = (...parts: (Uint8Array | readonly number[] | string)[]): Bytes =>
  new Uint8Array(
    Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
    ),
  )

const u16 = (value: number) => [value >> 8, value & 0xff]
const u32 = (value: number) => [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff]
const le = (value: number, bytes: number) => u32(value).reverse().slice(0, bytes)

export interface Size {
  width: number
  height: number
}

/** Appends bits, the highest first, and stuffs a zero after each FF. */
function scanData(codes: readonly (readonly [value: number, bits: number])[]): number[] {
  const bytes: number[] = []
  let held = 0
  let count = 0
  const push = (bit: number) => {
    held = (held << 1) | bit
    count += 1
    if (count < 8) return
    bytes.push(held)
    if (held === 0xff) bytes.push(0)
    held = 0
    count = 0
  }
  for (const [value, bits] of codes) for (let bit = bits - 1; bit >= 0; bit -= 1) push((value >> bit) & 1)
  while (count > 0) push(1)
  return bytes
}

export const jpegSegment = (marker: number, content: readonly number[] = []) => [
  0xff,
  marker,
  ...u16(content.length + 2),
  ...content,
]

/** A grey progressive JPEG whose scans visit all blocks. */
export function progressiveJpeg({ width, height }: Size, scans: number): Bytes {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const table = (place: number, symbol: number) =>
    jpegSegment(0xc4, [place, 1, ...Array<number>(15).fill(0), symbol])
  // Symbol E0 ends the band of 2^14 blocks and as many more as the next 14 bits say.
  const run = 2 ** 15 - 1
  const ends = Array.from({ length: Math.ceil(blocks / run) }, () => [2 ** 14 - 1, 15] as const)
  const scan = [...jpegSegment(0xda, [1, 1, 0, 1, 63, 0]), ...scanData(ends)]
  const first = [...jpegSegment(0xda, [1, 1, 0, 0, 0, 0]), ...scanData([[0, 1]])]
  return joined(
    [0xff, 0xd8],
    jpegSegment(0xdb, [0, ...Array<number>(64).fill(1)]),
    jpegSegment(0xc2, [8, ...u16(height), ...u16(width), 1, 1, 0x11, 0]),
    table(0x00, 0),
    table(0x10, 0xe0),
    first,
    ...Array.from({ length: scans - 1 }, () => scan),
    [0xff, 0xd9],
  )
}

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc(bytes: Uint8Array): number {
  let value = -1
  for (const byte of bytes) value = (value >>> 8) ^ (CRC_TABLE[(value ^ byte) & 0xff] ?? 0)
  return ~value >>> 0
}

export function pngChunk(type: string, content: Uint8Array | readonly number[] = []): Bytes {
  const named = joined(type, content)
  return joined(u32(content.length), named, u32(crc(named)))
}

export const pngHeader = ({ width, height }: Size, depth = 8, colors = 6, interlace = 0) =>
  pngChunk('IHDR', [...u32(width), ...u32(height), depth, colors, 0, 0, interlace])

const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** The pixels of a picture of one colour. */
export function flatPixels({ width, height }: Size, depth = 8, colors = 6): Bytes {
  const row = 1 + Math.ceil((width * depth * (SAMPLES[colors] ?? 0)) / 8)
  return new Uint8Array(deflateSync(Buffer.alloc(row * height), { level: 9 }))
}

/** A PNG of one colour, with these chunks before its pixels. */
export const png = (size: Size, ...extras: Bytes[]) =>
  pngFile(pngHeader(size), ...extras, pngChunk('IDAT', flatPixels(size)), pngChunk('IEND'))

export const pngFile = (...chunks: Bytes[]) => joined('\x89PNG\r\n\x1a\n', ...chunks)

/** Two frames of 1/60 s. */
export function animatedPng(size: Size): Bytes {
  const frame = (sequence: number) =>
    pngChunk('fcTL', [...[sequence, size.width, size.height, 0, 0].flatMap(u32), ...u16(1), ...u16(60), 0, 0])
  const pixels = flatPixels(size)
  return pngFile(
    pngHeader(size),
    pngChunk('acTL', [...u32(2), ...u32(0)]),
    frame(0),
    pngChunk('IDAT', pixels),
    frame(1),
    pngChunk('fdAT', joined(u32(2), pixels)),
    pngChunk('IEND'),
  )
}

export const webpChunk = (type: string, content: Uint8Array | readonly number[]) =>
  joined(type, le(content.length, 4), content, content.length % 2 ? [0] : [])

export function webpFile(...chunks: Bytes[]): Bytes {
  const content = joined('WEBP', ...chunks)
  return joined('RIFF', le(content.length, 4), content)
}

/** Bits of a lossless stream, the lowest of each value first. */
function losslessStream(values: readonly (readonly [value: number, bits: number])[]): number[] {
  const bits = values.flatMap(([value, count]) =>
    Array.from({ length: count }, (_, bit) => (value >> bit) & 1),
  )
  return Array.from({ length: Math.ceil(bits.length / 8) }, (_, byte) =>
    bits.slice(byte * 8, byte * 8 + 8).reduce((sum, bit, place) => sum | (bit << place), 0),
  )
}

/** A code of one symbol, which takes no bits. */
const ONE_SYMBOL = [0b0001, 4] as const

/** A lossless frame of one colour, without transforms, colour cache and tiles. */
export const webpFrame = ({ width, height }: Size) =>
  webpChunk('VP8L', [
    0x2f,
    ...losslessStream([
      [width - 1, 14],
      [height - 1, 14],
      [0, 7],
      ...Array.from({ length: 5 }, () => ONE_SYMBOL),
    ]),
  ])

/** What a lossless frame may say before its pixels. */
export interface LosslessParts {
  /** Side of the tiles of a transform: 2 to this power. */
  transform?: number
  /** Its kind: 0 predicts pixels, 1 crosses colours. */
  kind?: 0 | 1
  repeatsTransform?: boolean
  /** Colours in the caches of the transforms: 2 to this power. */
  cache?: number
  /** Side of the tiles with own prefix codes. */
  prefixes?: number
}

/** The beginning of a lossless stream, up to the tiles with own prefix codes. */
export function losslessTiles({
  transform,
  kind = 0,
  repeatsTransform = false,
  cache,
  prefixes,
}: LosslessParts): number[] {
  const cacheBits =
    cache === undefined
      ? ([[0, 1]] as const)
      : ([
          [1, 1],
          [cache, 4],
        ] as const)
  const tiled = (power: number) =>
    [[1, 1], [kind, 2], [power - 2, 3], ...cacheBits, ...Array.from({ length: 5 }, () => ONE_SYMBOL)] as const
  return losslessStream([
    ...(transform === undefined ? [] : tiled(transform)),
    ...(repeatsTransform ? tiled(9) : []),
    [0, 1],
    [0, 1],
    ...(prefixes === undefined
      ? ([[0, 1]] as const)
      : ([
          [1, 1],
          [prefixes - 2, 3],
        ] as const)),
    [0, 8],
  ])
}

/** A lossless frame of this size that has no pixels. */
export const webpTiles = ({ width, height }: Size, parts: LosslessParts) =>
  webpChunk('VP8L', [
    0x2f,
    ...losslessStream([
      [width - 1, 14],
      [height - 1, 14],
      [0, 4],
    ]),
    ...losslessTiles(parts),
  ])

/** A compressed alpha plane. */
export const webpAlpha = (parts: LosslessParts) => webpChunk('ALPH', [1, ...losslessTiles(parts)])

const minusOne = ({ width, height }: Size) => [...le(width - 1, 3), ...le(height - 1, 3)]

export const webpCanvas = (size: Size, flags = 0) => webpChunk('VP8X', [flags, 0, 0, 0, ...minusOne(size)])

/** Two frames of 16 ms. */
export function animatedWebp(size: Size): Bytes {
  const frame = webpChunk(
    'ANMF',
    joined([0, 0, 0, 0, 0, 0, ...minusOne(size), ...le(16, 3), 0], webpFrame(size)),
  )
  return webpFile(webpCanvas(size, 2), webpChunk('ANIM', [0, 0, 0, 0, 0, 0]), frame, frame)
}

export const box = (type: string, ...content: (Uint8Array | readonly number[] | string)[]): Bytes => {
  const inside = joined(...content)
  return joined(u32(inside.length + 8), type, inside)
}

/** An AV1 stream that only says its size, in the short header of stills. Profile 2 has 12 bits and all colours. */
export function av1Header({ width, height }: Size, profile: 0 | 2 = 0): Bytes {
  // The profile, still, reduced, level 0, 16 bits for each side, then tools and the depth of colours.
  const bits = `${profile === 0 ? '000' : '010'}${'1'}${'1'}00000${'1111'}${'1111'}${[width, height].map((side) => (side - 1).toString(2).padStart(16, '0')).join('')}0000000`
  const bytes = (bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? []).map((byte) =>
    Number.parseInt(byte, 2),
  )
  return joined([0x0a, bytes.length], bytes)
}

/** A frame of an AV1 stream, which no decoder accepts. */
export const av1Frame: Bytes = joined([0x32, 1, 0])

export interface AvifItem {
  type: string
  data: Uint8Array
  /** Its data is that of the item before, and in the same place. */
  isShared?: boolean
}

/** The content of an item that composes `side` by `side` others to an image of this size. */
export const gridItem = ({ width, height }: Size, side: number): Bytes =>
  joined([0, 1, side - 1, side - 1], u32(width), u32(height))

/** An AVIF with these items, whose properties say `size`. The first is the picture; a grid is composed of the others. */
export function avif(
  size: Size,
  items: readonly AvifItem[],
  brands: readonly string[] = ['avif', 'mif1'],
): Bytes {
  const ftyp = box('ftyp', brands[0] ?? '', u32(0), ...brands)
  const metaAt = (dataAt: number) => {
    let at = dataAt
    const places = items.map(({ data, isShared = false }, index) => {
      if (isShared) at -= data.length
      const place = [...u16(index + 1), ...u16(0), ...u16(1), ...u32(at), ...u32(data.length)]
      at += data.length
      return place
    })
    const entries = items.map(({ type }, index) =>
      box('infe', [2, 0, 0, 0], u16(index + 1), u16(0), type, [0]),
    )
    const tiles = items.slice(1).map((_, index) => index + 2)
    const isGrid = items[0]?.type === 'grid'
    return box(
      'meta',
      u32(0),
      box('pitm', u32(0), u16(1)),
      box('iinf', u32(0), u16(items.length), ...entries),
      box('iloc', u32(0), [0x44, 0], u16(items.length), ...places),
      box('iprp', box('ipco', box('ispe', u32(0), u32(size.width), u32(size.height)))),
      ...(isGrid ? [box('iref', u32(0), box('dimg', u16(1), u16(tiles.length), ...tiles.map(u16)))] : []),
    )
  }
  const dataAt = ftyp.length + metaAt(0).length + 8
  return joined(
    ftyp,
    metaAt(dataAt),
    box('mdat', ...items.flatMap(({ data, isShared }) => (isShared ? [] : [data]))),
  )
}

/** A still AVIF of one coded image. */
export const stillAvif = (size: Size, coded = size, frames = 1) =>
  avif(size, [{ type: 'av01', data: joined(av1Header(coded), ...Array<Bytes>(frames).fill(av1Frame)) }])
