import { type Box, boxesAt } from './mp4-boxes'

/** An hour at 240 frames per second has fewer, as have thirty hours of AAC. Readers make an object for each sample of a track. */
const SAMPLES_MAX = 2_000_000

/** The rows of a table that has their number and then the rows, each of some bytes. Throws a RangeError if they end after its box. */
function rowsOf(view: DataView, table: Box | undefined, bytes: number): number[] {
  if (table === undefined) return []
  const rows = view.getUint32(table.start + 4)
  if (table.start + 8 + rows * bytes > table.end) throw new RangeError('A table ends after its box.')
  return Array.from({ length: rows }, (_, row) => table.start + 8 + row * bytes)
}

/** How many samples the sizes of a track describe, and whether one size is that of all, as of PCM. */
function sizesOf(view: DataView, samples: Box): { count: number; isUniform: boolean } {
  const [sizes] = boxesAt(view, ['stsz'], samples)
  if (sizes !== undefined) {
    const isUniform = view.getUint32(sizes.start + 4) > 0
    const count = view.getUint32(sizes.start + 8)
    if (!isUniform && sizes.start + 12 + count * 4 > sizes.end)
      throw new RangeError('Sizes end after their box.')
    return { count, isUniform }
  }
  const [compact] = boxesAt(view, ['stz2'], samples)
  if (compact === undefined) return { count: 0, isUniform: false }
  const count = view.getUint32(compact.start + 8)
  const bits = view.getUint8(compact.start + 7)
  if (compact.start + 12 + (count * bits) / 8 > compact.end)
    throw new RangeError('Sizes end after their box.')
  return { count, isUniform: false }
}

/** How many samples the chunks of a track have: the last row counts for all chunks that follow. */
function samplesInChunks(view: DataView, samples: Box): number {
  const chunks =
    rowsOf(view, boxesAt(view, ['stco'], samples)[0], 4).length +
    rowsOf(view, boxesAt(view, ['co64'], samples)[0], 8).length
  const rows = rowsOf(view, boxesAt(view, ['stsc'], samples)[0], 12)
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
  for (const track of boxesAt(movie, ['moov', 'trak'])) {
    const [samples] = boxesAt(movie, ['mdia', 'minf', 'stbl'], track)
    if (samples === undefined) continue
    rowsOf(movie, boxesAt(movie, ['stss'], samples)[0], 4)
    const durations = rowsOf(movie, boxesAt(movie, ['stts'], samples)[0], 8)
    const shifts = rowsOf(movie, boxesAt(movie, ['ctts'], samples)[0], 8)
    const sum = (rows: number[]) => rows.reduce((count, at) => count + movie.getUint32(at), 0)
    const { count, isUniform } = sizesOf(movie, samples)
    const most = Math.max(count, sum(durations), sum(shifts), samplesInChunks(movie, samples))
    if (most > (isUniform ? fileBytes : Math.min(fileBytes, SAMPLES_MAX)))
      throw new RangeError('A track has more samples than its file.')
  }
}

const EACH_SAMPLE_HAS = [0x100, 0x200, 0x400, 0x800]

/** The same for a fragment of a movie (ISO/IEC 14496-12, 8.8.8). Throws a RangeError. */
export function checkFragment(fragment: DataView, fileBytes: number): void {
  for (const track of boxesAt(fragment, ['moof', 'traf']))
    for (const run of boxesAt(fragment, ['trun'], track)) {
      const flags = fragment.getUint32(run.start) & 0xffffff
      const count = fragment.getUint32(run.start + 4)
      const bytes = EACH_SAMPLE_HAS.filter((flag) => flags & flag).length * 4
      if (run.start + 8 + count * bytes > run.end || count > Math.min(fileBytes, SAMPLES_MAX))
        throw new RangeError('A fragment has more samples than its file.')
    }
}
