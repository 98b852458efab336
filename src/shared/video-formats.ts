/** The containers of videos that the app reads. It stores `mp4` and `webm` only. */
export type VideoKind = 'mp4' | 'quicktime' | 'webm' | 'matroska' | 'mpeg-ts'

/** The extensions of video files that the app reads: what the file dialog, the file associations and 'Open with' offer. */
export const VIDEO_EXTENSIONS: readonly string[] = [
  'mp4',
  'm4v',
  'mov',
  'qt',
  '3gp',
  '3gpp',
  '3g2',
  '3gp2',
  'f4v',
  'lrv',
  'webm',
  'mkv',
  'ts',
  'mts',
  'm2ts',
  'm2t',
]

/**
 * Brands of video files (mp4ra.org): ISO base media and MPEG-4, Apple's and Adobe's variants, 3GPP, and cameras of Sony. Those of
 * sound (`M4A `), pictures (`heic`) and raw photos (`crx `) are not among them.
 */
const MP4_BRANDS = /^(isom|iso[2-9a-c]|mp4[12]|avc1|M4V[ HP]|dash|mmp4|f4v |3g[ep2prst][\da-z]|MSNV|XAVC)$/

/** Brands of files that have `isom` too and are no videos: Canon's raw photos (CR3). */
const OTHER_BRANDS: ReadonlySet<string> = new Set(['crx '])

/** The container of a video by the brands of its first box (ISO/IEC 14496-12, 4.3); null if it is none. */
export function videoOfBrands(brands: readonly string[]): 'mp4' | 'quicktime' | null {
  if (brands.some((brand) => OTHER_BRANDS.has(brand))) return null
  if (brands[0] === 'qt  ') return 'quicktime'
  if (brands.some((brand) => MP4_BRANDS.test(brand))) return 'mp4'
  return brands.includes('qt  ') ? 'quicktime' : null
}

/**
 * The container of a video whose first bytes name no brands; null if it is none.
 *
 * @param head one character per byte
 */
export function sniffVideo(head: string): VideoKind | null {
  if (head.startsWith('\x1a\x45\xdf\xa3')) return sniffMatroska(head)
  if (isOldQuickTime(head)) return 'quicktime'
  return isTransportStream(head) ? 'mpeg-ts' : null
}

/** How AVI, ASF (WMV), FLV, MPEG program streams and Ogg begin; a dot is any byte. */
const OTHER_CONTAINERS = [
  'RIFF....AVI ',
  '\x30\x26\xb2\x75\x8e\x66\xcf\x11',
  'FLV\x01',
  '\0\0\x01\xba',
  'OggS\0',
]

/**
 * Whether a file is a video in a container that is not read here.
 *
 * @param head one character per byte
 */
export function isOtherContainer(head: string): boolean {
  return OTHER_CONTAINERS.some((start) =>
    [...start].every((character, at) => character === '.' || character === head[at]),
  )
}

/** The length of a number of EBML by its first byte, and its value without the length's bit (RFC 8794, 4). */
function variableSize(head: string, at: number): { length: number; value: number } | null {
  const first = head.charCodeAt(at)
  const length = Math.clz32(first) - 23
  if (!(first > 0) || at + length > head.length) return null
  let value = first & (0xff >> length)
  for (let offset = 1; offset < length; offset += 1) value = value * 256 + head.charCodeAt(at + offset)
  return { length, value }
}

/** Reads DocType of the EBML header, whose size may be written in 1 to 8 bytes. */
function sniffMatroska(head: string): 'webm' | 'matroska' | null {
  const header = variableSize(head, 4)
  if (header === null) return null
  let at = 4 + header.length
  const end = Math.min(at + header.value, head.length)
  while (at < end) {
    const id = variableSize(head, at)
    const size = id && variableSize(head, at + id.length)
    if (!id || !size) return null
    const start = at + id.length + size.length
    if (head.startsWith('\x42\x82', at)) {
      const type = head.slice(start, start + size.value).replace(/\0+$/, '')
      return type === 'webm' || type === 'matroska' ? type : null
    }
    at = start + size.value
  }
  return null
}

/** Boxes with which QuickTime files without `ftyp` begin (QuickTime File Format, 'Overview'). */
const OLD_QUICKTIME = /^(moov|mdat|wide|pnot|free|skip)$/

/** Free space says little, so another box must follow it. */
function isOldQuickTime(head: string): boolean {
  const type = head.slice(4, 8)
  if (!OLD_QUICKTIME.test(type)) return false
  if (type === 'moov' || type === 'mdat') return true
  const size = [0, 1, 2, 3].reduce((value, at) => value * 256 + head.charCodeAt(at), 0)
  return size >= 8 && OLD_QUICKTIME.test(head.slice(size + 4, size + 8))
}

/** Bytes of a packet and of what is before it: broadcasts and phones (.ts), and cameras (.mts, .m2ts). */
export const TRANSPORT_PACKETS = [
  { bytes: 188, before: 0 },
  { bytes: 192, before: 4 },
] as const

/** Packets of a transport stream that must begin with the same byte. */
const SYNCHRONIZED = 4

function isTransportStream(head: string): boolean {
  return transportPacket((at) => head.charCodeAt(at)) !== null
}

/** The packets of an MPEG transport stream (ISO/IEC 13818-1, 2.4.3.2); null if it is none. */
export function transportPacket(byteAt: (at: number) => number): (typeof TRANSPORT_PACKETS)[number] | null {
  const found = TRANSPORT_PACKETS.find(({ bytes, before }) =>
    Array.from({ length: SYNCHRONIZED }, (_, packet) => byteAt(packet * bytes + before)).every(
      (byte) => byte === 0x47,
    ),
  )
  return found ?? null
}
