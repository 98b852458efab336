import { type CheckPacket, type PictureCodec, packetChecker } from './frame-sizes'
import { type Box, boxes, bytesIn, fourCC, viewOf } from './media-formats'

/** Two hours at 240 frames per second have fewer, as have ten hours of AAC. Readers make an object for each sample of a track. */
const SAMPLES_MAX = 2_000_000
/** Boxes of the types below in a movie or a fragment: a track has fifteen. */
const BOXES_MAX = 10_000

const TABLES = ['stsd', 'stts', 'ctts', 'stsz', 'stz2', 'stsc', 'stco', 'co64', 'stss']

/**
 * The boxes that decide how many samples a file has, and where they stand (ISO/IEC 14496-12). Readers take some of them from anywhere:
 * FFmpeg from metadata and references, mediabunny from whatever is in a table's parent.
 */
const PARENTS: ReadonlyMap<string, string> = new Map([
  ['trak', 'moov'],
  ...['tkhd', 'edts', 'mdia'].map((type) => [type, 'trak'] as const),
  ['elst', 'edts'],
  ...['mdhd', 'minf'].map((type) => [type, 'mdia'] as const),
  ['stbl', 'minf'],
  ...TABLES.map((type) => [type, 'stbl'] as const),
  ['traf', 'moof'],
  ['trun', 'traf'],
])
const CONTAINERS: ReadonlySet<string> = new Set(PARENTS.values())
/** Boxes with no place in a movie or fragment: they lead readers elsewhere, or have entries for each sample of an encrypted track. */
const NOWHERE = ['moov', 'moof', 'mdat', 'tfra', 'saiz']
/** Matches where each name begins, also within another. */
const NAMES = new RegExp(`(?=${NOWHERE.join('|')}|${[...PARENTS.keys()].join('|')})`, 'g')

/** What has to be known of a movie or a fragment before somebody reads it. */
interface Placed {
  /** The boxes in their places, outer ones first. */
  found: Box[]
  /** Where else their names stand, in texts: readers would take them for boxes where one may begin. */
  texts: number[]
}

/** The boxes in a movie or a fragment. Throws a RangeError if there are more, in another place. */
function placedBoxes(view: DataView, root: Box): Placed {
  const found: Box[] = []
  const collect = (parent: Box) => {
    for (const box of boxes(view, parent.start, parent.end)) {
      if (PARENTS.get(box.type) !== parent.type) continue
      found.push(box)
      if (found.length > BOXES_MAX) throw new RangeError('There are too many boxes.')
      if (CONTAINERS.has(box.type)) collect(box)
    }
  }
  collect(root)
  const known = new Set(found.map(({ start }) => start - 4))
  const texts: number[] = []
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  for (const { index } of new TextDecoder('latin1').decode(bytes.subarray(root.start)).matchAll(NAMES)) {
    const at = root.start + index
    if (known.has(at)) continue
    // Before the name of a box is its size.
    if (view.getUint32(at - 4) <= view.byteLength) throw new RangeError('A box is not in its place.')
    texts.push(at)
    if (texts.length > BOXES_MAX) throw new RangeError('There are too many names of boxes.')
  }
  return { found, texts }
}

/** The only box of a file's part. Throws a RangeError if there are others. */
function rootOf(view: DataView): Box {
  const [root, ...others] = boxes(view, 0, view.byteLength)
  if (root === undefined || others.length > 0) throw new RangeError('A movie or fragment is one box.')
  return root
}

/** The boxes of each track by their type. Throws a RangeError if a track has two of a type. */
function tracksOf(movie: DataView): { tracks: Map<string, Box>[]; texts: number[] } {
  const tracks: Map<string, Box>[] = []
  const { found, texts } = placedBoxes(movie, rootOf(movie))
  for (const box of found) {
    if (box.type === 'trak') tracks.push(new Map())
    const track = tracks.at(-1)
    if (track?.has(box.type)) throw new RangeError(`A track has two boxes '${box.type}'.`)
    track?.set(box.type, box)
  }
  return { tracks, texts }
}

/** How many rows a table has. Throws a RangeError if they end after its box. */
function countRows(view: DataView, table: Box | undefined, bytes: number): number {
  if (table === undefined) return 0
  const rows = view.getUint32(table.start + 4)
  if (table.start + 8 + rows * bytes > table.end) throw new RangeError('A table ends after its box.')
  return rows
}

