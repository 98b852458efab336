import { type Av1Sequences, readAv1 } from './av1-size'
import { bitsOf, configuredUnits, readSequence, SEQUENCE_PARAMETERS } from './h264-parameters'
import { STORED_PIXELS } from './limits'
import { type DecodedSize, viewOf } from './media-formats'

/** The codecs of stored videos. */
export type PictureCodec = 'avc' | 'vp8' | 'vp9' | 'av1'

/** Throws a RangeError if a decoder would make a picture larger than STORED_PIXELS allows, or of a kind that it may not have. */
export type CheckPacket = (packet: Uint8Array) => void

/** Counts what is read of a file's streams. Throws a RangeError for too much. */
export type Count = (cost?: number) => void

/**
 * Frames and units of a stored video, whose headers are read while others wait: ten minutes have 18,000 pictures, each of up to four slices.
 * Also its samples, of all tracks: ten minutes at 60 pictures and 60 packets of sound a second have 72,000.
 */
export const READ_MAX = 200_000
/** 4:2:0 in 8 bits, which every reader plays: of VP9 and AV1, their first profile. */
const PLAYED_BYTES_PER_PIXEL = 1.5
/** Reading parameters of H.264 takes as long as reading so many others, and long ones as long as one for each so many bytes. */
const [PARAMETERS_COST, PARAMETERS_BYTES] = [20, 4]

/** The count of a file: all of its streams have one together. */
export function createCount(): Count {
  let left = READ_MAX
  return (cost = 1) => {
    left -= cost
    if (left < 0) throw new RangeError('A video has too many frames.')
  }
}

/**
 * Makes the check of a stream's packets: a player learns of a larger picture only after its decoder has made several of them. It also
 * throws a RangeError for more frames than a stored video has.
 *
 * @param configuration avcC of H.264 and av1C of AV1; the others need none
 * @param count of the file
 */
export function packetChecker(
  codec: PictureCodec,
  configuration: Uint8Array,
  count: Count = createCount(),
): CheckPacket {
  const check =
    codec === 'avc'
      ? avcChecker(configuration, count)
      : frameChecker(codec, configuration, checkStored, count)
  return (packet) => {
    // No frame or unit of it is counted.
    if (packet.length === 0) count()
    check(packet)
  }
}

function checkStored({ width, height, bytesPerPixel }: DecodedSize): void {
  if (width * height > STORED_PIXELS.video) throw new RangeError('A picture is too large.')
  if (bytesPerPixel > PLAYED_BYTES_PER_PIXEL)
    throw new RangeError('The pictures are not ones that every reader plays.')
}

/** Throws for a size that is too large. */
export type CheckSize = (size: DecodedSize) => void

/** The same for codecs with one syntax in all files, with another limit; of any number of frames unless they are counted. */
export function frameChecker(
  codec: Exclude<PictureCodec, 'avc'>,
  configuration: Uint8Array,
  checkSize: CheckSize,
  count: Count = () => undefined,
): CheckPacket {
  if (codec === 'vp8')
    return (packet) => {
      count()
      checkVp8(packet, checkSize)
    }
  if (codec === 'vp9') return (packet) => checkVp9(packet, checkSize, count)
  const sequences: Av1Sequences = new Map()
  const checkAv1 = (units: Uint8Array) => {
    const size = readAv1(units, sequences, count)
    if (size !== null) checkSize(size)
  }
  checkAv1(configuration.subarray(4))
  return checkAv1
}

/** Baseline, Main, Extended and High: the app encodes videos of other profiles again. Readers do not agree on the parameters of others. */
const PROFILES: ReadonlySet<number> = new Set([66, 77, 88, 100])
/** A packet has at most so many units, and its parameters so many bytes. */
const [UNITS_MAX, PARAMETERS_BYTES_MAX] = [1_000, 4_096]

function checkUnit(unit: Uint8Array, count: Count): void {
  const [header = 0, profile = 0] = unit
  count()
  if ((header & 0x1f) !== SEQUENCE_PARAMETERS) return
  count(Math.max(PARAMETERS_COST, unit.length / PARAMETERS_BYTES))
  if (unit.length > PARAMETERS_BYTES_MAX) throw new RangeError('Parameters have too many bytes.')
  if (!PROFILES.has(profile)) throw new RangeError('The profile is not one that every reader plays.')
  checkStored(readSequence(unit))
}

/** Units of H.264 follow their lengths, of four bytes (ISO/IEC 14496-15). */
function avcChecker(configuration: Uint8Array, count: Count): CheckPacket {
  const view = viewOf(configuration)
  if ((view.getUint8(4) & 3) !== 3) throw new RangeError('Lengths of units have four bytes.')
  for (const unit of configuredUnits(configuration)) checkUnit(unit, count)
  return (packet) => {
    const lengths = viewOf(packet)
    let units = 0
    for (let at = 0; at < packet.length; units += 1) {
      const start = at + 4
      at = start + lengths.getUint32(at)
      if (at > packet.length || units >= UNITS_MAX) throw new RangeError('A unit ends after its packet.')
      const unit = packet.subarray(start, at)
      // Chromium's decoder would begin another unit there.
      if (hasStartCode(unit)) throw new RangeError('A unit contains a start code.')
      checkUnit(unit, count)
    }
  }
}

