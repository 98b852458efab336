import { unitStarts, withoutEscapes } from '#/shared/h264-parameters'
import { viewOf } from '#/shared/media-formats'

/** A codec whose streams may contain messages of the encoder. */
export type MessageCodec = 'avc' | 'hevc' | 'av1'
/** One of ITU-T, in whose packets units follow their length or a start code. */
export type UnitCodec = Exclude<MessageCodec, 'av1'>

/**
 * Payload types of messages about decoding and showing pictures: buffering, timing, recovery, repeated marks of references, film grain, tones,
 * orientation, parameter sets, hashes, regions, light levels, transfer. All others may be free data: cameras write their name, the time and the
 * place into them (AVCHD), encoders their settings. ITU-T H.264 and H.265, annex D.
 */
const KEPT_MESSAGES: ReadonlySet<number> = new Set([
  0, 1, 6, 7, 19, 23, 45, 47, 128, 129, 130, 132, 134, 137, 144, 147,
])

/** Types of NAL units with supplemental enhancement information (SEI), the bytes of their header, and the types that decoders need. */
const UNITS = {
  avc: {
    messages: [6],
    header: 1,
    isNeeded: (type: number) => (type >= 1 && type <= 5) || (type >= 7 && type <= 11) || type === 13,
  },
  hevc: { messages: [39, 40], header: 2, isNeeded: (type: number) => type <= 37 },
} as const

function typeOf(unit: Uint8Array, codec: UnitCodec): number {
  const [first = 0] = unit
  return codec === 'avc' ? first & 0x1f : (first >> 1) & 0x3f
}

/** Whether decoders need the unit, and none of its messages is free data. */
function isKept(unit: Uint8Array, codec: UnitCodec): boolean {
  const { messages, header, isNeeded } = UNITS[codec]
  const unitType = typeOf(unit, codec)
  if (!messages.some((type) => type === unitType)) return isNeeded(unitType)
  const bytes = withoutEscapes(unit.subarray(header))
  let at = 0
  const readNumber = () => {
    let value = 0
    while (bytes[at] === 0xff) {
      value += 0xff
      at += 1
    }
    value += bytes[at] ?? 0
    at += 1
    return value
  }
  // The last byte ends the unit.
  while (at < bytes.length - 1) {
    const type = readNumber()
    const size = readNumber()
    if (!KEPT_MESSAGES.has(type)) return false
    at += size
  }
  return true
}

const START_CODE = Uint8Array.of(0, 0, 0, 1)

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/**
 * The packet of a frame without units that contain free data; empty if nothing else is in it.
 *
 * @param lengthSize the bytes before each unit that contain its length
 */
export function withoutUserData(packet: Uint8Array, codec: UnitCodec, lengthSize: number): Uint8Array {
  const kept: Uint8Array[] = []
  let at = 0
  while (at + lengthSize <= packet.length) {
    const size = packet.subarray(at, at + lengthSize).reduce((value, byte) => value * 256 + byte, 0)
    const unit = packet.subarray(at + lengthSize, at + lengthSize + size)
    if (isKept(unit, codec)) kept.push(packet.subarray(at, at + lengthSize + size))
    at += lengthSize + size
  }
  return concat(kept)
}

/** The same for a packet of a transport stream, whose units follow start codes. */
export function withoutStreamedUserData(packet: Uint8Array, codec: UnitCodec): Uint8Array {
  const starts = [...unitStarts(packet)]
  const kept = starts.flatMap((start, index) => {
    const end = (starts[index + 1] ?? packet.length + 3) - 3
    return isKept(packet.subarray(start, end), codec) ? [START_CODE, packet.subarray(start, end)] : []
  })
  return concat(kept)
}

/** The bytes of a decoder's configuration. */
export function bytesOf(description: AllowSharedBufferSource): Uint8Array {
  return ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description)
}

/** Reads the bytes before each unit from avcC or hvcC (ISO/IEC 14496-15). */
export function lengthSizeOf(configuration: Uint8Array, codec: UnitCodec): number {
  return ((configuration[codec === 'avc' ? 4 : 21] ?? 3) & 3) + 1
}

/** Profiles whose avcC says the format of colours after its lists (ISO/IEC 14496-15, 5.3.3.1.2). */
const PROFILES_WITH_COLOURS: ReadonlySet<number> = new Set([100, 110, 122, 144])

