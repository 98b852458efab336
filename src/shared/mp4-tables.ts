import { type Box, boxes, fourCC, viewOf } from './media-formats'

/** Two hours at 240 frames per second have fewer, as have ten hours of AAC. Readers make an object for each sample of a track. */
const SAMPLES_MAX = 2_000_000
/** Boxes of the types below in a movie or a fragment: a track has fifteen. */
const BOXES_MAX = 10_000

export const TABLES = ['stsd', 'stts', 'ctts', 'stsz', 'stz2', 'stsc', 'stco', 'co64', 'stss']

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
export function rootOf(view: DataView): Box {
  const [root, ...others] = boxes(view, 0, view.byteLength)
  if (root === undefined || others.length > 0) throw new RangeError('A movie or fragment is one box.')
  return root
}

/** The boxes of each track by their type. Throws a RangeError if a track has two of a type. */
export function tracksOf(movie: DataView): { tracks: Map<string, Box>[]; texts: number[] } {
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
export function countRows(view: DataView, table: Box | undefined, bytes: number): number {
  if (table === undefined) return 0
  const rows = view.getUint32(table.start + 4)
  if (table.start + 8 + rows * bytes > table.end) throw new RangeError('A table ends after its box.')
  return rows
}

/** Where the rows of a table begin. Throws a RangeError if they end after its box. */
export function rowsOf(view: DataView, table: Box | undefined, bytes: number): number[] {
  const start = (table?.start ?? 0) + 8
  return Array.from({ length: countRows(view, table, bytes) }, (_, row) => start + row * bytes)
}

/** How many samples a table of sizes describes. Throws a RangeError if their sizes end after its box. */
export function countSizes(view: DataView, sizes: Box | undefined): number {
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
export function samplesOf(view: DataView, track: ReadonlyMap<string, Box>): number {
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
