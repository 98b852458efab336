import { deflateSync } from 'node:zlib'
import { joinExtents, readLocations } from '#/shared/heif-items'
import { boxes } from '#/shared/media-formats'
import { box, pngChunk, pngFile, type Size, webpChunk } from './picture-files'

/** Photos with an orientation in every place where cameras and programs write one. */

type Bytes = Uint8Array<ArrayBuffer>

const joined = (...parts: readonly (Uint8Array | string)[]): Bytes =>
  new Uint8Array(
    Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
    ),
  )

/** Types of TIFF 6.0 that may hold an orientation. */
export const TYPES = { byte: 1, short: 3, long: 4, undefined: 7, slong: 9 } as const

type Value = { type: number; values: readonly number[] | Uint8Array }

const WIDTHS: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 7: 1, 9: 4 }

export interface TiffParts {
  isLittle?: boolean
  magic?: number
  /** Values by tag: 'data' stands for the offset of the data, 'sub' for the offset of the second directory. */
  directory: Readonly<Record<number, Value | 'data' | 'sub'>>
  sub?: Readonly<Record<number, Value | 'data'>>
  data?: Uint8Array
}

/** A file with the header of TIFF: one directory, one that it may contain, and data. */
export function tiffFile({
  isLittle = true,
  magic = 42,
  directory,
  sub = {},
  data = new Uint8Array(0),
}: TiffParts): Bytes {
  const entries = (from: TiffParts['directory']) =>
    Object.entries(from).map(([tag, value]) => ({ tag: Number(tag), value }))
  const tableLength = (from: TiffParts['directory']) => 2 + Object.keys(from).length * 12 + 4
  const subAt = 8 + tableLength(directory)
  const extraAt = subAt + tableLength(sub)
  const extra: number[] = []
  const number = (value: number, width: number): number[] => {
    const bytes = Array.from({ length: width }, (_, index) => (value >>> (index * 8)) & 0xff)
    return isLittle ? bytes : bytes.reverse()
  }
  // Values that do not fit into an entry, so that the place of the data is known.
  const inExtra = [...entries(directory), ...entries(sub)].flatMap(({ value }) =>
    typeof value === 'string' ? [] : [value.values.length * (WIDTHS[value.type] ?? 1)],
  )
  const dataAt = extraAt + inExtra.filter((length) => length > 4).reduce((sum, length) => sum + length, 0)
  const table = (from: TiffParts['directory']): number[] => [
    ...number(Object.keys(from).length, 2),
    ...entries(from).flatMap(({ tag, value }) => {
      const given =
        value === 'data'
          ? { type: TYPES.long, values: [dataAt] }
          : value === 'sub'
            ? { type: TYPES.long, values: [subAt] }
            : value
      const width = WIDTHS[given.type] ?? 1
      const content = Array.from(given.values).flatMap((single) => number(single, width))
      const head = [...number(tag, 2), ...number(given.type, 2), ...number(given.values.length, 4)]
      if (content.length <= 4) return [...head, ...content, ...Array<number>(4 - content.length).fill(0)]
      const at = extraAt + extra.length
      for (const byte of content) extra.push(byte)
      return [...head, ...number(at, 4)]
    }),
    ...number(0, 4),
  ]
  const header = [...(isLittle ? [0x49, 0x49] : [0x4d, 0x4d]), ...number(magic, 2), ...number(8, 4)]
  const tables = [...header, ...table(directory), ...table(sub)]
  return joined(Uint8Array.from(tables), Uint8Array.from(extra), data)
}

/** A block of EXIF with an orientation. */
export const orientationBlock = (
  orientation: number,
  { type = TYPES.short as number, count = 1, isLittle = true } = {},
): Bytes =>
  tiffFile({ isLittle, directory: { 274: { type, values: Array<number>(count).fill(orientation) } } })

const short = (...values: number[]): Value => ({ type: TYPES.short, values })
const long = (...values: number[]): Value => ({ type: TYPES.long, values })

