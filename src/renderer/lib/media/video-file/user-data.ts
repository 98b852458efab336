/** A codec whose streams may contain messages of the encoder. */
export type MessageCodec = 'avc' | 'hevc'

/**
 * Payload types of free data: cameras write their name, the time and the place into them (AVCHD), encoders their settings.
 * ITU-T H.264 and H.265, annex D: user_data_registered_itu_t_t35, user_data_unregistered.
 */
const USER_DATA: ReadonlySet<number> = new Set([4, 5])

/** Types of NAL units with supplemental enhancement information (SEI), and the bytes of their header. */
const SEI = {
  avc: { types: [6], header: 1 },
  hevc: { types: [39, 40], header: 2 },
} as const

function typeOf(unit: Uint8Array, codec: MessageCodec): number {
  const [first = 0] = unit
  return codec === 'avc' ? first & 0x1f : (first >> 1) & 0x3f
}

function isSei(type: number, codec: MessageCodec): boolean {
  return SEI[codec].types.some((sei) => sei === type)
}

/** Removes the bytes that prevent a start code inside of a unit. */
export function withoutEscapes(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, index) => byte !== 3 || bytes[index - 1] !== 0 || bytes[index - 2] !== 0)
}

/** Whether one of the unit's messages is free data. */
function hasUserData(unit: Uint8Array, codec: MessageCodec): boolean {
  if (!isSei(typeOf(unit, codec), codec)) return false
  const bytes = withoutEscapes(unit.subarray(SEI[codec].header))
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
    if (USER_DATA.has(type)) return true
    at += size
  }
  return false
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
export function withoutUserData(packet: Uint8Array, codec: MessageCodec, lengthSize: number): Uint8Array {
  const kept: Uint8Array[] = []
  let at = 0
  while (at + lengthSize <= packet.length) {
    const size = packet.subarray(at, at + lengthSize).reduce((value, byte) => value * 256 + byte, 0)
    const unit = packet.subarray(at + lengthSize, at + lengthSize + size)
    if (!hasUserData(unit, codec)) kept.push(packet.subarray(at, at + lengthSize + size))
    at += lengthSize + size
  }
  return concat(kept)
}

/** Where the units of a packet begin that follow start codes (ITU-T H.264 and H.265, annex B). */
export function* unitStarts(packet: Uint8Array): Generator<number> {
  for (let at = packet.indexOf(1, 2); at >= 0; at = packet.indexOf(1, at + 1))
    if (packet[at - 1] === 0 && packet[at - 2] === 0) yield at + 1
}

/** The same for a packet of a transport stream, whose units follow start codes. */
export function withoutStreamedUserData(packet: Uint8Array, codec: MessageCodec): Uint8Array {
  const starts = [...unitStarts(packet)]
  const kept = starts.flatMap((start, index) => {
    const end = (starts[index + 1] ?? packet.length + 3) - 3
    return hasUserData(packet.subarray(start, end), codec) ? [] : [START_CODE, packet.subarray(start, end)]
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
export function lengthSizeOf(configuration: Uint8Array, codec: MessageCodec): number {
  return ((configuration[codec === 'avc' ? 4 : 21] ?? 3) & 3) + 1
}

/** hvcC without its lists of SEI units; avcC has none. */
export function withoutConfiguredUserData(
  configuration: Uint8Array,
  codec: MessageCodec,
): Uint8Array<ArrayBuffer> {
  if (codec === 'avc') return concat([configuration])
  const view = new DataView(configuration.buffer, configuration.byteOffset, configuration.byteLength)
  const lists: Uint8Array[] = []
  let at = 23
  for (let list = 0; list < (configuration[22] ?? 0); list += 1) {
    const start = at
    const units = view.getUint16(at + 1)
    at += 3
    for (let unit = 0; unit < units; unit += 1) at += 2 + view.getUint16(at)
    if (!isSei((configuration[start] ?? 0) & 0x3f, codec)) lists.push(configuration.subarray(start, at))
  }
  return concat([configuration.subarray(0, 22), Uint8Array.of(lists.length), ...lists])
}
