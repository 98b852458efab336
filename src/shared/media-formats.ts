import { isStartOfFrame, JPEG, jpegSegments } from './jpeg-segments'
import { isOtherContainer, sniffVideo, type VideoKind, videoOfBrands } from './video-formats'

/** Pictures whose size `readDimensions` reads from the header. */
export type PictureKind = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'bmp' | 'jxl' | 'heic'
/**
 * Every format of a photo that members can choose. `tiff` includes the RAW files whose header is one of TIFF (DNG, NEF, ARW), `raw` are
 * those with another header (CR2, CR3, RAF, RW2, ORF).
 */
export type PhotoKind = PictureKind | 'tiff' | 'raw'
/** Videos in a container that is not read: detected only to be refused with a better message. */
export type OtherVideoKind = 'other-video'
/** Pictures in a format that is not read: detected only to be refused with a better message than 'not a picture'. */
export type OtherPictureKind = 'other-picture'
export type MediaKind = PhotoKind | OtherPictureKind | VideoKind | OtherVideoKind | 'unknown'

/** Maximum number of bytes from the start of a file that `sniffMedia` reads. */
export const SNIFF_BYTES = 1024

/** Detects the format from a file's first bytes. Its name and declared type are ignored. */
export function sniffMedia(bytes: Uint8Array): MediaKind {
  const head = latin1(bytes.subarray(0, SNIFF_BYTES))
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(head)) return 'gif'
  if (head.startsWith('RIFF') && /^WEBPVP8[ LX]/.test(head.slice(8))) return 'webp'
  if (isBmp(head)) return 'bmp'
  if (RAW_HEADS.test(head)) return 'raw'
  if (/^(II[*+]\0|MM\0[*+])/.test(head)) return 'tiff'
  if (head.startsWith('\xff\x0a') || head.startsWith('\0\0\0\x0cJXL \r\n\x87\n')) return 'jxl'
  if (head.slice(4, 8) === 'ftyp') return sniffBrands(head)
  if (isOtherContainer(head)) return 'other-video'
  return sniffVideo(head) ?? (isOtherPicture(head) ? 'other-picture' : 'unknown')
}

/** Whether it is a photo that members can choose. */
export function isPhoto(kind: MediaKind): kind is PhotoKind {
  return PHOTOS.has(kind)
}

export function isVideo(kind: MediaKind): kind is VideoKind {
  return VIDEOS.has(kind)
}

export function isOtherVideo(kind: MediaKind): kind is OtherVideoKind {
  return kind === 'other-video'
}

const PHOTOS: ReadonlySet<MediaKind> = new Set([
  'jpeg',
  'png',
  'webp',
  'gif',
  'avif',
  'bmp',
  'jxl',
  'heic',
  'tiff',
  'raw',
] as const satisfies readonly PhotoKind[])

const VIDEOS: ReadonlySet<MediaKind> = new Set(['mp4', 'quicktime', 'webm', 'matroska', 'mpeg-ts'])

/** Canon's CR2; Olympus' ORF in three variants; Panasonic's RW2; Fujifilm's RAF. */
const RAW_HEADS = /^(?:(?:II\*\0|MM\0\*).{4}CR|IIR[OS]|MMOR|IIU\0|FUJIFILMCCD-RAW )/s

/** Photoshop; JPEG 2000, and its stream; JPEG XR; OpenEXR; Radiance; GIMP; BPG; icons of Windows. */
const OTHER_PICTURES = [
  '8BPS\0',
  '\0\0\0\x0cjP  \r\n\x87\n',
  '\xff\x4f\xff\x51',
  'II\xbc\x01',
  '\x76\x2f\x31\x01',
  '#?RADIANCE\n',
  '#?RGBE\n',
  'gimp xcf',
  'BPG\xfb',
  '\0\0\x01\0',
]

const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1']

/** ISO base media files (ISO/IEC 14496-12) list their formats as brands in their first box. */
function sniffBrands(head: string): MediaKind {
  const end = Math.min(boxLength(head), head.length)
  const brands = [head.slice(8, 12)]
  // The four bytes after the major brand are its version.
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.slice(at, at + 4))
  // Canon's CR3, which also has a brand of MP4.
  if (brands[0] === 'crx ') return 'raw'
  // A file of one image with a short header ('mini') names its codec there. Chromium does not read those of AVIF.
  if (brands[0] === 'mif3') return HEIC_BRANDS.includes(head.slice(12, 16)) ? 'heic' : 'other-picture'
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return 'avif'
  if (brands.some((brand) => HEIC_BRANDS.includes(brand))) return 'heic'
  return videoOfBrands(brands) ?? 'unknown'
}