function hasStartCode(unit: Uint8Array): boolean {
  for (let at = 2; at < unit.length; ) {
    const byte = unit[at] ?? 0
    if (byte === 1 && unit[at - 1] === 0 && unit[at - 2] === 0) return true
    // No start code ends at this byte, nor at the two after one that is in none.
    at += byte > 1 ? 3 : 1
  }
  return false
}

/** RFC 6386, 9.1: a key frame has its size behind a tag of three bytes and a start code. */
function checkVp8(packet: Uint8Array, checkSize: CheckSize): void {
  const isKey = ((packet[0] ?? 1) & 1) === 0
  if (!isKey) return
  const sideAt = (at: number) => (packet[at] ?? 0) | (((packet[at + 1] ?? 0) & 0x3f) << 8)
  checkSize({ width: sideAt(6), height: sideAt(8), bytesPerPixel: 1.5 })
}

/** The index at the end of a packet: its mark, the number of frames and the bytes of each size (VP9 bitstream specification, annex B); null without one. */
function indexOf(packet: Uint8Array): { at: number; count: number; bytes: number } | null {
  const mark = packet.at(-1) ?? 0
  const count = (mark & 7) + 1
  const bytes = ((mark >> 3) & 3) + 1
  const at = packet.length - 2 - bytes * count
  return (mark & 0xe0) === 0xc0 && packet[at] === mark ? { at, count, bytes } : null
}

/** A packet of VP9 with an index: without one, only a decoder knows whether another frame, and of which size, is behind the first. */
export function withFrameIndex(packet: Uint8Array): Uint8Array {
  if (packet.length <= LEFT_OUT || indexOf(packet) !== null) return packet
  const indexed = new Uint8Array(packet.length + 6)
  indexed.set(packet)
  // One frame, with a size of four bytes.
  indexed.fill(0xd8, packet.length)
  new DataView(indexed.buffer).setUint32(packet.length + 1, packet.length, true)
  return indexed
}

/** The frames of a packet. Throws a RangeError if its index is missing, or does not have their sizes. */
function* framesOf(packet: Uint8Array): Generator<Uint8Array> {
  if (packet.length <= LEFT_OUT) {
    yield packet
    return
  }
  const index = indexOf(packet)
  if (index === null) throw new RangeError('A packet has no index.')
  for (let frame = 0, at = 0; frame < index.count; frame += 1) {
    const sizeAt = index.at + 1 + frame * index.bytes
    const size = packet
      .subarray(sizeAt, sizeAt + index.bytes)
      .reduceRight((value, byte) => value * 256 + byte, 0)
    if (at + size > index.at) throw new RangeError('A frame ends after its packet.')
    yield packet.subarray(at, at + size)
    at += size
  }
}

const [VP9_MARKER, VP9_SYNC, SRGB] = [2, 0x498342, 7]
/** By profile: 4:2:0 or up to 4:4:4, in 8 bits or more (7.2 of the specification). */
const VP9_BYTES = [1.5, 3, 3, 6] as const
/** Bytes of a frame that is left out. */
const LEFT_OUT = 1

function checkVp9(packet: Uint8Array, checkSize: CheckSize, count: Count): void {
  for (const frame of framesOf(packet)) {
    count()
    if (frame.length > LEFT_OUT) checkVp9Frame(frame, checkSize)
  }
}

/** The uncompressed header of a frame (7.2 of the specification), up to its size. */
function checkVp9Frame(frame: Uint8Array, checkSize: CheckSize): void {
  const { bit } = bitsOf(frame)
  const bits = (count: number): number => {
    let value = 0
    for (let left = count; left > 0; left -= 1) value = value * 2 + bit()
    return value
  }
  const flag = () => bits(1) === 1
  if (bits(2) !== VP9_MARKER) throw new RangeError('A frame has no marker.')
  const profile = bits(1) + 2 * bits(1)
  if (profile === 3) bits(1)
  if (flag()) return
  const isKey = !flag()
  const isShown = flag()
  const isResilient = flag()
  const isIntra = isKey || (!isShown && flag())
  if (!isKey && !isResilient) bits(2)
  if (isIntra) {
    if (bits(24) !== VP9_SYNC) throw new RangeError('A frame has no start code.')
    if (isKey || profile > 0) {
      if (profile >= 2) bits(1)
      const hasOtherSampling = profile === 1 || profile === 3
      if (bits(3) === SRGB) bits(hasOtherSampling ? 1 : 0)
      else bits(hasOtherSampling ? 4 : 1)
    }
    if (!isKey) bits(8)
  } else {
    // What is replaced, and three references with the direction of their motion.
    bits(8 + 3 * 4)
    // The size of one of them.
    if (flag() || flag() || flag()) return
  }
  checkSize({ width: bits(16) + 1, height: bits(16) + 1, bytesPerPixel: VP9_BYTES[profile] ?? 6 })
}
