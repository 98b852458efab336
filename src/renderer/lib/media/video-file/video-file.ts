import { type MediaFile, readPart } from '#/renderer/lib/media/source/media-file'
import { SNIFF_BYTES } from '#/shared/media-formats'
import { transportPacket, type VideoKind } from '#/shared/video-formats'
import { checkFragments, checkSampleTables, samplesInFragment } from './mp4-tables'

/** What the structure of a video file says, without its media. */
export interface VideoStructure {
  /** Whether the file ends where its structure says. */
  isComplete: boolean
  /** The `moov` box of an MP4 or QuickTime file, with its header; null for other containers. */
  movie: DataView | null
}

/** An index of more bytes belongs to no video that is read here. */
const MOVIE_BYTES_MAX = 100_000_000

/** Reads bytes of a file; fewer at its end. */
async function read(source: MediaFile, from: number, bytes: number): Promise<DataView> {
  return new DataView((await readPart(source, from, from + bytes)).buffer)
}

/** Reads the structure of a video, in small pieces. Rejects if the file cannot be read, with a RangeError if its tables declare what it cannot have. */
export async function readStructure(source: MediaFile, kind: VideoKind): Promise<VideoStructure> {
  switch (kind) {
    case 'mp4':
    case 'quicktime':
      return readBoxes(source)
    case 'webm':
    case 'matroska':
      return { isComplete: await endsWithElement(source), movie: null }
    case 'mpeg-ts':
      return { isComplete: await endsWithPacket(source), movie: null }
  }
}

/** Boxes with media or an index: without the end of one, the video has less than it should. */
const NEEDED: ReadonlySet<string> = new Set(['moov', 'mdat', 'moof'])

async function readBoxes(source: MediaFile): Promise<VideoStructure> {
  let movie: DataView | null = null
  let isComplete = true
  let movies = 0
  let samples = 0
  for (let at = 0; at + 8 <= source.size; ) {
    const header = await read(source, at, 16)
    const type = String.fromCharCode(...[4, 5, 6, 7].map((offset) => header.getUint8(offset)))
    const short = header.getUint32(0)
    const isLong = short === 1 && header.byteLength === 16
    const size = isLong ? Number(header.getBigUint64(8)) : short === 0 ? source.size - at : short
    if (size < (isLong ? 16 : 8)) break
    if (NEEDED.has(type) && at + size > source.size) isComplete = false
    if (type === 'moov') movies += 1
    if (movies > 1) throw new RangeError('A video has two movies.')
    if (type === 'moov' && size <= MOVIE_BYTES_MAX) movie = await read(source, at, size)
    if (type === 'moof' && isComplete) {
      samples += samplesInFragment(await read(source, at, Math.min(size, MOVIE_BYTES_MAX)))
      checkFragments(samples, source.size)
    }
    at += size
  }
  if (isComplete && movie !== null) checkSampleTables(movie, source.size)
  return { isComplete: isComplete && movie !== null, movie }
}

/** A number of EBML (RFC 8794, 4): its length in bytes, and its value; null if all of its bits are set, which means unknown. */
function readVariable(view: DataView, at: number): { length: number; value: number | null } | null {
  if (at >= view.byteLength) return null
  const length = Math.clz32(view.getUint8(at)) - 23
  if (length > 8 || at + length > view.byteLength) return null
  let value = view.getUint8(at) & (0xff >> length)
  let isUnknown = value === 0xff >> length
  for (let offset = 1; offset < length; offset += 1) {
    const byte = view.getUint8(at + offset)
    isUnknown &&= byte === 0xff
    value = value * 256 + byte
  }
  return { length, value: isUnknown ? null : value }
}

/** An element's header has at most 4 bytes of id and 8 of size. */
const ELEMENT_HEADER_BYTES = 12
const SEGMENT = 0x18538067

/**
 * Whether the elements of a Matroska file end within it. A recording that was streamed to disk gives no size of its segment: then
 * its parts count.
 */
async function endsWithElement(source: MediaFile): Promise<boolean> {
  let at = 0
  while (at < source.size) {
    const header = await read(source, at, ELEMENT_HEADER_BYTES)
    const id = readVariable(header, 0)
    const size = id && readVariable(header, id.length)
    // What follows the last element is not part of the video.
    if (!id || !size) return true
    const isSegment = id.length === 4 && header.getUint32(0) === SEGMENT
    const start = at + id.length + size.length
    if (size.value === null) {
      // The parts of a segment follow; those of a cluster are not read.
      if (!isSegment) return true
      at = start
      continue
    }
    at = start + size.value
    if (at > source.size) return false
    if (isSegment) return true
  }
  return true
}

async function endsWithPacket(source: MediaFile): Promise<boolean> {
  const head = await read(source, 0, SNIFF_BYTES)
  const packet = transportPacket((at) => (at < head.byteLength ? head.getUint8(at) : -1))
  return packet === null || source.size % packet.bytes === 0
}