/** A JPEG without its segments of EXIF, XMP and IPTC, with this block of EXIF instead. */
export function jpegWithExif(jpeg: Uint8Array, block: Uint8Array | null): Bytes {
  let at = 2
  while (jpeg[at] === 0xff && [0xe1, 0xed].includes(jpeg[at + 1] ?? 0))
    at += 2 + ((jpeg[at + 2] ?? 0) << 8) + (jpeg[at + 3] ?? 0)
  const rest = jpeg.subarray(at)
  if (block === null) return joined('\xff\xd8', rest)
  const length = block.length + 8
  return joined('\xff\xd8\xff\xe1', Uint8Array.of(length >> 8, length & 0xff), 'Exif\0\0', block, rest)
}

/** Four corners, each of one colour, as the pixels of a file that its orientation turns upright. RGB rows. */
export function storedScene(
  { width, height }: Size,
  orientation: number,
  corners: readonly (readonly number[])[],
) {
  const isTurned = orientation >= 5
  const [storedWidth, storedHeight] = isTurned ? [height, width] : [width, height]
  const rgb = new Uint8Array(storedWidth * storedHeight * 3)
  for (let y = 0; y < storedHeight; y += 1) {
    for (let x = 0; x < storedWidth; x += 1) {
      const [u, v] = uprightPlace(orientation, (x + 0.5) / storedWidth, (y + 0.5) / storedHeight)
      const corner = corners[(v < 0.5 ? 0 : 2) + (u < 0.5 ? 0 : 1)] ?? []
      rgb.set(corner.slice(0, 3), (y * storedWidth + x) * 3)
    }
  }
  return { width: storedWidth, height: storedHeight, rgb }
}

/** TIFF 6.0, Orientation: where the stored place is in the upright picture, both from 0 to 1. */
function uprightPlace(orientation: number, x: number, y: number): [number, number] {
  switch (orientation) {
    case 2:
      return [1 - x, y]
    case 3:
      return [1 - x, 1 - y]
    case 4:
      return [x, 1 - y]
    case 5:
      return [y, x]
    case 6:
      return [1 - y, x]
    case 7:
      return [1 - y, 1 - x]
    case 8:
      return [y, 1 - x]
    default:
      return [x, y]
  }
}

type Scene = ReturnType<typeof storedScene>

export type PngPlace = 'before' | 'after' | 'zTXt' | 'tEXt'

/** A PNG with EXIF before or after its pixels, or in ImageMagick's text. */
export function pngWithExif({ width, height, rgb }: Scene, block: Uint8Array, place: PngPlace): Bytes {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const rows = Buffer.alloc(height * (width * 3 + 1))
  for (let y = 0; y < height; y += 1)
    rows.set(rgb.subarray(y * width * 3, (y + 1) * width * 3), y * (width * 3 + 1) + 1)
  const profile = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), block])
  const text = `\nexif\n${String(profile.length).padStart(8)}\n${profile.toString('hex').replace(/.{72}/g, '$&\n')}\n`
  const name = 'Raw profile type exif\0'
  const exif =
    place === 'zTXt'
      ? pngChunk('zTXt', joined(name, '\0', deflateSync(text)))
      : place === 'tEXt'
        ? pngChunk('tEXt', joined(name, text))
        : pngChunk('eXIf', block)
  const pixels = pngChunk('IDAT', new Uint8Array(deflateSync(rows)))
  const inOrder = place === 'after' ? [pixels, exif] : [exif, pixels]
  return pngFile(pngChunk('IHDR', header), ...inOrder, pngChunk('IEND'))
}

/** Appends EXIF to a WebP of the extended format, which Chromium writes. */
export function webpWithExif(webp: Uint8Array, block: Uint8Array): Bytes {
  const content = joined(webp.subarray(8), webpChunk('EXIF', block))
  // The flags of VP8X.
  content[12] = (content[12] ?? 0) | 8
  return webpChunk('RIFF', content)
}

/** A TIFF without compression. */
export const plainTiff = ({ width, height, rgb }: Scene, orientation: number, isLittle = true): Bytes =>
  tiffFile({
    isLittle,
    directory: {
      256: long(width),
      257: long(height),
      258: short(8, 8, 8),
      259: short(1),
      262: short(2),
      273: 'data',
      274: short(orientation),
      277: short(3),
      278: long(height),
      279: long(rgb.length),
    },
    data: rgb,
  })

