import { readAv1 } from '#/shared/av1-size'
import { joinExtents, onlyBox, type Range, readItemTypes, readLocations } from '#/shared/heif-items'
import { boxes, type DecodedSize, type Dimensions, viewOf } from '#/shared/media-formats'

/** One of 120 megapixels has 460 tiles of 512 pixels. */
const ITEMS_MOST = 2_000
/** Where an image that is composed of others says its size: after its form, and the rows of a grid or the background of an overlay. */
const CANVASES: Readonly<Record<string, number>> = { grid: 4, iovl: 10 }
/** Of a canvas: at least what is drawn from it. */
const CANVAS_BYTES = 4
/** How often the bytes of a file are read at most: a sequence and its still picture may overlap. */
const READS_MOST = 4

/** The images of a file at the sizes that they say themselves. */
export interface ItemSizes {
  /** Canvases of tiles, and coded images. */
  sizes: Dimensions[]
  /** Of all coded images, or of all canvases if that is more. */
  pixels: number
  /** Of all coded images and canvases. */
  bytes: number
}

/**
 * What a decoder may have to hold of an AVIF or HEIC file, whatever its properties say: it notices that they are wrong after it has
 * decoded or composed an image. Of coded images only those of AV1, and the first of each track. Null for too many items. Throws a
 * RangeError for a damaged file.
 */
export function readItemSizes(file: Uint8Array): ItemSizes | null {
  const view = viewOf(file)
  // Decoders take the first.
  const [meta] = boxes(view, 0, view.byteLength, 'meta')
  if (meta === undefined) return { sizes: [], pixels: 0, bytes: 0 }
  // It begins with a version and flags.
  const inside = { start: meta.start + 4, end: meta.end }
  const types = readItemTypes(view, inside, ITEMS_MOST)
  if (types === null) return null
  const canvases: Dimensions[] = []
  const coded: DecodedSize[] = []
  const codedAt = av1Reader(view)
  for (const [item, extents] of readLocations(view, inside, ITEMS_MOST)) {
    const type = types.get(item) ?? ''
    const sizeAt = CANVASES[type]
    if (sizeAt !== undefined) canvases.push(readCanvas(joinExtents(view, extents), sizeAt))
    if (type === 'av01') coded.push(...codedAt(extents))
  }
  for (const sample of firstSamples(view)) coded.push(...codedAt([sample]))
  const canvasBytes = coded.reduce((most, { bytesPerPixel }) => Math.max(most, bytesPerPixel), CANVAS_BYTES)
  const canvasPixels = canvases.reduce(addPixels, 0)
  return {
    sizes: [...canvases, ...coded],
    pixels: Math.max(canvasPixels, coded.reduce(addPixels, 0)),
    bytes: coded.reduce(
      (sum, { width, height, bytesPerPixel }) => sum + width * height * bytesPerPixel,
      canvasPixels * canvasBytes,
    ),
  }
}

function addPixels(sum: number, { width, height }: Dimensions): number {
  return sum + width * height
}

/** Sides of 16 bits, or of 32. */
function readCanvas(item: Uint8Array, at: number): Dimensions {
  const view = viewOf(item)
  return (view.getUint8(1) & 1) === 0
    ? { width: view.getUint16(at), height: view.getUint16(at + 2) }
    : { width: view.getUint32(at), height: view.getUint32(at + 4) }
}

/** Where the first picture of each track of AV1 is: decoders begin a sequence with it. */
function* firstSamples(view: DataView): Generator<Range> {
  const movie = onlyBox(view, { start: 0, end: view.byteLength }, 'moov')
  if (movie === null) return
  for (const track of boxes(view, movie.start, movie.end, 'trak')) {
    let table: Range | null = track
    for (const type of ['mdia', 'minf', 'stbl']) table = table && onlyBox(view, table, type)
    const [kinds, sizes, short, long] = ['stsd', 'stsz', 'stco', 'co64'].map(
      (type) => table && onlyBox(view, table, type),
    )
    const chunks = short ?? long
    if (!kinds || !sizes || !chunks) continue
    if (short && long) throw new RangeError('A track has two tables of chunks')
    if (boxes(view, kinds.start + 8, kinds.end, 'av01').next().done) continue
    const start = short ? view.getUint32(chunks.start + 8) : Number(view.getBigUint64(chunks.start + 8))
    // The size of all samples, or that of the first.
    const end = start + (view.getUint32(sizes.start + 4) || view.getUint32(sizes.start + 12))
    if (end > view.byteLength) throw new RangeError('A sample ends after the file')
    yield { start, end }
  }
}

/**
 * Reads each coded image once: tiles that are alike may be in the same place. Returns none for one without a size. Throws a RangeError if many
 * others overlap.
 */
function av1Reader(view: DataView): (extents: readonly Range[]) => DecodedSize[] {
  const known = new Map<string, DecodedSize[]>()
  let read = 0
  return (extents) => {
    const place = extents.map(({ start, end }) => `${start}-${end}`).join()
    let sizes = known.get(place)
    if (sizes === undefined) {
      read += extents.reduce((sum, { start, end }) => sum + end - start, 0)
      if (read > READS_MOST * view.byteLength) throw new RangeError('Items overlap')
      const size = readAv1(joinExtents(view, extents))
      sizes = size === null ? [] : [size]
      known.set(place, sizes)
    }
    return sizes
  }
}
