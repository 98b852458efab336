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
/** Streams that are read: pictures come first, and mediabunny reads the file for each. */
const STREAMS_MAX = 8
/** ISO/IEC 11172-3, 2.4.2.3: the layer of MP3 in the header of a frame. */
const LAYER_THREE = 0b01

/** What an MPEG transport stream has besides what mediabunny (1.61.0) reads. */
export interface ReadableTransport {
  /**
   * Offsets of the types of streams that mediabunny must not read: sound that it takes for a damaged MP3, and all after STREAMS_MAX. Zero
   * there, a reserved type, hides them.
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
  const unread = new Set([...others, ...streams.slice(STREAMS_MAX)])
  return {
    unreadTypes: Array.from(unread, ({ at }) => at),
    hasOtherSound: others.length > 0,
    hasOtherPictures: streams.some(({ type }) => OTHER_PICTURES.has(type)),
  }
}

interface TransportPacket {
  pid: number
  /** A section or a part of a stream begins. */
  isStart: boolean
  /** Where the content is. */
  start: number
  end: number
}

function* packetsIn(head: Uint8Array): Generator<TransportPacket> {
  const packet = transportPacket((at) => head[at] ?? -1)
  if (packet === null) return
  for (let at: number = packet.before; at + 188 <= head.length; at += packet.bytes) {
    const [, flags = 0, low = 0, control = 0, adaptation = 0] = head.subarray(at, at + 5)
    const hasContent = (control & 0x10) !== 0
    const start = at + 4 + ((control & 0x20) === 0 ? 0 : 1 + adaptation)
    const isStart = (flags & 0x40) !== 0
    if (hasContent) yield { pid: ((flags & 0x1f) << 8) | low, isStart, start, end: at + 188 }
  }
}

const TABLE_OF_PROGRAM = 2
const CHECKSUM_BYTES = 4

/** Offsets of the bytes of the first program's table (ISO/IEC 13818-1, 2.4.4.8), which may continue in later packets; none if it has no end. */
function programTable(head: Uint8Array): number[] {
  const table: number[] = []
  let program = null as number | null
  for (const { pid, isStart, start, end } of packetsIn(head)) {
    let from = start
    if (program === null) {
      const isStreamPart = head[start] === 0 && head[start + 1] === 0 && head[start + 2] === 1
      from = start + 1 + (head[start] ?? 0)
      if (!isStart || isStreamPart || head[from] !== TABLE_OF_PROGRAM) continue
      program = pid
    } else if (pid !== program) continue
    else if (isStart) return []
    for (let at = from; at < end; at += 1) table.push(at)
    const bytes = 3 + twelveBits(head, table[1], table[2])
    if (table.length >= bytes) return table.slice(0, bytes - CHECKSUM_BYTES)
  }
  return []
}

function twelveBits(head: Uint8Array, high = head.length, low = head.length): number {
  return (((head[high] ?? 0) & 0x0f) << 8) | (head[low] ?? 0)
}

/** The streams of the first program. */
function programStreams(head: Uint8Array): ProgramStream[] {
  const table = programTable(head)
  const lengthAt = (at: number) => twelveBits(head, table[at], table[at + 1])
  const byteAt = (at: number) => head[table[at] ?? head.length] ?? 0
  const streams: ProgramStream[] = []
  for (let at = 12 + lengthAt(10); at + 5 <= table.length; at += 5 + lengthAt(at + 3))
    streams.push({
      type: byteAt(at),
      at: table[at] ?? 0,
      pid: ((byteAt(at + 1) & 0x1f) << 8) | byteAt(at + 2),
    })
  return streams
}

/** The layer of MPEG sound by the header of its first frame; null if it is not found. */
function layerOf(head: Uint8Array, wanted: number): number | null {
  for (const { pid, isStart, start } of packetsIn(head)) {
    if (!isStart || pid !== wanted) continue
    // The header of a part of a stream (2.4.3.6) has 9 bytes, the last of which is the length of the rest.
    const frame = start + 9 + (head[start + 8] ?? 0)
    const second = head[frame + 1] ?? 0
    const isFrame = head[frame] === 0xff && second >= 0xe0
    return isFrame ? (second >> 1) & 0b11 : null
  }
  return null
}
