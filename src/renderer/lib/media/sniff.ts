export type PictureKind = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'bmp'
/** Pictures that are recognised only to be refused with a better message than 'not a picture'. */
export type UnsupportedPictureKind = 'heic' | 'svg' | 'tiff' | 'jxl'
export type VideoKind = 'mp4' | 'webm' | 'quicktime'
export type MediaKind = PictureKind | UnsupportedPictureKind | VideoKind | 'unknown'

/** How many bytes from the start of a file `sniffMedia` looks at, at most. */
export const SNIFF_BYTES = 1024

/** What a file is by its first bytes; its name and declared type are never asked. */
export function sniffMedia(bytes: Uint8Array): MediaKind {
  const head = latin1(bytes.subarray(0, SNIFF_BYTES))
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(head)) return 'gif'
  if (head.startsWith('RIFF') && /^WEBPVP8[ LX]/.test(head.slice(8))) return 'webp'
  if (isBmp(head)) return 'bmp'
  if (head.startsWith('II*\0') || head.startsWith('MM\0*')) return 'tiff'
  if (head.startsWith('\xff\x0a') || head.startsWith('\0\0\0\x0cJXL \r\n\x87\n')) return 'jxl'
  if (head.startsWith('\x1a\x45\xdf\xa3')) return /\x42\x82.webm/s.test(head) ? 'webm' : 'unknown'
  if (head.slice(4, 8) === 'ftyp') return sniffBrands(head)
  return isSvg(head) ? 'svg' : 'unknown'
}

/** Whether the renderer can decode it. */
export function isPicture(kind: MediaKind): kind is PictureKind {
  return PICTURES.has(kind)
}

export function isUnsupportedPicture(kind: MediaKind): kind is UnsupportedPictureKind {
  return UNSUPPORTED_PICTURES.has(kind)
}

export function isVideo(kind: MediaKind): kind is VideoKind {
  return VIDEOS.has(kind)
}

const PICTURES: ReadonlySet<MediaKind> = new Set(['jpeg', 'png', 'webp', 'gif', 'avif', 'bmp'])
const UNSUPPORTED_PICTURES: ReadonlySet<MediaKind> = new Set(['heic', 'svg', 'tiff', 'jxl'])

const VIDEOS: ReadonlySet<MediaKind> = new Set(['mp4', 'webm', 'quicktime'])

const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1']
const MP4_BRANDS = /^(isom|iso[2-9]|mp4[12]|avc1|M4V[ HP]|dash|mmp4|f4v )$/

/** ISO base media files (ISO/IEC 14496-12) say what they are in the brands of their first box. */
function sniffBrands(head: string): MediaKind {
  const end = Math.min(boxLength(head), head.length)
  const brands = [head.slice(8, 12)]
  // The four bytes after the major brand are its version.
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.slice(at, at + 4))
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return 'avif'
  if (brands.some((brand) => HEIC_BRANDS.includes(brand))) return 'heic'
  if (brands[0] === 'qt  ') return 'quicktime'
  return brands.some((brand) => MP4_BRANDS.test(brand)) ? 'mp4' : 'unknown'
}

function boxLength(head: string): number {
  return [0, 1, 2, 3].reduce((length, at) => length * 256 + head.charCodeAt(at), 0)
}

/** Sizes of the header that follows a BMP's first 14 bytes. */
const BMP_HEADERS = [12, 40, 52, 56, 64, 108, 124]

/** 'BM' alone also begins texts, so the header after it has to have one of the sizes there are. */
function isBmp(head: string): boolean {
  const isZero = head.slice(15, 18) === '\0\0\0'
  return head.startsWith('BM') && isZero && BMP_HEADERS.includes(head.charCodeAt(14))
}

function isSvg(head: string): boolean {
  const text = head.replace(/^\xef\xbb\xbf/, '').trimStart()
  return text.startsWith('<svg') || (/^<(\?xml|!DOCTYPE svg|!--)/i.test(text) && /<svg[\s>]/.test(text))
}

/** One character a byte, so that magic numbers can be written as strings. */
function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}
