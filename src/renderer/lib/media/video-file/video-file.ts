import { type MediaFile, readPart } from '#/renderer/lib/media/source/media-file'
import { SNIFF_BYTES, viewOf } from '#/shared/media-formats'
import { checkSampleTables, checkSum, fileBoxes, samplesInFragment } from '#/shared/mp4-tables'
import { transportPacket, type VideoKind } from '#/shared/video-formats'
import { readMatroska } from './matroska'

/** What the structure of a video file says, without its media. */
export interface VideoStructure {
  /** Whether the file ends where its structure says. */
  isComplete: boolean
  /** The `moov` box of an MP4 or QuickTime file, with its header; null for other containers. */
  movie: DataView | null
  /** Offsets of bytes that a reader must take for zero: what they begin would lead it to parts that nobody has checked. */
  zeros: readonly number[]
}

/** An index of more bytes belongs to no video that is read here. */
const MOVIE_BYTES_MAX = 100_000_000

/** Reads bytes of a file; fewer at its end. */
async function readView(source: MediaFile, from: number, bytes: number): Promise<DataView> {
  return viewOf(await readPart(source, from, from + bytes))
}

/** Reads the structure of a video, in small pieces. Rejects if the file cannot be read, with a RangeError if its tables declare what it cannot have. */
export async function readStructure(source: MediaFile, kind: VideoKind): Promise<VideoStructure> {
  switch (kind) {
    case 'mp4':
    case 'quicktime':
      return readBoxes(source)
    case 'webm':
    case 'matroska':
      return { movie: null, ...(await readMatroska(source)) }
    case 'mpeg-ts':
      return { isComplete: await endsWithPacket(source), movie: null, zeros: [] }
  }
}

/** Boxes with media or an index: without the end of one, the video has less than it should. */
const NEEDED: ReadonlySet<string> = new Set(['moov', 'mdat', 'moof'])

async function readBoxes(source: MediaFile): Promise<VideoStructure> {
  const zeros: number[] = []
  let movie: DataView | null = null
  let isComplete = true
  let movieAt = 0
  let movies = 0
  let samples = 0
  for await (const { type, at, end } of fileBoxes((from, to) => readPart(source, from, to), source.size)) {
    if (NEEDED.has(type) && end > source.size) isComplete = false
    if (type === 'moov') movies += 1
    if (movies > 1) throw new RangeError('A video has two movies.')
    if (type === 'moov' && end - at <= MOVIE_BYTES_MAX) {
      movie = await readView(source, at, end - at)
      movieAt = at
    }
    if (type === 'moof' && isComplete) {
      samples += samplesInFragment(await readView(source, at, Math.min(end - at, MOVIE_BYTES_MAX)))
      checkSum(samples, source.size)
    }
  }
  if (isComplete && movie !== null)
    zeros.push(...checkSampleTables(movie, source.size).map((at) => movieAt + at))
  if (await endsWithLookup(source)) zeros.push(...[4, 3, 2, 1].map((left) => source.size - left))
  return { isComplete: isComplete && movie !== null, movie, zeros }
}

/** Whether the last four bytes lead to a table of fragments (`mfra`, ISO/IEC 14496-12, 8.8.9), which may name any place as one. */
async function endsWithLookup(source: MediaFile): Promise<boolean> {
  if (source.size < 4) return false
  const at = source.size - (await readView(source, source.size - 4, 4)).getUint32(0)
  return at >= 0 && String.fromCharCode(...(await readPart(source, at + 4, at + 8))) === 'mfra'
}

async function endsWithPacket(source: MediaFile): Promise<boolean> {
  const head = await readView(source, 0, SNIFF_BYTES)
  const packet = transportPacket((at) => (at < head.byteLength ? head.getUint8(at) : -1))
  return packet === null || source.size % packet.bytes === 0
}
