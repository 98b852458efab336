import {
  type CheckPacket,
  type Count,
  createCount,
  type PictureCodec,
  packetChecker,
  READ_MAX,
} from './frame-sizes'
import { type Box, boxes, bytesIn, viewOf } from './media-formats'
import {
  checkSum,
  countRows,
  countSizes,
  fileBoxes,
  type ReadPart,
  rootOf,
  rowsOf,
  samplesOf,
  TABLES,
  tracksOf,
} from './mp4-tables'

/** The descriptions of what the app writes: H.264, VP8, VP9 and AV1; AAC and Opus. */
const PICTURES = ['avc1', 'avc3', 'vp08', 'vp09', 'av01']
const SOUND = ['mp4a', 'Opus']

/**
 * The boxes of a movie that Chromium plays, by their parents, as the app writes it: FFmpeg allocates a gigabyte for the count of `keys`,
 * `sbgp` or `stps`, wherever they stand, and reads a title for each sample of `chap`.
 */
const PLAYED: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['moov', ['mvhd', 'trak']],
  ['trak', ['tkhd', 'edts', 'mdia']],
  ['edts', ['elst']],
  ['mdia', ['mdhd', 'hdlr', 'minf']],
  ['minf', ['vmhd', 'smhd', 'dinf', 'stbl']],
  ['dinf', ['dref']],
  ['stbl', [...TABLES, 'cslg']],
  ['stsd', [...PICTURES, ...SOUND]],
  ...PICTURES.map((type) => [type, ['avcC', 'vpcC', 'av1C', 'fiel', 'pasp', 'colr', 'btrt']] as const),
  ...SOUND.map((type) => [type, ['esds', 'dOps', 'btrt']] as const),
])

/** Where the boxes in a box begin, if not with it: after the count of `stsd`, and the fields of pictures and of sound. */
const BOXES_AT: ReadonlyMap<string, number> = new Map([
  ['stsd', 8],
  ...PICTURES.map((type) => [type, 78] as const),
  ...SOUND.map((type) => [type, 28] as const),
])

/** Throws a RangeError if a box contains anything but the boxes that belong there. */
function checkPlayedBoxes(view: DataView, parent: Box): void {
  let end = parent.start + (BOXES_AT.get(parent.type) ?? 0)
  for (const box of boxes(view, end, parent.end)) {
    if (!PLAYED.get(parent.type)?.includes(box.type))
      throw new RangeError('A box is not one of a played movie.')
    if (PLAYED.has(box.type)) checkPlayedBoxes(view, box)
    end = box.end
  }
  if (end !== parent.end) throw new RangeError('A box contains more than boxes.')
}

/** Bits of a pixel, and the number of its table of colours, as every movie has them. FFmpeg reads others from where boxes may be. */
const [TRUE_COLOUR, NO_COLOUR_TABLE] = [24, 0xffff]

/** The box with the configuration of a codec, by the type of its description. */
const CONFIGURED_BY: ReadonlyMap<string, { codec: PictureCodec; box: string }> = new Map([
  ['avc1', { codec: 'avc', box: 'avcC' }],
  ['avc3', { codec: 'avc', box: 'avcC' }],
  ['vp08', { codec: 'vp8', box: 'vpcC' }],
  ['vp09', { codec: 'vp9', box: 'vpcC' }],
  ['av01', { codec: 'av1', box: 'av1C' }],
])

/**
 * A check of a track's packets, by its description; null of sound. Throws a RangeError unless it is one description, of a kind in which
 * boxes begin where they are expected.
 */
