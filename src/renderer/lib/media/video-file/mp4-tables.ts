import { type Box, boxesIn } from './mp4-boxes'

/** Two hours at 240 frames per second have fewer, as have ten hours of AAC. Readers make an object for each sample of a track. */
const SAMPLES_MAX = 2_000_000

/** Boxes whose contents are boxes, for at least one reader. */
const CONTAINERS: ReadonlySet<string> = new Set([
  ...['moov', 'trak', 'mdia', 'minf', 'dinf', 'edts', 'stbl', 'sinf', 'schi', 'udta', 'meta', 'wave'],
  ...['mvex', 'moof', 'traf', 'mfra'],
])
/** Tables of a track; each has one at most. Readers join several, wherever they stand. */
const TABLES = ['stts', 'ctts', 'stsz', 'stz2', 'stsc', 'stco', 'co64', 'stss'] as const
type Table = (typeof TABLES)[number]
/** Boxes of which one in a track decides what its tables mean. */
const SINGLE: ReadonlySet<string> = new Set([
  ...TABLES,
  'tkhd',
  'mdhd',
  'elst',
  'mdia',
  'minf',
  'stbl',
  'stsd',
])

function* boxesBelow(view: DataView, start: number, end: number): Generator<Box> {
  for (const box of boxesIn(view, start, end)) {
    yield box
    if (!CONTAINERS.has(box.type)) continue
    // In MP4 four bytes stand before the boxes of meta, in QuickTime none.
    const starts = box.type === 'meta' ? [box.start, box.start + 4] : [box.start]
    for (const inner of starts) yield* boxesBelow(view, inner, box.end)
  }
}

/** Whether the name of a table stands in the description of samples, whose form depends on the codec. */
function hasHiddenTable(view: DataView, { start, end }: Box): boolean {
  for (let at = start; at + 4 <= end; at += 1) {
    const name = String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)))
    if (TABLES.some((table) => table === name)) return true
  }
  return false
}

/** The tables of a track by their type. Throws a RangeError if there are several of a type. */
function tablesOf(view: DataView, track: Box): Partial<Record<Table, Box>> {
  const tables: Partial<Record<Table, Box>> = {}
  const found = new Set<string>()
  for (const box of boxesBelow(view, track.start, track.end)) {
    if (SINGLE.has(box.type) && found.has(box.type))
      throw new RangeError(`A track has two boxes '${box.type}'.`)
    found.add(box.type)
    if (box.type === 'stsd' && hasHiddenTable(view, box)) throw new RangeError('A sample entry has a table.')
    const table = TABLES.find((type) => type === box.type)
    if (table !== undefined) tables[table] = box
  }
  return tables
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

/** How many samples a table of sizes describes, and whether one size is that of all, as of PCM. */
function sizesOf(view: DataView, { stsz, stz2 }: Partial<Record<Table, Box>>) {
  const sizes = stsz ?? stz2
  if (sizes === undefined) return { count: 0, isUniform: false }
  const count = view.getUint32(sizes.start + 8)
  const isUniform = sizes === stsz && view.getUint32(sizes.start + 4) > 0
  const bits = sizes === stsz ? 32 : view.getUint8(sizes.start + 7)
  if (!isUniform && sizes.start + 12 + (count * bits) / 8 > sizes.end)
    throw new RangeError('Sizes end after their box.')
  return { count, isUniform }
}

/** How many samples the chunks of a track have: the last row counts for all chunks that follow. */
function samplesInChunks(view: DataView, { stco, co64, stsc }: Partial<Record<Table, Box>>): number {
  const chunks = countRows(view, stco, 4) + countRows(view, co64, 8)
  const rows = rowsOf(view, stsc, 12)
  return rows.reduce((sum, at, row) => {
    const next = rows[row + 1]
    const end = next === undefined ? chunks + 1 : view.getUint32(next)
    return sum + Math.max(0, end - view.getUint32(at)) * view.getUint32(at + 4)
  }, 0)
}

/**
 * Checks that the tables of a movie describe no more samples than its file can have, because readers make objects for what a few bytes
 * declare. Throws a RangeError.
 *
 * @param fileBytes the size of the file: each sample has a byte
 */
export function checkSampleTables(movie: DataView, fileBytes: number): void {
  const [root, ...others] = boxesIn(movie, 0, movie.byteLength)
  if (root === undefined || others.length > 0) throw new RangeError('A movie is one box.')
  for (const track of boxesIn(movie, root.start, root.end)) {
    if (track.type === 'moov') throw new RangeError('A movie has a movie.')
    if (!CONTAINERS.has(track.type)) continue
    const tables = tablesOf(movie, track)
    countRows(movie, tables.stss, 4)
    const sum = (table: Box | undefined) =>
      rowsOf(movie, table, 8).reduce((count, at) => count + movie.getUint32(at), 0)
    const { count, isUniform } = sizesOf(movie, tables)
    const most = Math.max(count, sum(tables.stts), sum(tables.ctts), samplesInChunks(movie, tables))
    // Of samples of one size without shifts, as of PCM, readers make an object for each chunk.
    const isCounted = !isUniform || tables.ctts !== undefined
    if (most > (isCounted ? Math.min(fileBytes, SAMPLES_MAX) : fileBytes))
      throw new RangeError('A track has more samples than its file.')
  }
}

/** Bits of fields that each sample of a run has. */
const EACH_SAMPLE_HAS = [0x100, 0x200, 0x400, 0x800]

/**
 * Counts the samples of a fragment (ISO/IEC 14496-12, 8.8.8). Throws a RangeError if a run ends after its box.
 *
 * @param fragment a `moof` box with its header
 */
export function samplesInFragment(fragment: DataView): number {
  let samples = 0
  for (const run of boxesBelow(fragment, 0, fragment.byteLength)) {
    if (run.type !== 'trun') continue
    const flags = fragment.getUint32(run.start) & 0xffffff
    const count = fragment.getUint32(run.start + 4)
    const bytes = EACH_SAMPLE_HAS.filter((flag) => flags & flag).length * 4
    if (run.start + 8 + count * bytes > run.end) throw new RangeError('A run ends after its box.')
    samples += count
  }
  return samples
}

/** Throws a RangeError if a file declares more samples in its fragments than it can have. */
export function checkFragments(samples: number, fileBytes: number): void {
  if (samples > Math.min(fileBytes, SAMPLES_MAX))
    throw new RangeError('Fragments have more samples than their file.')
}