function boxLength(head: string): number {
  return [0, 1, 2, 3].reduce((length, at) => length * 256 + head.charCodeAt(at), 0)
}

/** Sizes of the header that follows a BMP's first 14 bytes. */
const BMP_HEADERS = [12, 40, 52, 56, 64, 108, 124]

/** Text files may start with 'BM' too, so the header after it must have a known size. */
function isBmp(head: string): boolean {
  const isZero = head.slice(15, 18) === '\0\0\0'
  return head.startsWith('BM') && isZero && BMP_HEADERS.includes(head.charCodeAt(14))
}

function isOtherPicture(head: string): boolean {
  return OTHER_PICTURES.some((start) => head.startsWith(start)) || isSvg(head)
}

function isSvg(head: string): boolean {
  const text = head.replace(/^\xef\xbb\xbf/, '').trimStart()
  return text.startsWith('<svg') || (/^<(\?xml|!DOCTYPE svg|!--)/i.test(text) && /<svg[\s>]/.test(text))
}

/** One character per byte, so that magic numbers can be written as strings. */
function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

export interface Dimensions {
  width: number
  height: number
}

/** The size of a picture as a decoder keeps it. */
export interface DecodedSize extends Dimensions {
  /** In all planes. */
  bytesPerPixel: number
}

/**
 * Reads width and height from a picture's header without decoding it, so that pictures too large for memory can be
 * refused. JPEG, AVIF and HEIC may still be rotated by 90°. Null if the header is damaged or incomplete.
 */
export function readDimensions(bytes: Uint8Array, kind: PictureKind): Dimensions | null {
  const view = viewOf(bytes)
  let dimensions: Dimensions | undefined
  try {
    dimensions = readers[kind](view)
  } catch (error) {
    // DataView throws a RangeError if the file ends inside its header.
    if (error instanceof RangeError) return null
    throw error
  }
  return dimensions === undefined || dimensions.width < 1 || dimensions.height < 1 ? null : dimensions
}

const readers: Record<PictureKind, (view: DataView) => Dimensions | undefined> = {
  jpeg: readJpeg,
  png: readPng,
  webp: readWebp,
  gif: readGif,
  avif: readLargestItem,
  bmp: readBmp,
  jxl: readJxl,
  heic: (view) => readLargestItem(view) ?? readMini(view),
}

function readJpeg(view: DataView): Dimensions | undefined {
  for (const { marker, start } of jpegSegments(view)) {
    if (isStartOfFrame(marker)) return { width: view.getUint16(start + 3), height: view.getUint16(start + 1) }
    if (marker === JPEG.startOfScan || marker === JPEG.end) return undefined
  }
  return undefined
}

function readPng(view: DataView): Dimensions | undefined {
  if (fourCC(view, 12) !== 'IHDR') return undefined
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/** RFC 9649: lossy, lossless and extended files store their size in different places. */
function readWebp(view: DataView): Dimensions | undefined {
  switch (fourCC(view, 12)) {
    case 'VP8 ':
      if (view.getUint16(23) !== 0x9d01 || view.getUint8(25) !== 0x2a) return undefined
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    case 'VP8L': {
      if (view.getUint8(20) !== 0x2f) return undefined
      const bits = view.getUint32(21, true)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 }
    default:
      return undefined
  }
}

/** The larger of the screen and the first frame: decoders allocate memory for both. */
function readGif(view: DataView): Dimensions | undefined {
  const screen = { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  const flags = view.getUint8(10)
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  while (view.getUint8(at) === 0x21) {
    at += 2
    while (view.getUint8(at) !== 0) at += view.getUint8(at) + 1
    at += 1
  }
  if (view.getUint8(at) !== 0x2c) return undefined
  return {
    width: Math.max(screen.width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true)),
    height: Math.max(screen.height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true)),
  }
}

function readBmp(view: DataView): Dimensions | undefined {
  if (view.getUint32(14, true) === 12) {
    return { width: view.getUint16(18, true), height: view.getUint16(20, true) }
  }
  // A negative height means rows from top to bottom.
  return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) }
}

/** The largest image of an AVIF or HEIC file: grid tiles, alpha planes and thumbnails have their own sizes. */
function readLargestItem(view: DataView): Dimensions | undefined {
  let largest: Dimensions | undefined
  for (const meta of boxes(view, 0, view.byteLength, 'meta')) {
    // 'meta' and 'ispe' begin with a version and flags, 4 bytes.
    for (const properties of boxes(view, meta.start + 4, meta.end, 'iprp')) {
      for (const container of boxes(view, properties.start, properties.end, 'ipco')) {
        for (const { start } of boxes(view, container.start, container.end, 'ispe')) {
          const size = { width: view.getUint32(start + 4), height: view.getUint32(start + 8) }
          if (largest === undefined || size.width * size.height > largest.width * largest.height)
            largest = size
        }
      }
    }
  }
  return largest
}

