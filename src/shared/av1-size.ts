import type { DecodedSize } from './media-formats'

/** Types of open bitstream units (OBU) in the AV1 specification, 6.2.2. */
const SEQUENCE_HEADER = 1
const FRAMES: ReadonlySet<number> = new Set([3, 6])
/** One for each of four layers. */
const SEQUENCE_HEADERS_MAX = 4

/**
 * The largest size of the frames in an AV1 stream, as its sequence headers say, and the number of frames; null without a sequence
 * header. Frames may be smaller, never larger. Throws a RangeError if the stream is damaged.
 */
export function readAv1(bytes: Uint8Array): (DecodedSize & { frames: number }) | null {
  let size = null as DecodedSize | null
  let frames = 0
  let headers = 0
  for (let at = 0; at < bytes.length; ) {
    const header = byteAt(bytes, at)
    const type = (header >> 3) & 0xf
    at += (header & 4) === 0 ? 1 : 2
    let length = bytes.length - at
    if ((header & 2) !== 0) {
      const [value, used] = readLeb128(bytes, at)
      at += used
      length = value
    }
    if (at + length > bytes.length) throw new RangeError('An OBU ends after the stream')
    if (FRAMES.has(type)) frames += 1
    if (type === SEQUENCE_HEADER) {
      headers += 1
      if (headers > SEQUENCE_HEADERS_MAX) throw new RangeError('The stream has too many sequence headers')
      const { width, height, bytesPerPixel } = readSequenceHeader(bytes.subarray(at, at + length))
      size = {
        width: Math.max(width, size?.width ?? 0),
        height: Math.max(height, size?.height ?? 0),
        bytesPerPixel: Math.max(bytesPerPixel, size?.bytesPerPixel ?? 0),
      }
    }
    at += length
  }
  return size && { ...size, frames }
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) throw new RangeError('The stream ends within an OBU')
  return byte
}

/** A number of seven bits per byte, the lowest first. */
function readLeb128(bytes: Uint8Array, from: number): [value: number, used: number] {
  let value = 0
  for (let used = 0; used < 8; used += 1) {
    const byte = byteAt(bytes, from + used)
    value += (byte & 0x7f) * 2 ** (7 * used)
    if ((byte & 0x80) === 0) return [value, used + 1]
  }
  throw new RangeError('A length has more than eight bytes')
}

/** Most samples of a pixel by profile (annex A.2). */
const SAMPLES = [1.5, 3, 3] as const
/** The profile with pictures of 12 bits, which others do not have. */
const TWELVE_BITS = 2

/** 5.5.1 of the specification: what comes before the size, and the depth of colours, must be parsed to find it. */
function readSequenceHeader(bytes: Uint8Array): DecodedSize {
  let position = 0
  const bits = (count: number): number => {
    let value = 0
    for (let left = count; left > 0; left -= 1, position += 1) {
      value = value * 2 + ((byteAt(bytes, position >> 3) >> (7 - (position & 7))) & 1)
    }
    return value
  }
  const flag = () => bits(1) === 1
  /** 4.10.3: as many bits as there are zeros before the first one. */
  const skipUvlc = () => {
    let zeros = 0
    while (!flag()) zeros += 1
    if (zeros < 32) bits(zeros)
  }

  const profile = bits(3)
  // still_picture
  bits(1)
  const isReduced = flag()
  if (isReduced) {
    bits(5)
  } else {
    let delayBits = 0
    const hasTiming = flag()
    if (hasTiming) {
      bits(64)
      const isEqualInterval = flag()
      if (isEqualInterval) skipUvlc()
      const hasDecoderModel = flag()
      if (hasDecoderModel) {
        delayBits = bits(5) + 1
        bits(42)
      }
    }
    const hasDisplayDelay = flag()
    const points = bits(5) + 1
    for (let point = 0; point < points; point += 1) {
      bits(12)
      const level = bits(5)
      if (level > 7) bits(1)
      if (delayBits > 0 && flag()) bits(2 * delayBits + 1)
      if (hasDisplayDelay && flag()) bits(4)
    }
  }
  const widthBits = bits(4) + 1
  const heightBits = bits(4) + 1
  const [width, height] = [bits(widthBits) + 1, bits(heightBits) + 1]
  const hasFrameIds = !isReduced && flag()
  if (hasFrameIds) bits(7)
  bits(3)
  if (!isReduced) {
    bits(4)
    const hasOrder = flag()
    if (hasOrder) bits(2)
    const choosesScreenTools = flag()
    const mayHaveScreenTools = choosesScreenTools || flag()
    const forcesMotion = mayHaveScreenTools && !flag()
    if (forcesMotion) bits(1)
    if (hasOrder) bits(3)
  }
  bits(3)
  const isDeep = flag() || profile === TWELVE_BITS
  return { width, height, bytesPerPixel: (SAMPLES[profile] ?? 3) * (isDeep ? 2 : 1) }
}
