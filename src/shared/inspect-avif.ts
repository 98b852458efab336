import { readAv1 } from './av1-size'
import { joinExtents, onlyBox, type Range, readItemTypes, readLocations } from './heif-items'
import { boxes, fourCC, SNIFF_BYTES } from './media-formats'
import type { Inspector } from './picture-fault'

/** A picture, its alpha plane, its gain map, and the tiles of each. */
const ITEMS_MAX = 100
/** Decoded pixels of all items for each pixel of the picture: as above, and a thumbnail. */
const DECODED_MAX = 4
/** Frames of one item: it may have four layers. */
const FRAMES_MAX = 4
/** Images that only describe how to compose others, which this reader does not follow. */
const COMPOSED = new Set(['iovl', 'iden'])

/** AV1 Image File Format 1.2, ISO/IEC 23008-12 (HEIF) and 14496-12 (boxes). */
export const inspectAvif: Inspector = (view, size) => {
  const file = { start: 0, end: view.byteLength }
  const brands = onlyBox(view, file, 'ftyp')
  const meta = onlyBox(view, file, 'meta')
  if (brands === null || brands.end > SNIFF_BYTES || meta === null) return 'damaged'
  if (hasBox(view, file, 'moov') || hasSequenceBrand(view, brands)) return 'animated'
  // 'meta' begins with a version and flags.
  const inside = { start: meta.start + 4, end: meta.end }
  const types = readItemTypes(view, inside, ITEMS_MAX)
  if (types === null || countTiles(view, inside) > ITEMS_MAX) return 'expensive'
  if ([...types.values()].some((type) => COMPOSED.has(type))) return 'damaged'

  let decoded = 0
  let read = 0
  for (const [item, extents] of readLocations(view, inside, ITEMS_MAX)) {
    if (types.get(item) !== 'av01') continue
    types.delete(item)
    // Extents may overlap, and each item is read once.
    read += extents.reduce((sum, { start, end }) => sum + end - start, 0)
    if (read > view.byteLength) return 'expensive'
    const coded = readAv1(joinExtents(view, extents))
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

/** Whether the file says that it may be a sequence of images. */
function hasSequenceBrand(view: DataView, { start, end }: Range): boolean {
  for (let at = start; at + 4 <= end; at += 4) if (fourCC(view, at) === 'avis') return true
  return false
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