/** MinimizedImageBox (ISO/IEC 23008-12, annex O): after 16 bits, one for long sides, then both of them. */
function readMini(view: DataView): Dimensions | undefined {
  const [mini] = boxes(view, 0, view.byteLength, 'mini')
  if (mini === undefined) return undefined
  const bits = view.getUint8(mini.start + 2) & 0x80 ? 15 : 7
  const sides = view.getUint32(mini.start + 2)
  const sideAt = (bit: number) => ((sides << bit) >>> (32 - bits)) + 1
  return { width: sideAt(1), height: sideAt(1 + bits) }
}

const JXL_RATIOS = [
  [1, 1],
  [12, 10],
  [4, 3],
  [3, 2],
  [16, 9],
  [5, 4],
  [2, 1],
] as const

function readJxl(view: DataView): Dimensions | undefined {
  return readJxlHeader(view)?.size
}

/** Whether a JPEG XL is an animation. Throws a RangeError if its header is incomplete. */
export function isAnimatedJxl(view: DataView): boolean {
  return readJxlHeader(view)?.isAnimated ?? false
}

/**
 * ISO/IEC 18181-1 (SizeHeader, ImageMetadata) and 18181-2 (boxes): they follow the signature of the codestream, lowest bits first. An
 * animation with a preview counts as a still: no encoder writes one.
 */
function readJxlHeader(view: DataView): { size: Dimensions; isAnimated: boolean } | undefined {
  const start = jxlCodestream(view)
  if (start === undefined) return undefined
  let bit = (start + 2) * 8
  const read = (count: number): number => {
    let value = 0
    for (let index = 0; index < count; index += 1, bit += 1)
      value += ((view.getUint8(bit >> 3) >> (bit & 7)) & 1) * 2 ** index
    return value
  }
  const isSet = () => read(1) === 1
  const readSize = (): Dimensions => {
    const isSmall = isSet()
    const readSide = () => (isSmall ? (read(5) + 1) * 8 : read([9, 13, 18, 30][read(2)] ?? 0) + 1)
    const height = readSide()
    const ratio = JXL_RATIOS[read(3) - 1]
    return { width: ratio === undefined ? readSide() : Math.floor((height * ratio[0]) / ratio[1]), height }
  }
  const size = readSize()
  const hasExtraFields = !isSet() && isSet()
  if (!hasExtraFields) return { size, isAnimated: false }
  // The orientation.
  read(3)
  if (isSet()) readSize()
  const hasPreview = isSet()
  return { size, isAnimated: !hasPreview && isSet() }
}

/** Offset of the codestream, whose first part may be in a separate box. */
function jxlCodestream(view: DataView): number | undefined {
  if (view.getUint16(0) === 0xff0a) return 0
  const [whole] = boxes(view, 0, view.byteLength, 'jxlc')
  const [part] = boxes(view, 0, view.byteLength, 'jxlp')
  // A part begins with its number.
  return whole?.start ?? (part === undefined ? undefined : part.start + 4)
}

/** The contents of a box of an ISO base media file, as a range of its bytes (ISO/IEC 14496-12, 4.2). */
export interface Box {
  type: string
  start: number
  end: number
}

/** The boxes of one type, or of every type, between two offsets. */
export function* boxes(view: DataView, from: number, to: number, wanted?: string): Generator<Box> {
  let at = from
  while (at + 8 <= to) {
    const size32 = view.getUint32(at)
    const header = size32 === 1 ? 16 : 8
    const size = size32 === 1 ? Number(view.getBigUint64(at + 8)) : size32 === 0 ? to - at : size32
    if (size < header) return
    const end = Math.min(at + size, to)
    const type = fourCC(view, at + 4)
    if (wanted === undefined || type === wanted) yield { type, start: at + header, end }
    at = end
  }
}

/** A view of the same memory. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

/** The bytes of a range, in the same memory. */
export function bytesIn(view: DataView, { start, end }: { start: number; end: number }): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset + start, end - start)
}

export function fourCC(view: DataView, at: number): string {
  const byte = (offset: number) => view.getUint8(at + offset)
  return String.fromCharCode(byte(0), byte(1), byte(2), byte(3))
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 65_536
}
