import { type MediaFile, readPart } from '#/renderer/lib/media/source/media-file'
import { transportPacket } from '#/shared/video-formats'

/** A stream of the program of an MPEG transport stream. */
interface ProgramStream {
  /** Of ISO/IEC 13818-1, table 2-34. */
  type: number
  /** Offset of the type in the file. */
  at: number
  /** The identifier of its packets. */
  pid: number
}

/** The program, and the first bytes of streams, are within this part of a file. */
const HEAD_BYTES = 4_000_000

/** Pictures that are not read: MPEG-1, MPEG-2, MPEG-4 part 2, VVC, AVS, Dirac and VC-1. */
const OTHER_PICTURES: ReadonlySet<number> = new Set([0x01, 0x02, 0x10, 0x33, 0x42, 0xd1, 0xea])
/** Sound of MPEG-1 and MPEG-2. */
const MPEG_SOUND: ReadonlySet<number> = new Set([0x03, 0x04])
/** ISO/IEC 11172-3, 2.4.2.3: the layer of MP3 in the header of a frame. */
const LAYER_THREE = 0b01

/** What an MPEG transport stream has besides what mediabunny (1.61.0) reads. */
export interface ReadableTransport {
  /**
   * Offsets of the types of sound that mediabunny takes for a damaged MP3. Zero there, a reserved type, hides it.
   */
  unreadTypes: readonly number[]
  /** The file has MPEG sound that is no MP3: of broadcasts and older cameras. */
  hasOtherSound: boolean
  /** The file has pictures in a codec that is not read. */
  hasOtherPictures: boolean
}

/** Reads the start of an MPEG transport stream. Rejects if the file cannot be read. */
export async function readableTransport(source: MediaFile): Promise<ReadableTransport> {
  const head = await readPart(source, 0, HEAD_BYTES)
  const streams = programStreams(head)
  const isOther = ({ type, pid }: ProgramStream) => MPEG_SOUND.has(type) && layerOf(head, pid) !== LAYER_THREE
  const others = streams.filter(isOther)
  return {
    unreadTypes: others.map(({ at }) => at),
    hasOtherSound: others.length > 0,
    hasOtherPictures: streams.some(({ type }) => OTHER_PICTURES.has(type)),
  }
}

/** Offsets of the content of packets that begin a section or a part of a stream, and where the packets end. */
function* startingPackets(head: Uint8Array): Generator<{ pid: number; start: number; end: number }> {
  const packet = transportPacket((at) => head[at] ?? -1)
  if (packet === null) return
  for (let at: number = packet.before; at + 188 <= head.length; at += packet.bytes) {
    const [, flags = 0, low = 0, control = 0, adaptation = 0] = head.subarray(at, at + 5)
    const hasContent = (control & 0x10) !== 0
    const start = at + 4 + ((control & 0x20) === 0 ? 0 : 1 + adaptation)
    const isStart = (flags & 0x40) !== 0
    if (isStart && hasContent) yield { pid: ((flags & 0x1f) << 8) | low, start, end: at + 188 }
  }
}

const TABLE_OF_PROGRAM = 2
const CHECKSUM_BYTES = 4

/** The streams of the first program (ISO/IEC 13818-1, 2.4.4.8); none if its table is longer than a packet. */
function programStreams(head: Uint8Array): ProgramStream[] {
  const twelveBits = (at: number) => (((head[at] ?? 0) & 0x0f) << 8) | (head[at + 1] ?? 0)
  for (const { start, end } of startingPackets(head)) {
    const isStreamPart = head[start] === 0 && head[start + 1] === 0 && head[start + 2] === 1
    const table = start + 1 + (head[start] ?? 0)
    if (isStreamPart || head[table] !== TABLE_OF_PROGRAM) continue
    const last = table + 3 + twelveBits(table + 1) - CHECKSUM_BYTES
    if (last > end) return []
    const streams: ProgramStream[] = []
    for (let at = table + 12 + twelveBits(table + 10); at + 5 <= last; at += 5 + twelveBits(at + 3))
      streams.push({
        type: head[at] ?? 0,
        at,
        pid: (((head[at + 1] ?? 0) & 0x1f) << 8) | (head[at + 2] ?? 0),
      })
    return streams
  }
  return []
}

/** The layer of MPEG sound by the header of its first frame; null if it is not found. */
function layerOf(head: Uint8Array, wanted: number): number | null {
  for (const { pid, start } of startingPackets(head)) {
    if (pid !== wanted) continue
    // The header of a part of a stream (2.4.3.6) has 9 bytes, the last of which is the length of the rest.
    const frame = start + 9 + (head[start + 8] ?? 0)
    const second = head[frame + 1] ?? 0
    const isFrame = head[frame] === 0xff && second >= 0xe0
    return isFrame ? (second >> 1) & 0b11 : null
  }
  return null
}
