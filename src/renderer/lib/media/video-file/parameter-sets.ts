import type { CheckPacket, CheckSize } from '#/shared/frame-sizes'
import {
  bitsOf,
  configuredUnits,
  listedUnits,
  readSequence,
  SEQUENCE_PARAMETERS,
  unitStarts,
  withoutEscapes,
} from '#/shared/h264-parameters'
import { type DecodedSize, viewOf } from '#/shared/media-formats'
import { lengthSizeOf, type UnitCodec } from './user-data'

/** Readers do not agree on the parameters of other profiles. */
const AVC_PROFILES: ReadonlySet<number> = new Set([66, 77, 88, 100, 110, 122, 244, 44, 83, 86, 118, 128])
/** Sequence parameters of a packet: H.264 has so many. The size is in their first bytes, behind at most twelve scaling lists. */
const [SETS_MAX, SET_BYTES] = [32, 1_024]
/** The type of a unit with sequence parameters of H.265. */
const HEVC_SEQUENCE_PARAMETERS = 33

/** The size in a unit of sequence parameters; null of any other unit. Throws a RangeError if it is damaged. */
function sizeIn(unit: Uint8Array, codec: UnitCodec): DecodedSize | null {
  const [header = 0, second = 0] = unit
  if (codec === 'avc') {
    if ((header & 0x1f) !== SEQUENCE_PARAMETERS) return null
    if (!AVC_PROFILES.has(second)) throw new RangeError('The profile is not one that readers agree on.')
    return readSequence(unit.subarray(0, SET_BYTES))
  }
  const isBaseLayer = (header & 1) === 0 && second >> 3 === 0
  return ((header >> 1) & 0x3f) === HEVC_SEQUENCE_PARAMETERS && isBaseLayer
    ? hevcSize(unit.subarray(0, SET_BYTES))
    : null
}

/** Sequence parameters of H.265 (ITU-T H.265, 7.3.2.2.1) up to the size. Only hardware decodes them: it keeps few pictures, in memory of its own. */
function hevcSize(escaped: Uint8Array): DecodedSize {
  const { bit, unsigned, skip } = bitsOf(withoutEscapes(escaped))
  // The header, and the number of another set.
  skip(16 + 4)
  const layers = 4 * bit() + 2 * bit() + bit()
  // The profile and the level.
  skip(1 + 88 + 8)
  const present = Array.from({ length: layers === 0 ? 0 : 8 }, () => [bit(), bit()] as const)
  for (const [profile, level] of present.slice(0, layers)) skip(profile * 88 + level * 8)
  unsigned()
  if (unsigned() === 3) skip(1)
  return { width: unsigned(), height: unsigned(), bytesPerPixel: 1 }
}

/** The units in hvcC (ISO/IEC 14496-15, 8.3.3.1): lists of a type and a count. Throws a RangeError if it is damaged. */
function* hevcUnits(configuration: Uint8Array): Generator<Uint8Array> {
  const view = viewOf(configuration)
  let at = 23
  for (let lists = view.getUint8(22); lists > 0; lists -= 1)
    at = yield* listedUnits(configuration, at + 3, view.getUint16(at + 1))
}

/** The units of a packet, which follow their lengths. */
function* packetUnits(packet: Uint8Array, lengthSize: number): Generator<Uint8Array> {
  for (let at = 0; at < packet.length; ) {
    const start = at + lengthSize
    at = packet.subarray(at, start).reduce((value, byte) => value * 256 + byte, 0) + start
    if (at > packet.length) throw new RangeError('A unit ends after its packet.')
    yield packet.subarray(start, at)
  }
}

/**
 * Makes the check of a chosen stream's packets: `checkSize` is called with each size that the stream says, also in its configuration.
 * Throws a RangeError for damaged parameters.
 *
 * @param configuration avcC or hvcC; null of a transport stream, in which units follow start codes
 */
export function parameterChecker(
  codec: UnitCodec,
  configuration: Uint8Array | null,
  checkSize: CheckSize,
): CheckPacket {
  const checkUnits = (units: Iterable<Uint8Array>) => {
    let sets = 0
    const check = (unit: Uint8Array) => {
      const size = sizeIn(unit, codec)
      if (size === null) return
      sets += 1
      if (sets > SETS_MAX) throw new RangeError('A packet has too many parameters.')
      checkSize(size)
    }
    for (const unit of units) {
      check(unit)
      // Chromium's decoder begins another unit at each start code.
      for (const start of unitStarts(unit)) check(unit.subarray(start))
    }
  }
  if (configuration === null) return (packet) => checkUnits([packet])
  checkUnits(codec === 'avc' ? configuredUnits(configuration) : hevcUnits(configuration))
  const lengthSize = lengthSizeOf(configuration, codec)
  return (packet) => checkUnits(packetUnits(packet, lengthSize))
}
