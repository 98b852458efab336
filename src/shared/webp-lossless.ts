import type { Dimensions } from './media-formats'

/** Kinds of transforms, in the order of their numbers. */
const PREDICTOR = 0
const CROSS_COLOR = 1
const COLOR_INDEXING = 3

/** Symbols of the codes for red, blue and alpha, and for distances. Green has those of lengths and of the colour cache besides. */
const VALUES = 256
const LENGTHS = 24
const DISTANCES = 40

const CODE_LENGTH_ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
const CODE_LENGTH_MAX = 15
const CACHE_POWER_MAX = 11

/** libwebp's encoder makes at most 2,600. A decoder keeps five tables for each: with 65,536 an avatar took 300 MB. */
const PREFIX_TILES_MAX = 10_000
/** libwebp's encoder makes at most 65,536 of 4096 × 4096 pixels. */
const TRANSFORM_TILES_MAX = 100_000

/**
 * Whether a lossless stream (RFC 9649, 3) divides its picture into more tiles than encoders do, each with its own transform or prefix
 * codes. Reads as far as the number of prefix codes, without decoding pixels. Throws a RangeError if the stream is damaged.
 * @param bytes the stream after its header
 */
export function hasTooManyTiles(bytes: Uint8Array, { width, height }: Dimensions): boolean {
  const bits = createBits(bytes)
  let columns = width
  const readTiles = () => {
    const side = 2 ** (bits.read(3) + 2)
    return Math.ceil(columns / side) * Math.ceil(height / side)
  }
  const seen = new Set<number>()
  while (bits.read(1) === 1) {
    const kind = bits.read(2)
    if (seen.has(kind)) throw new RangeError('A transform is repeated')
    seen.add(kind)
    if (kind === PREDICTOR || kind === CROSS_COLOR) {
      const tiles = readTiles()
      if (tiles > TRANSFORM_TILES_MAX) return true
      skipImage(bits, tiles)
    } else if (kind === COLOR_INDEXING) {
      const colors = bits.read(8) + 1
      skipImage(bits, colors)
      // Up to eight indexes share a pixel.
      columns = Math.ceil(columns / (colors > 16 ? 1 : colors > 4 ? 2 : colors > 2 ? 4 : 8))
    }
  }
  readCacheSize(bits)
  const hasPrefixTiles = bits.read(1) === 1
  return hasPrefixTiles && readTiles() > PREFIX_TILES_MAX
}

/** Reads bits of a stream, the lowest of each byte first. */
interface Bits {
  read(count: number): number
}

function createBits(bytes: Uint8Array): Bits {
  let at = 0
  return {
    read: (count) => {
      let value = 0
      for (let bit = 0; bit < count; bit += 1, at += 1) {
        const byte = bytes[at >> 3]
        if (byte === undefined) throw new RangeError('The stream ends too early')
        value |= ((byte >> (at & 7)) & 1) << bit
      }
      return value
    },
  }
}

/** Skips an image without transforms and tiles. */
function skipImage(bits: Bits, pixels: number): void {
  const cache = readCacheSize(bits)
  const green = readCode(bits, VALUES + LENGTHS + cache)
  const others = [VALUES, VALUES, VALUES].map((symbols) => readCode(bits, symbols))
  const distance = readCode(bits, DISTANCES)
  for (let skipped = 0; skipped < pixels; ) {
    const symbol = green()
    if (symbol < VALUES) {
      for (const read of others) read()
      skipped += 1
    } else if (symbol < VALUES + LENGTHS) {
      skipped += readPrefixed(bits, symbol - VALUES)
      readPrefixed(bits, distance())
    } else {
      skipped += 1
    }
  }
}

/** The number of colours in the cache. RFC 9649 has up to 2^11; a code for more symbols takes long to read. */
function readCacheSize(bits: Bits): number {
  const hasCache = bits.read(1) === 1
  if (!hasCache) return 0
  const power = bits.read(4)
  if (power < 1 || power > CACHE_POWER_MAX) throw new RangeError('The colour cache has another size')
  return 2 ** power
}

/** A length or distance: the symbol says how many more bits it has. */
function readPrefixed(bits: Bits, symbol: number): number {
  if (symbol < 4) return symbol + 1
  const extra = (symbol - 2) >> 1
  return ((2 + (symbol & 1)) << extra) + bits.read(extra) + 1
}

type ReadSymbol = () => number

function readCode(bits: Bits, symbols: number): ReadSymbol {
  const lengths = new Uint8Array(symbols)
  const isSimple = bits.read(1) === 1
  if (isSimple) {
    const count = bits.read(1) + 1
    const first = bits.read(bits.read(1) === 1 ? 8 : 1)
    const second = count === 2 ? bits.read(8) : first
    for (const symbol of [first, second]) if (symbol < symbols) lengths[symbol] = 1
    return createCode(bits, lengths)
  }
  const ofLengths = new Uint8Array(CODE_LENGTH_ORDER.length)
  const given = bits.read(4) + 4
  for (const symbol of CODE_LENGTH_ORDER.slice(0, given)) ofLengths[symbol] = bits.read(3)
  const readLength = createCode(bits, ofLengths)
  let left = bits.read(1) === 1 ? bits.read(bits.read(3) * 2 + 2) + 2 : symbols
  let previous = 8
  for (let symbol = 0; symbol < symbols && left > 0; left -= 1) {
    const length = readLength()
    if (length <= CODE_LENGTH_MAX) {
      lengths[symbol] = length
      symbol += 1
      if (length > 0) previous = length
      continue
    }
    const repeats = length === 18 ? bits.read(7) + 11 : length === 17 ? bits.read(3) + 3 : bits.read(2) + 3
    if (symbol + repeats > symbols) throw new RangeError('A code has more lengths than symbols')
    lengths.fill(length === 16 ? previous : 0, symbol, symbol + repeats)
    symbol += repeats
  }
  return createCode(bits, lengths)
}

/** A canonical prefix code. A code with one symbol takes no bits. */
function createCode(bits: Bits, lengths: Uint8Array): ReadSymbol {
  const sorted = [...lengths.keys()].filter((symbol) => lengths[symbol] !== 0)
  const [only] = sorted
  if (only === undefined) throw new RangeError('A code has no symbols')
  if (sorted.length === 1) return () => only
  sorted.sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b)
  const counts = new Uint16Array(CODE_LENGTH_MAX + 1)
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1
  return () => {
    let code = 0
    let first = 0
    let index = 0
    for (let length = 1; length <= CODE_LENGTH_MAX; length += 1) {
      code = code * 2 + bits.read(1)
      const count = counts[length] ?? 0
      if (code < first + count) return sorted[index + code - first] ?? 0
      index += count
      first = (first + count) * 2
    }
    throw new RangeError('A code has no such symbol')
  }
}
