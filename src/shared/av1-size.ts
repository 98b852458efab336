import type { DecodedSize } from './media-formats'

/** Types of open bitstream units (OBU) in the AV1 specification, 6.2.2. */
const SEQUENCE_HEADER = 1
const FRAMES: ReadonlySet<number> = new Set([3, 6])
const REPEATED_FRAME_HEADER = 7
/** One for each of four layers. */
const SEQUENCE_HEADERS_MAX = 4
/** Different ones of a stream: each frame is read for each of them. */
const SEQUENCES_MAX = 4
/** Reading a sequence header takes as long as reading so many units. */
const SEQUENCE_COST = 20
/** Units of a packet, or of a picture, which has some ten. */
const UNITS_MAX = 1_000
/** Frames of a packet: four layers, each with a picture and the hidden ones before it. 200 MB could have fifty million. */
const FRAMES_MAX = 32

/** What a sequence header says (5.5.1). */
interface Sequence extends DecodedSize {
  /** The largest size that a frame may give itself: decoders do not compare it with that of the sequence. */
  widest: number
  highest: number
  isReduced: boolean
  /** Bits of a shown frame's time. */
  timeBits: number
  /** Whether frames have tools for screens; null if each says so. */
  hasScreenTools: boolean | null
  /** Then each frame says whether its motion is in whole pixels. */
  choosesMotion: boolean
  /** Bits of a frame's number. */
  idBits: number
}

/** The sequence headers of a stream that differ: a decoder may refuse one, and go on with another. */
export type Av1Sequences = Map<string, Sequence>

function larger(size: DecodedSize | null, other: DecodedSize): DecodedSize {
  return {
    width: Math.max(other.width, size?.width ?? 0),
    height: Math.max(other.height, size?.height ?? 0),
    bytesPerPixel: Math.max(other.bytesPerPixel, size?.bytesPerPixel ?? 0),
  }
}

/**
 * The largest size of the frames in a part of an AV1 stream, and the number of frames: as its sequence headers say, and for a frame
 * with a size of its own what it could be. Null without any of them. Throws a RangeError if the stream is damaged.
 *
 * @param sequences of the parts before; receives those of this one
 * @param count is called for each unit, and with what else a sequence header or a frame of several sequences costs
 */
export function readAv1(
  bytes: Uint8Array,
  sequences: Av1Sequences = new Map(),
  count: (cost?: number) => void = () => undefined,
): (DecodedSize & { frames: number }) | null {
  let size = null as DecodedSize | null
  let frames = 0
  let headers = 0
  let frameHeaders = 0
  let units = 0
  for (let at = 0; at < bytes.length; ) {
    count()
    units += 1
    if (units > UNITS_MAX) throw new RangeError('The stream has too many units')
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
    const content = bytes.subarray(at, at + length)
    if (FRAMES.has(type)) frames += 1
    if (type === SEQUENCE_HEADER) {
      headers += 1
      count(SEQUENCE_COST)
      if (headers > SEQUENCE_HEADERS_MAX) throw new RangeError('The stream has too many sequence headers')
      const sequence = readSequenceHeader(content)
      sequences.set(JSON.stringify(sequence), sequence)
      if (sequences.size > SEQUENCES_MAX) throw new RangeError('The stream has too many sequences')
      size = larger(size, sequence)
    } else if (FRAMES.has(type) || type === REPEATED_FRAME_HEADER) {
      frameHeaders += 1
      if (frameHeaders > FRAMES_MAX) throw new RangeError('The stream has too many frames')
      // It is read again for each sequence behind the first.
      if (sequences.size > 1) count(sequences.size - 1)
      for (const sequence of sequences.values())
        if (hasOwnSize(content, sequence))
          size = larger(size, { ...sequence, width: sequence.widest, height: sequence.highest })
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

/** Reads bits of a unit. Throws a RangeError at its end. */
function bitReader(bytes: Uint8Array) {
  let position = 0
  const bits = (count: number): number => {
    let value = 0
    for (let left = count; left > 0; left -= 1, position += 1) {
      value = value * 2 + ((byteAt(bytes, position >> 3) >> (7 - (position & 7))) & 1)
    }
    return value
  }
  const skip = (count: number) => {
    position += count
  }
  return { bits, flag: () => bits(1) === 1, skip }
}

const [KEY_FRAME, SWITCH_FRAME] = [0, 3]

/** Whether a frame gives its own size, by its header (5.9.2) up to there. */
function hasOwnSize(bytes: Uint8Array, sequence: Sequence): boolean {
  if (sequence.isReduced) return false
  const { bits, flag, skip } = bitReader(bytes)
  const isShownAgain = flag()
  if (isShownAgain) return false
  const type = bits(2)
  const isShown = flag()
  // Its time; or whether it may be shown later.
  skip(isShown ? sequence.timeBits : 1)
  const isResilient = (type === KEY_FRAME && isShown) || type === SWITCH_FRAME
  skip(isResilient ? 1 : 2)
  const hasScreenTools = sequence.hasScreenTools ?? flag()
  if (hasScreenTools && sequence.choosesMotion) skip(1)
  skip(sequence.idBits)
  return type === SWITCH_FRAME || flag()
}

/** Most samples of a pixel by profile (annex A.2). */
const SAMPLES = [1.5, 3, 3] as const
/** The profile with pictures of 12 bits, which others do not have. */
const TWELVE_BITS = 2

/** What comes before the size, and the depth of colours, must be parsed to find it. */
function readSequenceHeader(bytes: Uint8Array): Sequence {
  const { bits, flag } = bitReader(bytes)
  /** 4.10.3: as many bits as there are zeros before the first one. */
  const skipUvlc = () => {
    let zeros = 0
    while (!flag()) {
      zeros += 1
      // Decoders do not agree on longer ones.
      if (zeros > 31) throw new RangeError('A number of the sequence is too long')
    }
    bits(zeros)
  }

  const profile = bits(3)
  // still_picture
  bits(1)
  const isReduced = flag()
  let timeBits = 0
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
        bits(37)
        const presentationBits = bits(5) + 1
        timeBits = isEqualInterval ? 0 : presentationBits
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
  const [widthBits, heightBits] = [bits(4) + 1, bits(4) + 1]
  const [width, height] = [bits(widthBits) + 1, bits(heightBits) + 1]
  const hasFrameIds = !isReduced && flag()
  const idBits = hasFrameIds ? bits(4) + 2 + bits(3) + 1 : 0
  bits(3)
  let hasScreenTools: boolean | null = null
  let choosesMotion = false
  if (!isReduced) {
    bits(4)
    const hasOrder = flag()
    if (hasOrder) bits(2)
    const choosesScreenTools = flag()
    hasScreenTools = choosesScreenTools ? null : flag()
    if (hasScreenTools !== false) {
      choosesMotion = flag()
      if (!choosesMotion) bits(1)
    }
    if (hasOrder) bits(3)
  }
  bits(3)
  const isDeep = flag() || profile === TWELVE_BITS
  return {
    width,
    height,
    bytesPerPixel: (SAMPLES[profile] ?? 3) * (isDeep ? 2 : 1),
    widest: 2 ** widthBits,
    highest: 2 ** heightBits,
    isReduced,
    timeBits,
    hasScreenTools,
    choosesMotion,
    idBits,
  }
}
