import { boxes, bytesIn, type Dimensions, fourCC } from './media-formats'

/** Items of AVIF and HEIC files: ISO/IEC 23008-12 (HEIF) and 14496-12 (boxes). */

/** Offsets in a file. */
export interface Range {
  start: number
  end: number
}

/** The content of the box of this type; null if there is none. Throws a RangeError if there are more. */
export function onlyBox(view: DataView, { start, end }: Range, type: string): Range | null {
  const [box = null, second] = boxes(view, start, end, type)
  if (second !== undefined) throw new RangeError('A box is repeated')
  return box
}

/** The type of each item; null if there are more than `most`, or two have the same id. */
export function readItemTypes(view: DataView, meta: Range, most: number): Map<number, string> | null {
  const types = new Map<number, string>()
  const list = onlyBox(view, meta, 'iinf')
  if (list === null) return types
  const start = list.start + (view.getUint8(list.start) === 0 ? 6 : 8)
  for (const { start: at } of boxes(view, start, list.end, 'infe')) {
    const isShort = view.getUint8(at) < 3
    const item = isShort ? view.getUint16(at + 4) : view.getUint32(at + 4)
    if (types.has(item) || types.size === most) return null
    types.set(item, fourCC(view, at + (isShort ? 8 : 10)))
  }
  return types
}

/** Where the data of each item is, in the file. Throws a RangeError outside of it, and for more than `most` items or extents. */
export function* readLocations(
  view: DataView,
  meta: Range,
  most: number,
): Generator<[item: number, extents: Range[]]> {
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
  /** By their method. Sought once: there may be hundreds of thousands of boxes beside it. */
  const places = [{ start: 0, end: view.byteLength }, onlyBox(view, meta, 'idat')]
  const items = read(idBytes)
  if (items > most) throw new RangeError('There are places of more items')
  for (let item = 0; item < items; item += 1) {
    const id = read(idBytes)
    const method = version === 0 ? 0 : read(2) & 0xf
    // Which file the data is in: this one.
    read(2)
    const base = read((sizes >> 4) & 0xf)
    const count = read(2)
    const within = places[method]
    if (!within || count > most) throw new RangeError('An item is in no known place')
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

/** The data of an item. Throws a RangeError for more than the file: thousands of extents that overlap would take all memory. */
export function joinExtents(view: DataView, extents: readonly Range[]): Uint8Array {
  const parts = extents.map((extent) => bytesIn(view, extent))
  const [first, ...others] = parts
  if (first !== undefined && others.length === 0) return first
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (length > view.byteLength) throw new RangeError('The extents of an item overlap')
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/**
 * The size of the image that viewers show, before it is turned: other items, such as tiles, a gain map or a thumbnail, may be larger.
 * Null if the file does not say. Throws a RangeError if the file ends inside its boxes.
 */
export function readPrimarySize(view: DataView): Dimensions | null {
  const meta = onlyBox(view, { start: 0, end: view.byteLength }, 'meta')
  // Like the boxes below, it begins with a version and flags.
  const inside = meta && { start: meta.start + 4, end: meta.end }
  const primary = inside && onlyBox(view, inside, 'pitm')
  const properties = inside && onlyBox(view, inside, 'iprp')
  const list = properties && onlyBox(view, properties, 'ipco')
  if (!primary || !properties || !list) return null
  const item =
    view.getUint8(primary.start) === 0 ? view.getUint16(primary.start + 4) : view.getUint32(primary.start + 4)
  const known = [...boxes(view, list.start, list.end)]
  const sizes = new Set(Array.from(boxes(view, list.start, list.end, 'ispe'), ({ start }) => start))
  for (const index of associatedProperties(view, properties, item)) {
    const start = known[index - 1]?.start
    if (start !== undefined && sizes.has(start))
      return { width: view.getUint32(start + 4), height: view.getUint32(start + 8) }
  }
  return null
}

/** The numbers of the properties of an item, from 1. */
function* associatedProperties(view: DataView, properties: Range, item: number): Generator<number> {
  for (const { start, end } of boxes(view, properties.start, properties.end, 'ipma')) {
    const [idBytes, isLong] = [view.getUint8(start) === 0 ? 2 : 4, (view.getUint8(start + 3) & 1) === 1]
    let at = start + 8
    for (let left = view.getUint32(start + 4); left > 0 && at < end; left -= 1) {
      const id = idBytes === 2 ? view.getUint16(at) : view.getUint32(at)
      const count = view.getUint8(at + idBytes)
      at += idBytes + 1
      for (let index = 0; index < count && at < end; index += 1, at += isLong ? 2 : 1)
        // The first bit says whether a reader must know the property.
        if (id === item) yield isLong ? view.getUint16(at) & 0x7fff : view.getUint8(at) & 0x7f
    }
  }
}
