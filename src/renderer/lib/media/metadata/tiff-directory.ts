import { viewOf } from '#/shared/media-formats'

/**
 * The values of a directory by tag: numbers, or the bytes of a text or of undefined data. TIFF 6.0 and BigTIFF; EXIF and most RAW files
 * have the same form.
 */
export type Directory = ReadonlyMap<number, readonly number[] | Uint8Array>

export interface TiffBlock {
  view: DataView
  isLittle: boolean
  isBig: boolean
  /** Offset of the first directory. */
  first: number
}

/** Entries of a directory, and values of an entry, that are read: files of cameras have fewer than a hundred of both. */
const MOST = 512
/** Bytes of a text or of undefined data that are read. */
const MOST_BYTES = 64 * 1024 * 1024
/** Directories of one file that are read. */
const MOST_DIRECTORIES = 64

/** Opens a block that begins with the header of TIFF; null if there is none, or no directory. */
export function openTiff(bytes: Uint8Array): TiffBlock | null {
  if (bytes.length < 16) return null
  const view = viewOf(bytes)
  const order = view.getUint16(0)
  if (order !== 0x4949 && order !== 0x4d4d) return null
  const isLittle = order === 0x4949
  const isBig = view.getUint16(2, isLittle) === 43
  const first = isBig ? Number(view.getBigUint64(8, isLittle)) : view.getUint32(4, isLittle)
  return { view, isLittle, isBig, first }
}

type ReadNumber = (view: DataView, at: number, isLittle: boolean) => number

const ratio = (numerator: number, denominator: number) =>
  denominator === 0 ? Number.NaN : numerator / denominator

/** Size of a value in bytes by type; how to read it, unless it is a byte of a text or of undefined data. */
const TYPES: Readonly<Record<number, readonly [size: number, read: ReadNumber | null]>> = {
  1: [1, (view, at) => view.getUint8(at)],
  2: [1, null],
  3: [2, (view, at, isLittle) => view.getUint16(at, isLittle)],
  4: [4, (view, at, isLittle) => view.getUint32(at, isLittle)],
  5: [8, (view, at, isLittle) => ratio(view.getUint32(at, isLittle), view.getUint32(at + 4, isLittle))],
  6: [1, (view, at) => view.getInt8(at)],
  7: [1, null],
  8: [2, (view, at, isLittle) => view.getInt16(at, isLittle)],
  9: [4, (view, at, isLittle) => view.getInt32(at, isLittle)],
  10: [8, (view, at, isLittle) => ratio(view.getInt32(at, isLittle), view.getInt32(at + 4, isLittle))],
  11: [4, (view, at, isLittle) => view.getFloat32(at, isLittle)],
  12: [8, (view, at, isLittle) => view.getFloat64(at, isLittle)],
  13: [4, (view, at, isLittle) => view.getUint32(at, isLittle)],
  16: [8, (view, at, isLittle) => Number(view.getBigUint64(at, isLittle))],
  18: [8, (view, at, isLittle) => Number(view.getBigUint64(at, isLittle))],
}

/** Reads a directory and the offset of the next one, 0 without one. Values outside of the block are left out. */
export function readDirectory(block: TiffBlock, at: number): { directory: Directory; next: number } {
  const { view, isLittle, isBig } = block
  const [countBytes, entryBytes, inline] = isBig ? [8, 20, 8] : [2, 12, 4]
  const directory = new Map<number, readonly number[] | Uint8Array>()
  if (at < 8 || at + countBytes > view.byteLength) return { directory, next: 0 }
  const readCount = (offset: number) =>
    isBig ? Number(view.getBigUint64(offset, isLittle)) : view.getUint32(offset, isLittle)
  const entries = isBig ? readCount(at) : view.getUint16(at, isLittle)
  for (let index = 0; index < Math.min(entries, MOST); index += 1) {
    const entry = at + countBytes + index * entryBytes
    if (entry + entryBytes > view.byteLength) break
    const [size, read] = TYPES[view.getUint16(entry + 2, isLittle)] ?? [0, null]
    const count = readCount(entry + 4)
    if (size === 0 || count === 0) continue
    const value = entry + entryBytes - inline
    const start = size * count <= inline ? value : readCount(value)
    const kept = Math.min(count, read === null ? MOST_BYTES : MOST)
    if (start + size * kept > view.byteLength) continue
    directory.set(
      view.getUint16(entry, isLittle),
      read === null
        ? new Uint8Array(view.buffer, view.byteOffset + start, kept)
        : Array.from({ length: kept }, (_, position) => read(view, start + position * size, isLittle)),
    )
  }
  const end = at + countBytes + entries * entryBytes
  return { directory, next: end + inline <= view.byteLength ? readCount(end) : 0 }
}

/** The first number of a tag, whatever its type and count; undefined without one. */
export function numberOf(directory: Directory, tag: number): number | undefined {
  return directory.get(tag)?.[0]
}

const SUB_DIRECTORIES = 0x14a

/** All directories: those of the chain, each followed by those it contains. Each is read once. */
export function* allDirectories(block: TiffBlock): Generator<Directory> {
  const waiting = [block.first]
  const seen = new Set<number>()
  for (let at = waiting.shift(); at !== undefined && seen.size < MOST_DIRECTORIES; at = waiting.shift()) {
    if (at === 0 || seen.has(at)) continue
    seen.add(at)
    const { directory, next } = readDirectory(block, at)
    yield directory
    waiting.unshift(...(directory.get(SUB_DIRECTORIES) ?? []), next)
  }
}
