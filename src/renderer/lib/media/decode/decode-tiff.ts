import { fromBlob, type GeoTIFFImage } from 'geotiff'
import { checkPart, checkPixels, REDUCED_PIXELS } from '#/renderer/lib/media/source/check-source'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import { type Dimensions, viewOf } from '#/shared/media-formats'
import { divideByAlpha, type TaggedPixels } from './tagged-pixels'
import { boundDecoders } from './tiff-decoders'

/** Pixels of the rows that are decoded at once: a strip or a row of tiles may have more. */
const BAND_PIXELS = 4_000_000

/** Strips and tiles of one image: 120 megapixels in tiles of 64 x 64 are 30,000, and strips of a row at most 65,535 for each of three colours. */
const BLOCKS_MOST = 200_000

/**
 * Decodes the first image of a TIFF in bands of rows, at half its size above REDUCED_PIXELS. Not turned: see `orientationOf`. Throws
 * MediaError 'unsupported' for kinds of TIFF that are no photos (fax, Lab, LERC, WebP, more than 8 bits of CMYK).
 */
export async function decodeTiff(source: Blob): Promise<{ pixels: TaggedPixels; size: Dimensions }> {
  await boundDecoders()
  const image = await open(source)
  const size = { width: image.getWidth(), height: image.getHeight() }
  if (size.width < 1 || size.height < 1) throw new MediaError('broken')
  checkPixels(size)
  const blocks = await checkBlocks(image, size)
  if (image.fileDirectory.getValue('Compression') === JPEG) await checkJpegs(image, source, blocks)
  const factor = size.width * size.height > REDUCED_PIXELS ? 2 : 1
  const width = Math.floor(size.width / factor)
  const height = Math.floor(size.height / factor)
  const data = new Uint8ClampedArray(width * height * 4)
  const rows = bandRows(image, size.width, factor)
  for (let top = 0; top < height * factor; top += rows) {
    const bottom = Math.min(top + rows, height * factor)
    const band = await readBand(image, [0, top, width * factor, bottom])
    if (factor === 1) data.set(band, top * width * 4)
    else data.set(halved(band, width), (top / factor) * width * 4)
  }
  const icc = (await image.fileDirectory.loadValue(ICC_PROFILE)) as Uint8Array | undefined
  return { pixels: { data, width, height, profile: icc !== undefined && isRgb(icc) ? { icc } : null }, size }
}

const ICC_PROFILE = 34_675

/** ICC.1, 7.2: the colours of the data are in bytes 16 to 19. Those of CMYK and of grey do not fit decoded pixels. */
function isRgb(icc: Uint8Array): boolean {
  return String.fromCharCode(...icc.subarray(16, 20)) === 'RGB '
}

async function open(source: Blob): Promise<GeoTIFFImage> {
  try {
    return await (await fromBlob(source)).getImage()
  } catch (cause) {
    throw new MediaError('broken', { cause })
  }
}

/**
 * Throws MediaError 'too-much-memory' for a large strip or tile, and 'broken' unless each has its place in the file: geotiff begins with all
 * of a band at once, and a few bytes can declare a tile for each pixel. Resolves with their number.
 */
async function checkBlocks(image: GeoTIFFImage, { width, height }: Dimensions): Promise<number> {
  if (NO_PHOTOS.has(image.fileDirectory.getValue('Compression') ?? 0)) throw new MediaError('unsupported')
  const planes = image.planarConfiguration === 2 ? image.getSamplesPerPixel() : 1
  const blocks = Math.ceil(width / image.getTileWidth()) * Math.ceil(height / image.getTileHeight()) * planes
  if (!(blocks <= BLOCKS_MOST)) throw new MediaError('broken')
  // geotiff decodes all tiles beside each other at once.
  const row = Math.ceil(width / image.getTileWidth()) * image.getTileWidth()
  checkPart(row * image.getTileHeight() * image.getBytesPerPixel())
  const tag = image.isTiled ? 'TileOffsets' : 'StripOffsets'
  const offsets = await image.fileDirectory.loadValue(tag).catch(() => undefined)
  if (offsets === undefined || offsets.length < blocks) throw new MediaError('broken')
  return blocks
}

/** What geotiff's decoder of JPEG takes for a sample: each block of 64 is an object. */
const JPEG_SAMPLE_BYTES = 10
/** Samples of a pixel in a JPEG, and the sides of its blocks, to whose multiples a tile may be filled up. */
const [JPEG_SAMPLES, JPEG_BLOCK] = [4, 16]

/**
 * Throws MediaError unless each strip or tile is a JPEG of about its size: geotiff makes all blocks of what a header declares, and with a
 * side of 65,535 pixels, which 154 bytes can declare, that ends the page.
 */
async function checkJpegs(image: GeoTIFFImage, source: Blob, blocks: number): Promise<void> {
  const [width, height] = [image.getTileWidth(), image.getTileHeight()]
  checkPart(width * height * image.getSamplesPerPixel() * JPEG_SAMPLE_BYTES)
  const most = (width + JPEG_BLOCK) * (height + JPEG_BLOCK) * JPEG_SAMPLES
  const load = async (tag: 'TileOffsets' | 'TileByteCounts' | 'StripOffsets' | 'StripByteCounts') =>
    Array.from((await image.fileDirectory.loadValue(tag)) ?? [], Number)
  const offsets = await load(image.isTiled ? 'TileOffsets' : 'StripOffsets')
  const lengths = await load(image.isTiled ? 'TileByteCounts' : 'StripByteCounts')
  // Each is read again by the decoder: many at the same place would be read without end.
  const total = lengths.slice(0, blocks).reduce((sum, length) => sum + length, 0)
  if (!(total <= source.size)) throw new MediaError('broken')
  const file = new Uint8Array(await source.arrayBuffer())
  const parts = offsets.slice(0, blocks).map((at, block) => file.subarray(at, at + (lengths[block] ?? 0)))
  const tables = await image.fileDirectory.loadValue('JPEGTables')
  if (tables !== undefined) parts.push(Uint8Array.from(tables as ArrayLike<number>))
  if (parts.some((part) => declaredSamples(part) > most)) throw new MediaError('broken')
}