/** avcC with its lists of sequence and picture parameter sets, and nothing behind them that decoders do not read. */
function avcParameterSets(configuration: Uint8Array): Uint8Array<ArrayBuffer> {
  const view = viewOf(configuration)
  let at = 5
  const readList = (mask: number, type: number): Uint8Array[] => {
    const count = view.getUint8(at)
    at += 1
    const kept = Array.from({ length: count & mask }, () => {
      const start = at
      at += 2 + view.getUint16(at)
      return configuration.subarray(start, at)
    }).filter((unit) => typeOf(unit.subarray(2), 'avc') === type)
    return [Uint8Array.of((count & ~mask) | kept.length), ...kept]
  }
  const lists = [...readList(31, 7), ...readList(255, 8)]
  // Some encoders leave the colours out.
  if (PROFILES_WITH_COLOURS.has(configuration[1] ?? 0) && at + 4 <= configuration.length) {
    lists.push(configuration.subarray(at, at + 3))
    at += 3
    lists.push(...readList(255, 13))
  }
  return concat([configuration.subarray(0, 5), ...lists])
}

/** avcC or hvcC with the lists of units that decoders need. Throws a RangeError if it is damaged. */
export function withoutConfiguredUserData(
  configuration: Uint8Array,
  codec: UnitCodec,
): Uint8Array<ArrayBuffer> {
  if (codec === 'avc') return avcParameterSets(configuration)
  const view = viewOf(configuration)
  const lists: Uint8Array[] = []
  let at = 23
  for (let list = 0; list < (configuration[22] ?? 0); list += 1) {
    const start = at
    const units = view.getUint16(at + 1)
    at += 3
    for (let unit = 0; unit < units; unit += 1) at += 2 + view.getUint16(at)
    if (UNITS.hevc.isNeeded((configuration[start] ?? 0) & 0x3f)) lists.push(configuration.subarray(start, at))
  }
  return concat([configuration.subarray(0, 22), Uint8Array.of(lists.length), ...lists])
}

/** The units of AV1 that decoders need: sequence and frame headers, tiles, frames, the start of a time. */
const NEEDED_OBUS: ReadonlySet<number> = new Set([1, 2, 3, 4, 6, 7])

/** Units of AV1 without metadata, padding and types that nobody knows (AV1 specification, 5.3). */
export function withoutAv1UserData(units: Uint8Array): Uint8Array<ArrayBuffer> {
  const kept: Uint8Array[] = []
  let at = 0
  while (at < units.length) {
    const start = at
    const header = units[at] ?? 0
    at += header & 4 ? 2 : 1
    let size = units.length - at
    if (header & 2) {
      size = 0
      // LEB128: seven bits in each byte, the lowest first.
      for (let shift = 0, byte = 0x80; byte & 0x80 && shift < 56; shift += 7, at += 1) {
        byte = units[at] ?? 0
        size += (byte & 0x7f) * 2 ** shift
      }
    }
    at += size
    if (NEEDED_OBUS.has((header >> 3) & 15)) kept.push(units.subarray(start, at))
  }
  return concat(kept)
}

/** av1C without such units: four bytes, then units (AV1 in ISO-BMFF, 2.3). */
export function withoutConfiguredAv1UserData(configuration: Uint8Array): Uint8Array<ArrayBuffer> {
  return concat([configuration.subarray(0, 4), withoutAv1UserData(configuration.subarray(4))])
}

/** Removes what decoders do not need from the configuration of a stream, and then from each of its packets. */
export interface StreamCleaner {
  /** Throws a RangeError if the configuration is damaged. */
  cleanConfiguration(configuration: Uint8Array): Uint8Array<ArrayBuffer>
  /** The packet of a frame; empty if nothing is left of it. */
  cleanPacket(packet: Uint8Array): Uint8Array
}

export function createStreamCleaner(codec: MessageCodec): StreamCleaner {
  if (codec === 'av1')
    return { cleanConfiguration: withoutConfiguredAv1UserData, cleanPacket: withoutAv1UserData }
  // Without a configuration, units follow start codes.
  let lengthSize: number | null = null
  return {
    cleanConfiguration: (configuration) => {
      lengthSize = lengthSizeOf(configuration, codec)
      return withoutConfiguredUserData(configuration, codec)
    },
    cleanPacket: (packet) =>
      lengthSize === null
        ? withoutStreamedUserData(packet, codec)
        : withoutUserData(packet, codec, lengthSize),
  }
}