function checkerOf(view: DataView, table: Box | undefined, count?: Count): CheckPacket | null {
  const [entry, ...others] = table === undefined ? [] : boxes(view, table.start + 8, table.end)
  if (entry === undefined || others.length > 0) throw new RangeError('A track has one description.')
  const { type, start, end } = entry
  const configured = CONFIGURED_BY.get(type)
  if (configured === undefined) {
    if (view.getUint16(start + 8) !== 0) throw new RangeError('A description of sound has other fields.')
    return null
  }
  if (view.getUint16(start + 74) !== TRUE_COLOUR || view.getUint16(start + 76) !== NO_COLOUR_TABLE)
    throw new RangeError('A description of pictures has other fields.')
  const [box, ...more] = boxes(view, start + 78, end, configured.box)
  if (box === undefined || more.length > 0) throw new RangeError('A codec has one configuration.')
  return packetChecker(configured.codec, bytesIn(view, box), count)
}

/** Where the samples of a track are in the file, in order. Throws a RangeError for one that is not behind the one before, as the app writes them. */
function* samplesAt(view: DataView, track: ReadonlyMap<string, Box>): Generator<[from: number, to: number]> {
  const sizes = track.get('stsz')
  const [short, long] = [track.get('stco'), track.get('co64')]
  if (track.has('stz2') || (short && long))
    throw new RangeError('A track has one table of sizes and one of chunks.')
  const uniform = sizes === undefined ? 0 : view.getUint32(sizes.start + 4)
  const count = countSizes(view, sizes)
  const chunks = [
    ...rowsOf(view, short, 4).map((at) => view.getUint32(at)),
    ...rowsOf(view, long, 8).map((at) => Number(view.getBigUint64(at))),
  ]
  const rows = rowsOf(view, track.get('stsc'), 12)
  let [row, sample, end] = [-1, 0, 0]
  for (const [index, chunk] of chunks.entries()) {
    const next = rows[row + 1]
    if (next !== undefined && view.getUint32(next) === index + 1) row += 1
    const perChunk = view.getUint32((rows[row] ?? view.byteLength) + 4)
    if (chunk < end) throw new RangeError('Chunks are not in order.')
    end = chunk
    for (let left = perChunk; left > 0; left -= 1, sample += 1) {
      if (sample >= count) throw new RangeError('Chunks have more samples than sizes.')
      const from = end
      end += uniform > 0 || sizes === undefined ? uniform : view.getUint32(sizes.start + 12 + 4 * sample)
      yield [from, end]
    }
  }
  if (sample !== count || row !== rows.length - 1) throw new RangeError('Sizes are not those of the chunks.')
}

/** Most tracks of a video that the app writes: pictures and sound. */
export const PLAYED_TRACKS = 2

/** A track of a stored movie whose tables were checked. */
export interface PlayedTrack {
  boxes: ReadonlyMap<string, Box>
  /**
   * Makes the check of its packets, with the count of the file; null of sound. Throws a RangeError for a description that the app does not
   * write.
   */
  makeCheck: (count?: Count) => CheckPacket | null
  /** Where its samples are in the file. Throws a RangeError for tables that the app does not write. */
  samples: () => Generator<[from: number, to: number]>
}

/**
 * The same for a movie that is played: Chromium makes entries for each sample, and again for each edit that shows it. Nothing is hidden
 * from it. Throws a RangeError.
 */
function checkPlayedTables(movie: DataView, fileBytes: number): PlayedTrack[] {
  const { tracks, texts } = tracksOf(movie)
  if (texts.length > 0) throw new RangeError('A text has the name of a box.')
  checkPlayedBoxes(movie, rootOf(movie))
  if (tracks.length > PLAYED_TRACKS) throw new RangeError('A movie has too many tracks.')
  let samples = 0
  for (const track of tracks) {
    const list = track.get('elst')
    const edits = countRows(movie, list, list !== undefined && movie.getUint8(list.start) === 1 ? 20 : 12)
    samples += samplesOf(movie, track) * Math.max(1, edits)
  }
  checkSum(samples, Math.min(fileBytes, READ_MAX))
  return tracks.map((track) => ({
    boxes: track,
    makeCheck: (count) => checkerOf(movie, track.get('stsd'), count),
    samples: () => samplesAt(movie, track),
  }))
}