/** The samples of all frames that a JPEG may declare: where a frame could begin, because geotiff does not look for the next one as others do. */
function declaredSamples(jpeg: Uint8Array): number {
  const view = viewOf(jpeg)
  let samples = 0
  for (let at = jpeg.indexOf(0xff); at !== -1 && at + 10 <= jpeg.length; at = jpeg.indexOf(0xff, at + 1)) {
    const marker = view.getUint8(at + 1)
    if (marker >= 0xc0 && marker <= 0xc2)
      samples += view.getUint16(at + 5) * view.getUint16(at + 7) * view.getUint8(at + 9)
  }
  return samples
}

/** A multiple of the rows that are stored together, so that none is decoded twice, and of the factor. */
function bandRows(image: GeoTIFFImage, width: number, factor: number): number {
  const stored = Math.max(1, image.getTileHeight()) * factor
  return stored * Math.max(1, Math.floor(BAND_PIXELS / (width * stored)))
}

/** Samples of a band, and what makes them bytes. */
interface Band {
  samples: ArrayLike<number>
  /** What makes 255 of the largest sample. */
  scale: number
  /** The smallest sample is white. */
  isNegative: boolean
}

/** Reads rows as RGBA. */
async function readBand(
  image: GeoTIFFImage,
  window: [left: number, top: number, right: number, bottom: number],
): Promise<Uint8ClampedArray> {
  const { samples, scale, isNegative } = await readSamples(image, window)
  const count = (window[2] - window[0]) * (window[3] - window[1])
  const each = samples.length / count
  if (each !== 1 && each !== 3 && each !== 4) throw new MediaError('unsupported')
  const byte = (at: number) =>
    isNegative ? 255 - (samples[at] as number) * scale : (samples[at] as number) * scale
  const [green, blue] = each === 1 ? [0, 0] : [1, 2]
  const rgba = new Uint8ClampedArray(count * 4)
  for (let pixel = 0; pixel < count; pixel += 1) {
    const from = pixel * each
    const into = pixel * 4
    rgba[into] = byte(from)
    rgba[into + 1] = byte(from + green)
    rgba[into + 2] = byte(from + blue)
    rgba[into + 3] = each === 4 ? byte(from + 3) : 255
  }
  if (each === 4 && image.fileDirectory.getValue('ExtraSamples')?.[0] === PREMULTIPLIED) divideByAlpha(rgba)
  return rgba
}

/** TIFF 6.0, values of PhotometricInterpretation, FillOrder, Compression, ExtraSamples and SampleFormat. */
const [WHITE_IS_ZERO, BLACK_IS_ZERO, RGB, CMYK, LAB] = [0, 1, 2, 5, 8]
const [REVERSED_BITS, JPEG, LERC, WEBP] = [2, 7, 34_887, 50_001]
/** Their decoders believe any size that the data declares. */
const NO_PHOTOS: ReadonlySet<number> = new Set([LERC, WEBP])
const PREMULTIPLIED = 1
const [SIGNED, FRACTIONS] = [2, 3]

/** Throws MediaError 'unsupported' for what geotiff would read as other colours. */
async function readSamples(
  image: GeoTIFFImage,
  window: [left: number, top: number, right: number, bottom: number],
): Promise<Band> {
  const { fileDirectory } = image
  const photometric = fileDirectory.getValue('PhotometricInterpretation')
  const bits = image.getBitsPerSample()
  const isReversed =
    (await fileDirectory.loadValue('FillOrder')) === REVERSED_BITS &&
    fileDirectory.getValue('Compression') !== JPEG
  const isUnread = photometric === LAB || (photometric === CMYK && bits !== 8)
  if (isReversed || isUnread || image.getSampleFormat() === SIGNED) throw new MediaError('unsupported')
  const isGrey = photometric === WHITE_IS_ZERO || photometric === BLACK_IS_ZERO
  try {
    // geotiff's own conversion of grey makes white black: its 256 is no byte.
    const samples = isGrey
      ? ((await image.readRasters({ window, interleave: true, samples: [0] })) as ArrayLike<number>)
      : await image.readRGB({ window, interleave: true, enableAlpha: true })
    // geotiff makes bytes of the others.
    const isOriginal = isGrey || photometric === RGB
    const largest = image.getSampleFormat() === FRACTIONS ? 1 : isOriginal ? 2 ** bits - 1 : 255
    return { samples, scale: 255 / largest, isNegative: photometric === WHITE_IS_ZERO }
  } catch (cause) {
    // geotiff has no error classes; it names what it does not know.
    const isUnknown =
      cause instanceof Error && /\b(unknown|unsupported|not supported|expected)\b/i.test(cause.message)
    throw new MediaError(isUnknown ? 'unsupported' : 'broken', { cause })
  }
}

/** Each pixel the mean of four. */
function halved(band: Uint8ClampedArray, width: number): Uint8ClampedArray {
  const half = new Uint8ClampedArray(band.length / 4)
  const row = width * 2 * 4
  for (let into = 0; into < half.length; into += 1) {
    const pixel = into >> 2
    const from = Math.floor(pixel / width) * 2 * row + (pixel % width) * 8 + (into & 3)
    half[into] =
      ((band[from] as number) +
        (band[from + 4] as number) +
        (band[from + row] as number) +
        (band[from + row + 4] as number)) /
      4
  }
  return half
}
