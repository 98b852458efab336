import { addDecoder, BaseDecoder, getDecoder } from 'geotiff'
import { SOURCE_LIMITS } from '#/shared/limits'

/** TIFF 6.0, and its supplements: LZW, two numbers of Deflate, PackBits. */
const [LZW, DEFLATE, PACK_BITS] = [5, [8, 32_946], 32_773] as const

/**
 * Makes geotiff decode no more of a strip or tile than its size: its own decoders follow the data, which may make gigabytes of a few bytes
 * and, in lists of numbers, ends the page. Call before a file is read.
 */
export async function boundDecoders(): Promise<void> {
  const [first] = DEFLATE
  const Inflate = (await getDecoder(first, NO_PARAMETERS)).constructor as typeof BaseDecoder
  class BoundedInflate extends Inflate {
    override async decodeBlock(buffer: ArrayBufferLike): Promise<ArrayBufferLike> {
      await checkInflated(new Uint8Array(buffer as ArrayBuffer), sizeOf(this.parameters))
      return super.decodeBlock(buffer)
    }
  }
  addDecoder([...DEFLATE], async () => BoundedInflate)
  addDecoder(LZW, async () => decoderOf(decodeLzw))
  addDecoder(PACK_BITS, async () => decoderOf(decodePackBits))
}

type Parameters = BaseDecoder['parameters']

const NO_PARAMETERS: Parameters = {
  tileWidth: 0,
  tileHeight: 0,
  predictor: 1,
  bitsPerSample: 8,
  planarConfiguration: 1,
}

/** Bytes of a strip or tile. That of all rows may declare more rows than there are. */
function sizeOf({ tileWidth, tileHeight, bitsPerSample }: Parameters): number {
  const bits = typeof bitsPerSample === 'number' ? [bitsPerSample] : Array.from(bitsPerSample)
  const rowBytes = Math.ceil((tileWidth * bits.reduce((sum, each) => sum + each, 0)) / 8)
  return Math.min(rowBytes * tileHeight, SOURCE_LIMITS.imagePartBytes)
}

/** Decodes data into bytes until they are full. Returns how many it made. */
type Decode = (data: Uint8Array, bytes: Uint8Array) => number

function decoderOf(decode: Decode): typeof BaseDecoder {
  return class extends BaseDecoder {
    override decodeBlock(buffer: ArrayBufferLike): ArrayBufferLike {
      const bytes = new Uint8Array(sizeOf(this.parameters))
      return bytes.slice(0, decode(new Uint8Array(buffer as ArrayBuffer), bytes)).buffer
    }
  }
}

const [CLEAR, END, FIRST_CODE] = [256, 257, 258]
const [SHORTEST, LONGEST] = [9, 12]

/** TIFF 6.0, section 13: codes of 9 to 12 bits, the highest first, for what was decoded and one more byte. */
export const decodeLzw: Decode = (data, bytes) => {
  const before = new Uint16Array(2 ** LONGEST)
  const last = Uint8Array.from({ length: 2 ** LONGEST }, (_, code) => code)
  const lengths = new Uint16Array(2 ** LONGEST).fill(1)
  let [next, bits, previous, made] = [FIRST_CODE, SHORTEST, -1, 0]
  /** Writes what a code stands for, from its end. Returns its first byte. */
  const write = (code: number): number => {
    let from = code
    for (let at = made + (lengths[code] ?? 0) - 1; at > made; at -= 1) {
      bytes[at] = last[from] ?? 0
      from = before[from] ?? 0
    }
    bytes[made] = from
    made += lengths[code] ?? 0
    return from
  }
  for (let bit = 0; bit + bits <= data.length * 8 && made < bytes.length; ) {
    const at = bit >> 3
    const three = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0)
    const code = (three >> (24 - bits - (bit & 7))) & (2 ** bits - 1)
    bit += bits
    if (code === END) break
    if (code === CLEAR) {
      ;[next, bits, previous] = [FIRST_CODE, SHORTEST, -1]
      continue
    }
    const isKnown = code < CLEAR || (code < next && previous !== -1)
    if (!isKnown && (code !== next || previous === -1))
      throw new Error('The data has a code that it does not define.')
    const start = made
    const first = write(isKnown ? code : previous)
    if (!isKnown) bytes[made++] = first
    if (previous !== -1 && next < 2 ** LONGEST) {
      before[next] = previous
      last[next] = bytes[start] ?? first
      lengths[next] = (lengths[previous] ?? 0) + 1
      next += 1
    }
    // One code earlier than needed, as the first encoders did.
    if (next + 1 >= 2 ** bits && bits < LONGEST) bits += 1
    previous = code
  }
  return Math.min(made, bytes.length)
}

/** TIFF 6.0, section 9: a number of bytes that follow, or how often one is repeated. */
export const decodePackBits: Decode = (data, bytes) => {
  let made = 0
  for (let at = 0; at < data.length && made < bytes.length; ) {
    const header = ((data[at] ?? 0) << 24) >> 24
    at += 1
    if (header >= 0) {
      const run = data.subarray(at, at + Math.min(header + 1, bytes.length - made))
      bytes.set(run, made)
      made += run.length
      at += header + 1
    } else if (header > -128) {
      const end = Math.min(made + 1 - header, bytes.length)
      bytes.fill(data[at] ?? 0, made, end)
      made = end
      at += 1
    }
  }
  return made
}

/** Bytes that are decompressed at once: they make a thousand times as many at most. */
const PART_BYTES = 1_024

/** Throws if the data has more bytes than a strip or tile. What is damaged is left to the decoder. */
async function checkInflated(data: Uint8Array, most: number): Promise<void> {
  let at = 0
  const pull = (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
    controller.enqueue(Uint8Array.from(data.subarray(at, at + PART_BYTES)))
    at += PART_BYTES
    if (at >= data.length) controller.close()
  }
  const stream = new ReadableStream({ pull }, { highWaterMark: 0 }).pipeThrough(
    new DecompressionStream('deflate'),
  )
  const reader = stream.getReader()
  let made = 0
  try {
    for (let part = await reader.read(); !part.done && made <= most; part = await reader.read())
      made += part.value.length
  } catch {
    // Some programs fill up what follows the data.
  }
  reader.cancel().catch(() => undefined)
  if (made > most) throw new Error('The data has more bytes than its strip or tile.')
}
