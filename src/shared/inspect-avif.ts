import { readAv1 } from './av1-size'
import { boxes, fourCC, SNIFF_BYTES } from './media-formats'
import type { Inspector } from './picture-content'

/** A picture, its alpha plane, its gain map, and the tiles of each. */
const ITEMS_MAX = 100
/** Decoded pixels of all items for each pixel of the picture: as above, and a thumbnail. */
const DECODED_MAX = 4
/** Frames of one item: it may have four layers. */
const FRAMES_MAX = 4
/** Images that only describe how to compose others, which this reader does not follow. */
const COMPOSED = new Set(['iovl', 'iden'])

interface Range {
  start: number
  end: number
}

/** AV1 Image File Format 1.2, ISO/IEC 23008-12 (HEIF) and 14496-12 (boxes). */
export const inspectAvif: Inspector = (view, size) => {
  const file = { start: 0, end: view.byteLength }
  const brands = onlyBox(view, file, 'ftyp')
  const meta = onlyBox(view, file, 'meta')
  if (brands === null || brands.end > SNIFF_BYTES || meta === null) return 'damaged'
  if (hasBox(view, file, 'moov') || hasSequenceBrand(view, brands)) return 'animated'
  // 'meta' begins with a version and flags.
  const inside = { start: meta.start + 4, end: meta.end }
  const types = readTypes(view, inside)
  if (types === null || countTiles(view, inside) > ITEMS_MAX) return 'expensive'
  if ([...types.values()].some((type) => COMPOSED.has(type))) return 'damaged'

  let decoded = 0
  let read = 0
  for (const [item, extents] of readLocations(view, inside)) {
    if (types.get(item) !== 'av01') continue
    types.delete(item)
    // Extents may overlap, and each item is read once.
    read += extents.reduce((sum, { start, end }) => sum + end - start, 0)
    if (read > view.byteLength) return 'expensive'
    const coded = readAv1(joined(view, extents))
    if (coded === null || coded.width > size.width || coded.height > size.height) return 'damaged'
    if (coded.frames > FRAMES_MAX) return 'expensive'
    decoded += coded.width * coded.height
  }
  if (decoded > DECODED_MAX * size.width * size.height) return 'expensive'
  // Each coded image has been found, and there is one.
  return decoded === 0 || [...types.values()].includes('av01') ? 'damaged' : null
}

function hasBox(view: DataView, { start, end }: Range, type: string): boolean {
  return boxes(view, start, end, type).next().done === false
}

/** The content of the box of this type; null if there is none. Throws a RangeError if there are more. */
function onlyBox(view: DataView, { start, end }: Range, type: string): Range | null {
  const [box = null, second] = boxes(view, start, end, type)
  if (second !== undefined) throw new RangeError('A box is repeated')
  return box
}

/** Whether the file says that it may be a sequence of images. */
function hasSequenceBrand(view: DataView, { start, end }: Range): boolean {
  for (let at = start; at + 4 <= end; at += 4) if (fourCC(view, at) === 'avis') return true
  return false
}

/** The type of each item; null if there are too many, or two have the same id. */
function readTypes(view: DataView, meta: Range): Map<number, string> | null {
  const types = new Map<number, string>()
  const list = onlyBox(view, meta, 'iinf')
  if (list === null) return types
  const start = list.start + (view.getUint8(list.start) === 0 ? 6 : 8)
  for (const { start: at } of boxes(view, start, list.end, 'infe')) {
    const isShort = view.getUint8(at) < 3
    const item = isShort ? view.getUint16(at + 4) : view.getUint32(at + 4)
    if (types.has(item) || types.size === ITEMS_MAX) return null
    types.set(item, fourCC(view, at + (isShort ? 8 : 10)))
  }
  return types
}

/** How many images the grids refer to: decoders require one for each cell. */
function countTiles(view: DataView, meta: Range): number {
  let tiles = 0
  const list = onlyBox(view, meta, 'iref')
  if (list === null) return tiles
  const idBytes = view.getUint8(list.start) === 0 ? 2 : 4
  for (const { start: at } of boxes(view, list.start + 4, list.end, 'dimg'))
    tiles += view.getUint16(at + idBytes)
  return tiles
}

/** Where the data of each item is, in the file. Throws a RangeError outside of it. */
function* readLocations(view: DataView, meta: Range): Generator<[item: number, extents: Range[]]> {
  const list = onlyBox(view, meta, 'iloc')
  if (list === null) return
  const version = view.getUint8(list.start)
  const sizes = view.getUint16(list.start + 4)
  let at = list.start + 6
  const read = (bytes: number): number => {
    at += bytes
    if (bytes === 8) return Number(view.getBigUint64(at - 8))
    return bytes === 4 ? view.getUint32(at - 4) : bytes === 2 ? view.getUint16(at - 2) : 0
  }
  const idBytes = version < 2 ? 2 : 4
  const items = read(idBytes)
  if (items > ITEMS_MAX) throw new RangeError('There are places of more items')
  for (let item = 0; item < items; item += 1) {
    const id = read(idBytes)
    const method = version === 0 ? 0 : read(2) & 0xf
    // Which file the data is in: this one.
    read(2)
    const base = read((sizes >> 4) & 0xf)
    const count = read(2)
    const within =
      method === 0 ? { start: 0, end: view.byteLength } : method === 1 ? onlyBox(view, meta, 'idat') : null
    if (within === null || count > ITEMS_MAX) throw new RangeError('An item is in no known place')
    const extents: Range[] = []
    for (let extent = 0; extent < count; extent += 1) {
      if (version > 0) read(sizes & 0xf)
      const start = within.start + base + read(sizes >> 12)
      const length = read((sizes >> 8) & 0xf)
      const end = length === 0 ? within.end : start + length
      if (start > end || end > within.end) throw new RangeError('An item ends after the file')
      extents.push({ start, end })
    }
    yield [id, extents]
  }
}

function joined(view: DataView, extents: readonly Range[]): Uint8Array {
  const parts = extents.map(
    ({ start, end }) => new Uint8Array(view.buffer, view.byteOffset + start, end - start),
  )
  const [first, ...others] = parts
  if (first !== undefined && others.length === 0) return first
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