/** Bytes of sensor data, among them what looks like the start of a JPEG. */
const NOISE = Uint8Array.from({ length: 600 }, (_, index) => (index % 97 === 0 ? 0xff : (index * 151) & 0xff))
const SENSOR = joined(NOISE, '\xff\xd8\xff\xe0', NOISE)

/** RAW files of each maker's form, with the camera's preview and a smaller one. */
export const RAW_FILES: Readonly<
  Record<string, (preview: Uint8Array, orientation: number, small?: Uint8Array) => Bytes>
> = {
  DNG: (preview, orientation, small = preview) =>
    tiffFile({
      directory: {
        262: short(2),
        274: short(orientation),
        330: 'sub',
        50706: { type: TYPES.byte, values: [1, 4, 0, 0] },
      },
      sub: { 259: short(7), 262: short(32_803) },
      data: joined(SENSOR, small, preview, SENSOR),
    }),
  NEF: (preview, orientation, small = preview) =>
    tiffFile({
      isLittle: false,
      directory: { 262: short(2), 274: short(orientation), 330: 'sub' },
      sub: { 259: short(34_713 & 0xffff), 262: short(32_803) },
      data: joined(small, SENSOR, preview),
    }),
  ARW: (preview, orientation, small = preview) =>
    tiffFile({
      directory: { 274: short(orientation), 330: 'sub', 513: 'data', 514: long(preview.length) },
      sub: { 259: short(32_767), 262: short(32_803) },
      data: joined(preview, small, SENSOR),
    }),
  CR2: (preview, orientation, small = preview) => {
    const file = tiffFile({
      directory: { 273: 'data', 274: short(orientation), 279: long(preview.length) },
      data: joined(preview, small, SENSOR),
    })
    return joined(file.subarray(0, 4), Uint8Array.of(16, 0, 0, 0), 'CR\x02\0\0\0\0\0', moved(file, 8))
  },
  ORF: (preview, orientation, small = preview) =>
    tiffFile({ magic: 0x4f52, directory: { 274: short(orientation) }, data: joined(small, SENSOR, preview) }),
  RW2: (preview, orientation, small = preview) =>
    tiffFile({
      magic: 0x55,
      directory: { 46: { type: TYPES.undefined, values: preview }, 274: short(orientation) },
      data: joined(small, SENSOR),
    }),
  RAF: (preview, orientation) => {
    const jpeg = jpegWithExif(preview, orientationBlock(orientation))
    const head = Buffer.alloc(148)
    head.write('FUJIFILMCCD-RAW 0201FF129502X-T3', 'latin1')
    head.writeUInt32BE(head.length, 84)
    head.writeUInt32BE(jpeg.length, 88)
    return joined(head, jpeg, SENSOR)
  },
  CR3: (preview, orientation, small = preview) =>
    joined(
      box('ftyp', 'crx \0\0\0\x01crx isom'),
      box(
        'moov',
        box(
          'uuid',
          '\x85\xc0\xb6\x87\x82\x0f\x11\xe0\x81\x11\xf4\xce\x46\x2b\x6a\x48',
          box('CMT1', orientationBlock(orientation)),
        ),
      ),
      box('uuid', small),
      box('mdat', preview, SENSOR),
    ),
}

/** The same directory 8 bytes further on, its offsets changed: for headers that are longer than that of TIFF. */
function moved(file: Uint8Array, by: number): Bytes {
  const copy = Buffer.from(file.subarray(8))
  const entries = copy.readUInt16LE(0)
  for (let index = 0; index < entries; index += 1) {
    const entry = 2 + index * 12
    if (copy.readUInt16LE(entry) === 0x111) copy.writeUInt32LE(copy.readUInt32LE(entry + 8) + by, entry + 8)
  }
  return new Uint8Array(copy)
}

/**
 * A HEIC or AVIF file with further properties: of its first item, such as rotations and mirrorings in the order of their application, or
 * of no item.
 */