/** Boxes of a stored file, and bytes of its movie: ten minutes at 30 pictures a second have 300 to 500 KB. */
const [STORED_BOXES_MAX, STORED_MOVIE_BYTES_MAX] = [32, 1_000_000]
/** Boxes beside the movie. Chromium reads others, as fragments and tracks outside of the movie. */
const BESIDE_MOVIE: ReadonlySet<string> = new Set(['ftyp', 'mdat', 'free', 'skip', 'wide'])

/** Bytes that are read at once of the media, and of its largest sample. */
export const [WINDOW_BYTES, SAMPLE_BYTES_MAX] = [1_000_000, 8_000_000]

/** Checks all samples of pictures. Throws a RangeError. */
async function checkSamples(read: ReadPart, check: CheckPacket, track: PlayedTrack): Promise<void> {
  let part = { from: 0, bytes: new Uint8Array() as Uint8Array }
  for (const [from, to] of track.samples()) {
    if (to - from > SAMPLE_BYTES_MAX) throw new RangeError('A sample is too large.')
    if (to > part.from + part.bytes.length)
      part = { from, bytes: await read(from, Math.max(to, from + WINDOW_BYTES)) }
    if (to > part.from + part.bytes.length) throw new RangeError('A sample ends after the file.')
    check(part.bytes.subarray(from - part.from, to - part.from))
  }
}

/** The boxes of a stored file, of which the app writes few; with the movie. Throws a RangeError for others. */
async function* storedBoxes(
  read: ReadPart,
  fileBytes: number,
): AsyncGenerator<{ end: number; movie: DataView | null }> {
  let count = 0
  for await (const { type, at, end } of fileBoxes(read, fileBytes)) {
    count += 1
    if (count > STORED_BOXES_MAX || end > fileBytes) throw new RangeError('A file has other boxes.')
    if (BESIDE_MOVIE.has(type)) yield { end, movie: null }
    else if (type !== 'moov' || end - at > STORED_MOVIE_BYTES_MAX)
      throw new RangeError('A box is not one of a stored file.')
    else yield { end, movie: viewOf(await read(at, end)) }
  }
}

/**
 * Whether Chromium can open a stored MP4 without taking gigabytes: one movie with as many samples as the file can have, as the app writes
 * it, and no picture that is too large. Rejects as `read` does.
 */
export async function isPlayableMp4(read: ReadPart, fileBytes: number): Promise<boolean> {
  let tracks = null as PlayedTrack[] | null
  let next = 0
  try {
    for await (const { end, movie } of storedBoxes(read, fileBytes)) {
      next = end
      if (movie === null) continue
      if (tracks !== null) return false
      tracks = checkPlayedTables(movie, fileBytes)
    }
    const count = createCount()
    for (const track of tracks ?? []) {
      const check = track.makeCheck(count)
      if (check !== null) await checkSamples(read, check, track)
    }
  } catch (error) {
    // A table is not in its place, or something ends after the file.
    if (error instanceof RangeError) return false
    throw error
  }
  // What has no valid size is read in another way by another reader.
  return tracks !== null && (await read(next, next + 8)).byteLength < 8
}

/** The movie of a stored file. */
export interface PlayedMovie {
  view: DataView
  tracks: readonly PlayedTrack[]
}

/**
 * Reads the movie of a stored MP4 and checks its tables, for a reader of our own that takes nothing else from the file but samples. Throws
 * a RangeError, and as `read` does.
 *
 * @param fileBytes at most so many
 */
export async function readPlayedMovie(read: ReadPart, fileBytes: number): Promise<PlayedMovie> {
  for await (const { movie } of storedBoxes(read, fileBytes))
    if (movie !== null) return { view: movie, tracks: checkPlayedTables(movie, fileBytes) }
  throw new RangeError('A file has no movie.')
}
