import { readAv1 } from '#/shared/av1-size'
import { joinExtents, type Range, readItemTypes, readLocations } from '#/shared/heif-items'
import { boxes, type DecodedSize, type Dimensions, viewOf } from '#/shared/media-formats'

/** One of 120 megapixels has 460 tiles of 512 pixels. */
const ITEMS_MOST = 2_000
/** Where an image that is composed of others says its size: after its form, and the rows of a grid or the background of an overlay. */
const CANVASES: Readonly<Record<string, number>> = { grid: 4, iovl: 10 }
/** Of a canvas: at least what is drawn from it. */
const CANVAS_BYTES = 4

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
 * decoded or composed an image. Of coded images only those of AV1. Null for too many items. Throws a RangeError for a damaged file.
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
    if (type !== 'av01') continue
    const size = codedAt(extents)
    if (size !== null) coded.push(size)
  }
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

/** Reads each coded image once: tiles that are alike may be in the same place. Throws a RangeError if different ones overlap. */
function av1Reader(view: DataView): (extents: readonly Range[]) => DecodedSize | null {
  const known = new Map<string, DecodedSize | null>()
  let read = 0
  return (extents) => {
    const place = extents.map(({ start, end }) => `${start}-${end}`).join()
    let size = known.get(place)
    if (size === undefined) {
      read += extents.reduce((sum, { start, end }) => sum + end - start, 0)
      if (read > view.byteLength) throw new RangeError('Items overlap')
      size = readAv1(joinExtents(view, extents))
      known.set(place, size)
    }
    return size
  }
}