export function heicWith(file: Uint8Array, properties: readonly Uint8Array[], isOfFirst = true): Bytes {
  const bytes = Buffer.from(file)
  const added = isOfFirst ? properties.length : 0
  const grown = properties.reduce((sum, { length }) => sum + length, added)
  const find = (type: string, from = 0) => bytes.indexOf(type, from, 'latin1') - 4
  const [meta, iprp, ipco, ipma, iloc] = ['meta', 'iprp', 'ipco', 'ipma', 'iloc'].map((type) =>
    find(type),
  ) as [number, number, number, number, number]
  const ipcoEnd = ipco + bytes.readUInt32BE(ipco)
  let count = 0
  for (let at = ipco + 8; at < ipcoEnd; at += bytes.readUInt32BE(at)) count += 1
  const enlarge = (at: number, by: number) => bytes.writeUInt32BE(bytes.readUInt32BE(at) + by, at)
  enlarge(ipco, grown - added)
  enlarge(ipma, added)
  enlarge(iprp, grown)
  enlarge(meta, grown)
  // Version 0, ids of 2 bytes: after the count of items, the first item's id and number of properties.
  const associations = ipma + 8 + 4 + 4 + 2
  const known = bytes.readUInt8(associations)
  bytes.writeUInt8(known + added, associations)
  const associationsEnd = associations + 1 + known
  // Offsets of 4 bytes, one extent each.
  const items = bytes.readUInt16BE(iloc + 14)
  const hasMethod = bytes.readUInt8(iloc + 8) > 0
  const sizes = bytes.readUInt16BE(iloc + 12)
  if (sizes >> 12 !== 4) throw new Error('unexpected sizes of iloc')
  const base = (sizes >> 4) & 15
  let at = iloc + 16
  for (let item = 0; item < items; item += 1) {
    const method = hasMethod ? bytes.readUInt16BE(at + 2) & 15 : 0
    const extent = at + (hasMethod ? 8 : 6) + base
    if (method === 0) enlarge(extent, grown)
    at = extent + 8
  }
  const marks = Uint8Array.from({ length: added }, (_, index) => 0x80 | (count + 1 + index))
  return joined(
    bytes.subarray(0, ipcoEnd),
    ...properties,
    bytes.subarray(ipcoEnd, associationsEnd),
    marks,
    bytes.subarray(associationsEnd),
  )
}

/** Counterclockwise, in quarter turns. */
export const rotation = (turns: number) => box('irot', [turns])
/** 0: the upper and lower half are exchanged; 1: left and right. */
export const mirroring = (axis: number) => box('imir', [axis])

/**
 * The first image of a HEIC file of 4:4:4 colours as a mini HEIF (ISO/IEC 23008-12, annex O), with an orientation of TIFF 6.0. Its sides
 * have at most 128 pixels.
 */
export function miniHeif(file: Uint8Array, { width, height }: Size, orientation = 1): Bytes {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const whole = { start: 0, end: file.length }
  const inside = (range: { start: number; end: number }, type: string, header = 0) => {
    const [found] = boxes(view, range.start, range.end, type)
    if (found === undefined) throw new Error(`no ${type}`)
    return { start: found.start + header, end: found.end }
  }
  const meta = inside(whole, 'meta', 4)
  const codec = inside(inside(inside(meta, 'iprp'), 'ipco'), 'hvcC')
  const config = file.subarray(codec.start, codec.end)
  const [first] = readLocations(view, meta, 100)
  if (first === undefined) throw new Error('no items')
  const data = joinExtents(view, first[1])
  const number = (value: number, bits: number) => value.toString(2).padStart(bits, '0')
  const bits = [
    // Version 0, codecs of the brand, integers, full range, neither alpha, colours, HDR, profile, EXIF nor XMP, 4:4:4.
    '00001000',
    '00011',
    number(orientation - 1, 3),
    // Short sides, 8 bits a sample, then long sizes of the codec's configuration and of the data.
    `0${number(width - 1, 7)}${number(height - 1, 7)}`,
    `011${number(config.length, 12)}${number(data.length - 1, 28)}`,
  ].join('')
  const head = Uint8Array.from(bits.match(/.{1,8}/g) ?? [], (byte) => Number.parseInt(byte.padEnd(8, '0'), 2))
  return joined(box('ftyp', 'mif3heic'), box('mini', head, config, data))
}