/** Where the rows of a table begin. Throws a RangeError if they end after its box. */
function rowsOf(view: DataView, table: Box | undefined, bytes: number): number[] {
  const start = (table?.start ?? 0) + 8
  return Array.from({ length: countRows(view, table, bytes) }, (_, row) => start + row * bytes)
}

/** How many samples a table of sizes describes. Throws a RangeError if their sizes end after its box. */
function countSizes(view: DataView, sizes: Box | undefined): number {
  if (sizes === undefined) return 0
  const count = view.getUint32(sizes.start + 8)
  const bits = sizes.type === 'stsz' ? 32 : view.getUint8(sizes.start + 7)
  if (!isUniform(view, sizes) && sizes.start + 12 + (count * bits) / 8 > sizes.end)
    throw new RangeError('Sizes end after their box.')
  return count
}

/** Whether one size is that of all samples, as of PCM. */
function isUniform(view: DataView, sizes: Box | undefined): boolean {
  return sizes?.type === 'stsz' && view.getUint32(sizes.start + 4) > 0
}

/** How many samples the chunks of a track have: the last row counts for all chunks that follow. */
function samplesInChunks(view: DataView, track: ReadonlyMap<string, Box>): number {
  const chunks = countRows(view, track.get('stco'), 4) + countRows(view, track.get('co64'), 8)
  const rows = rowsOf(view, track.get('stsc'), 12)
  return rows.reduce((sum, at, row) => {
    const next = rows[row + 1]
    const end = next === undefined ? chunks + 1 : view.getUint32(next)
    return sum + Math.max(0, end - view.getUint32(at)) * view.getUint32(at + 4)
  }, 0)
}

/** The most samples that a table of a track declares. Throws a RangeError if a table ends after its box. */
function samplesOf(view: DataView, track: ReadonlyMap<string, Box>): number {
  countRows(view, track.get('stss'), 4)
  const sum = (table: Box | undefined) =>
    rowsOf(view, table, 8).reduce((count, at) => count + view.getUint32(at), 0)
  return Math.max(
    countSizes(view, track.get('stsz')),
    countSizes(view, track.get('stz2')),
    sum(track.get('stts')),
    sum(track.get('ctts')),
    samplesInChunks(view, track),
  )
}

/**
 * Checks that the tables of a chosen movie describe no more samples than its file can have, because readers make objects for what a few
 * bytes declare. Returns the offsets of texts that a reader must not take for boxes. Throws a RangeError.
 *
 * @param movie a `moov` box with its header
 */
export function checkSampleTables(movie: DataView, fileBytes: number): number[] {
  let total = 0
  const { tracks, texts } = tracksOf(movie)
  for (const track of tracks) {
    const samples = samplesOf(movie, track)
    // Of samples of one size without shifts, as of PCM, readers make an object for each chunk.
    if (!isUniform(movie, track.get('stsz')) || track.has('ctts')) total += samples
    else if (samples > fileBytes) throw new RangeError('A track has more samples than its file.')
  }
  checkSum(total, fileBytes)
  return texts
}

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
 * The check of a track's packets, by its description; null of sound. Throws a RangeError unless it is one description, of a kind in which
 * boxes begin where they are expected.
 */
