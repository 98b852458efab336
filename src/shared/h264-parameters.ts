import { type DecodedSize, viewOf } from './media-formats'

/** Removes the bytes that prevent a start code inside of a unit (ITU-T H.264, 7.4.1, and H.265). */
export function withoutEscapes(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, index) => byte !== 3 || bytes[index - 1] !== 0 || bytes[index - 2] !== 0)
}

/** Where the units of a packet begin that follow start codes (ITU-T H.264 and H.265, annex B). */
export function* unitStarts(packet: Uint8Array): Generator<number> {
  for (let at = packet.indexOf(1, 2); at >= 0; at = packet.indexOf(1, at + 1))
    if (packet[at - 1] === 0 && packet[at - 2] === 0) yield at + 1
}

/** Profiles with the format of colours and scaling lists (ITU-T H.264, 7.3.2.1.1). */
const HIGH_PROFILES: ReadonlySet<number> = new Set([
  100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
])

/** The type of a unit with sequence parameters. */
export const SEQUENCE_PARAMETERS = 7
/** Most entries of a list (7.4.2.1.1). */
const CYCLE_MAX = 255

/** Reads bits and Exp-Golomb numbers of a unit (9.1). Beyond its end there are zeros; a number of more than 31 zeros throws a RangeError. */
export function bitsOf(unit: Uint8Array) {
  let at = 0
  const bit = () => {
    const value = ((unit[at >> 3] ?? 0) >> (7 - (at & 7))) & 1
    at += 1
    return value
  }
  const unsigned = () => {
    let zeros = 0
    while (bit() === 0) {
      zeros += 1
      if (zeros > 31) throw new RangeError('not a number of H.264')
    }
    let value = 1
    for (; zeros > 0; zeros -= 1) value = value * 2 + bit()
    return value - 1
  }
  const signed = () => {
    const value = unsigned()
    return value % 2 === 1 ? (value + 1) / 2 : -value / 2
  }
  const skip = (bits: number) => {
    at += bits
  }
  return { bit, unsigned, signed, skip }
}

/** Samples of a pixel by the format of colours (table 6-1): decoders make those of 4:2:0 also of grey pictures. */
const SAMPLES = [1.5, 1.5, 2, 3] as const

/** What the parameters of a sequence say (7.3.2.1.1). */
interface Sequence extends DecodedSize {
  /** Its pictures may be made of two fields. */
  mayHaveFields: boolean
}

/** Reads a unit of sequence parameters. Throws a RangeError if it is damaged. */
export function readSequence(escaped: Uint8Array): Sequence {
  const unit = withoutEscapes(escaped)
  const { bit, unsigned, signed, skip } = bitsOf(unit)
  const [, profile = 0] = unit
  // The type, the profile, its constraints and the level.
  skip(32)
  unsigned()
  let bytesPerPixel = 1.5
  if (HIGH_PROFILES.has(profile)) {
    const colours = unsigned()
    if (colours === 3) skip(1)
    const depths = [unsigned(), unsigned()]
    bytesPerPixel = (SAMPLES[colours] ?? 3) * (Math.max(...depths) > 0 ? 2 : 1)
    skip(1)
    if (bit() === 1) {
      for (let list = 0; list < (colours === 3 ? 12 : 8); list += 1) {
        let [last, next] = [8, 8]
        const isGiven = bit() === 1
        for (let entry = 0; isGiven && entry < (list < 6 ? 16 : 64); entry += 1) {
          if (next !== 0) next = (last + signed() + 256) % 256
          if (next !== 0) last = next
        }
      }
    }
  }
  unsigned()
  const order = unsigned()
  if (order === 0) unsigned()
  else if (order === 1) {
    skip(1)
    signed()
    signed()
    for (let left = Math.min(unsigned(), CYCLE_MAX); left > 0; left -= 1) signed()
  }
  unsigned()
  skip(1)
  const width = 16 * (unsigned() + 1)
  const rows = 16 * (unsigned() + 1)
  const mayHaveFields = bit() === 0
  return { width, height: mayHaveFields ? 2 * rows : rows, bytesPerPixel, mayHaveFields }
}

/** The units of a list in avcC or hvcC, each behind its length. Returns where the list ends. Throws a RangeError if it is damaged. */
export function* listedUnits(
  configuration: Uint8Array,
  start: number,
  count: number,
): Generator<Uint8Array, number> {
  const view = viewOf(configuration)
  let at = start
  for (let left = count; left > 0; left -= 1) {
    const end = at + 2 + view.getUint16(at)
    yield configuration.subarray(at + 2, end)
    at = end
  }
  return at
}

/**
 * The units in avcC (ISO/IEC 14496-15, 5.3.3.1): decoders take parameters of a sequence from both of its lists. Throws a RangeError if it
 * is damaged.
 */
export function* configuredUnits(configuration: Uint8Array): Generator<Uint8Array> {
  const view = viewOf(configuration)
  let at = 5
  for (const mask of [0x1f, 0xff]) at = yield* listedUnits(configuration, at + 1, view.getUint8(at) & mask)
}

/** The sequence parameters in avcC (ISO/IEC 14496-15, 5.3.3.1); null if there are none. */
function configuredParameters(configuration: Uint8Array): Uint8Array | null {
  if (((configuration[5] ?? 0) & 0x1f) === 0) return null
  return configuration.subarray(8, 8 + ((configuration[6] ?? 0) << 8) + (configuration[7] ?? 0))
}

/** The sequence parameters in a packet of a transport stream, whose units follow start codes (annex B); null if there are none. */
function streamedParameters(packet: Uint8Array): Uint8Array | null {
  for (const start of unitStarts(packet))
    if (((packet[start] ?? 0) & 0x1f) === SEQUENCE_PARAMETERS) return packet.subarray(start)
  return null
}

/**
 * Whether pictures in H.264 may be interlaced: made of two fields, of which each has every second row. Throws a RangeError if the
 * parameters are damaged.
 *
 * @param configuration avcC; null for a transport stream, whose first packet has the parameters
 */
export function isInterlaced(configuration: Uint8Array | null, firstPacket: Uint8Array): boolean {
  const unit = configuration === null ? streamedParameters(firstPacket) : configuredParameters(configuration)
  return unit !== null && readSequence(unit).mayHaveFields
}