function checkerOf(view: DataView, table: Box | undefined): CheckPacket | null {
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
  return packetChecker(configured.codec, bytesIn(view, box))
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

/** Pictures of a movie that have to be checked. */
interface PlayedPictures {
  check: CheckPacket
  /** Throws a RangeError for tables that the app does not write. */
  samples: Generator<[from: number, to: number]>
}

/**
 * The same for a movie that Chromium plays: it makes entries for each sample, and again for each edit that shows it. Nothing is hidden
 * from it. Returns the tracks of pictures.
 */
function checkPlayedTables(movie: DataView, fileBytes: number): PlayedPictures[] {
  const { tracks, texts } = tracksOf(movie)
  if (texts.length > 0) throw new RangeError('A text has the name of a box.')
  checkPlayedBoxes(movie, rootOf(movie))
  if (tracks.length > PLAYED_TRACKS) throw new RangeError('A movie has too many tracks.')
  let samples = 0
  const pictures = tracks.flatMap((track) => {
    const check = checkerOf(movie, track.get('stsd'))
    const list = track.get('elst')
    const edits = countRows(movie, list, list !== undefined && movie.getUint8(list.start) === 1 ? 20 : 12)
    samples += samplesOf(movie, track) * Math.max(1, edits)
    return check === null ? [] : [{ check, samples: samplesAt(movie, track) }]
  })
  checkSum(samples, fileBytes)
  return pictures
}

/** Bits of fields that each sample of a run has. */
const EACH_SAMPLE_HAS = [0x100, 0x200, 0x400, 0x800]

/**
 * Counts the samples of a fragment (ISO/IEC 14496-12, 8.8.8). Throws a RangeError if a run ends after its box, or a box is not in its place.
 *
 * @param fragment a `moof` box with its header
 */
export function samplesInFragment(fragment: DataView): number {
  const { found, texts } = placedBoxes(fragment, rootOf(fragment))
  if (texts.length > 0) throw new RangeError('A text has the name of a box.')
  let samples = 0
  for (const run of found) {
    if (run.type !== 'trun') continue
    const flags = fragment.getUint32(run.start) & 0xffffff
    const count = fragment.getUint32(run.start + 4)
    const bytes = EACH_SAMPLE_HAS.filter((flag) => flags & flag).length * 4
    if (run.start + 8 + count * bytes > run.end) throw new RangeError('A run ends after its box.')
    samples += count
  }
  return samples
}

/** Throws a RangeError for more samples in a file than it can have: each has a byte. */
export function checkSum(samples: number, fileBytes: number): void {
  if (samples > Math.min(fileBytes, SAMPLES_MAX)) throw new RangeError('A file declares too many samples.')
}

/** Reads bytes of a file; fewer at its end. */
export type ReadPart = (from: number, to: number) => Promise<Uint8Array>

/** The boxes of a file, up to one that has no valid size. The last may end after the file. */
export async function* fileBoxes(
  read: ReadPart,
  fileBytes: number,
): AsyncGenerator<{ type: string; at: number; end: number }> {
  for (let at = 0; at + 8 <= fileBytes; ) {
    const header = viewOf(await read(at, at + 16))
    if (header.byteLength < 8) return
    const short = header.getUint32(0)
    const isLong = short === 1 && header.byteLength === 16
    const size = isLong ? Number(header.getBigUint64(8)) : short === 0 ? fileBytes - at : short
    if (size < (isLong ? 16 : 8)) return
    yield { type: fourCC(header, 4), at, end: at + size }
    at += size
  }
}

/** Boxes of a stored file, and bytes of its movie: ten minutes at 30 pictures a second have 300 to 500 KB. */
const [STORED_BOXES_MAX, STORED_MOVIE_BYTES_MAX] = [32, 1_000_000]
/** Boxes beside the movie. Chromium reads others, as fragments and tracks outside of the movie. */
const BESIDE_MOVIE: ReadonlySet<string> = new Set(['ftyp', 'mdat', 'free', 'skip', 'wide'])

/** Bytes that are read at once of the media, and of its largest sample. */
const [WINDOW_BYTES, SAMPLE_BYTES_MAX] = [1_000_000, 8_000_000]

/** Checks all samples of pictures. Throws a RangeError. */
async function checkSamples(read: ReadPart, { check, samples }: PlayedPictures): Promise<void> {
  let part = { from: 0, bytes: new Uint8Array() as Uint8Array }
  for (const [from, to] of samples) {
    if (to - from > SAMPLE_BYTES_MAX) throw new RangeError('A sample is too large.')
    if (to > part.from + part.bytes.length)
      part = { from, bytes: await read(from, Math.max(to, from + WINDOW_BYTES)) }
    if (to > part.from + part.bytes.length) throw new RangeError('A sample ends after the file.')
    check(part.bytes.subarray(from - part.from, to - part.from))
  }
}

/**
 * Whether Chromium can open a stored MP4 without taking gigabytes: one movie with as many samples as the file can have, as the app writes
 * it, and no picture that is too large. Rejects as `read` does.
 */
export async function isPlayableMp4(read: ReadPart, fileBytes: number): Promise<boolean> {
  let count = 0
  let pictures = null as PlayedPictures[] | null
  let next = 0
  try {
    for await (const { type, at, end } of fileBoxes(read, fileBytes)) {
      count += 1
      next = end
      if (count > STORED_BOXES_MAX || end > fileBytes) return false
      if (BESIDE_MOVIE.has(type)) continue
      if (type !== 'moov' || pictures !== null || end - at > STORED_MOVIE_BYTES_MAX) return false
      pictures = checkPlayedTables(viewOf(await read(at, end)), fileBytes)
    }
    for (const track of pictures ?? []) await checkSamples(read, track)
  } catch (error) {
    // A table is not in its place, or something ends after the file.
    if (error instanceof RangeError) return false
    throw error
  }
  // What has no valid size is read in another way by another reader.
  return pictures !== null && (await read(next, next + 8)).byteLength < 8
}
