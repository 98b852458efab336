import type { CameraDetails, CameraField } from '#/renderer/lib/camera'
import { TEXT_LIMITS } from '#/shared/limits'
import { sniffMedia } from '#/shared/media-formats'
import { trimText } from '#/shared/visible-text'

/** Of a JPEG, its metadata is in the first segments, of at most 64 KB each. */
const JPEG_HEAD = 512 * 1024

/** Reads the camera details from a file's EXIF. Empty for a file without them, or with damaged ones; never rejects. */
export async function readCameraDetails(source: Blob): Promise<CameraDetails> {
  try {
    const head = new Uint8Array(await source.slice(0, JPEG_HEAD).arrayBuffer())
    const kind = sniffMedia(head)
    if (kind === 'jpeg') return detailsOf(exifOfJpeg(head))
    if (kind === 'webp') return detailsOf(exifOfWebp(new Uint8Array(await source.arrayBuffer())))
    if (kind === 'png') return detailsOf(exifOfPng(new Uint8Array(await source.arrayBuffer())))
    return {}
  } catch {
    return {}
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}

// Each of these returns the TIFF block of a file's EXIF; null if there is none. Every step moves forward.

/** ITU-T T.81: the APP1 segment of EXIF, before the image data. */
function exifOfJpeg(bytes: Uint8Array): Uint8Array | null {
  const view = viewOf(bytes)
  let at = 2
  while (at + 4 <= bytes.length && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1)
    if (marker === 0xda || marker === 0xd9) return null
    const length = view.getUint16(at + 2)
    const isExif = marker === 0xe1 && textAt(bytes, at + 4, 6) === 'Exif\0\0'
    if (isExif) return bytes.subarray(at + 10, at + 2 + length)
    at += 2 + Math.max(2, length)
  }
  return null
}

/** RFC 9649: the chunk EXIF. Some programs begin it as in a JPEG. */
function exifOfWebp(bytes: Uint8Array): Uint8Array | null {
  const view = viewOf(bytes)
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at + 4, true)
    if (textAt(bytes, at, 4) === 'EXIF') {
      const start = textAt(bytes, at + 8, 6) === 'Exif\0\0' ? at + 14 : at + 8
      return bytes.subarray(start, at + 8 + length)
    }
    at += 8 + length + (length % 2)
  }
  return null
}

/** PNG, third edition, 11.3.4.2: the chunk eXIf. */
function exifOfPng(bytes: Uint8Array): Uint8Array | null {
  const view = viewOf(bytes)
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at)
    if (textAt(bytes, at + 4, 4) === 'eXIf') return bytes.subarray(at + 8, at + 8 + length)
    at += 12 + length
  }
  return null
}

/** Tags of EXIF 3.0 that are read. Location, serial numbers, owner and comments are not among them. */
const TAG = {
  make: 0x010f,
  model: 0x0110,
  exif: 0x8769,
  exposureTime: 0x829a,
  aperture: 0x829d,
  iso: 0x8827,
  flash: 0x9209,
  focalLength: 0x920a,
  lens: 0xa434,
} as const

const TAGS: ReadonlySet<number> = new Set(Object.values(TAG))

/** Entries of a directory that are read: cameras write fewer than a hundred. */
const MAX_ENTRIES = 512

const TYPE = { ascii: 2, short: 3, long: 4, rational: 5 } as const

type Values = Map<number, string | number>

/** TIFF 6.0: the values of the known tags of one directory. Values beyond the block are left out. */
function readDirectory(block: Uint8Array, at: number, isLittle: boolean): Values {
  const view = viewOf(block)
  const values: Values = new Map()
  if (at + 2 > block.length) return values
  const count = Math.min(view.getUint16(at, isLittle), MAX_ENTRIES)
  for (let index = 0; index < count; index += 1) {
    const entry = at + 2 + index * 12
    if (entry + 12 > block.length) break
    const tag = view.getUint16(entry, isLittle)
    if (!TAGS.has(tag)) continue
    const value = readValue(block, view, entry, isLittle)
    if (value !== null) values.set(tag, value)
  }
  return values
}

function readValue(
  block: Uint8Array,
  view: DataView,
  entry: number,
  isLittle: boolean,
): string | number | null {
  const type = view.getUint16(entry + 2, isLittle)
  const count = view.getUint32(entry + 4, isLittle)
  if (type === TYPE.short && count > 0) return view.getUint16(entry + 8, isLittle)
  if (type === TYPE.long && count > 0) return view.getUint32(entry + 8, isLittle)
  const length = type === TYPE.ascii ? count : type === TYPE.rational ? 8 : 0
  const start = length <= 4 ? entry + 8 : view.getUint32(entry + 8, isLittle)
  if (length === 0 || start + length > block.length) return null
  if (type === TYPE.ascii)
    return cleanText(block.subarray(start, start + Math.min(length, 4 * TEXT_LIMITS.cameraDetail)))
  const divisor = view.getUint32(start + 4, isLittle)
  return divisor === 0 ? null : view.getUint32(start, isLittle) / divisor
}

/** The text up to its first zero byte, in one line, without control characters; null if nothing is left. */
function cleanText(bytes: Uint8Array): string | null {
  const end = bytes.indexOf(0)
  const line = new TextDecoder()
    .decode(end < 0 ? bytes : bytes.subarray(0, end))
    .replaceAll(/[\p{C}\p{Z}\uFFFD]+/gu, ' ')
  const text = trimText(line)
  return text === '' ? null : Array.from(text).slice(0, TEXT_LIMITS.cameraDetail).join('').trim()
}

function detailsOf(block: Uint8Array | null): CameraDetails {
  if (block === null || block.length < 8) return {}
  const order = textAt(block, 0, 2)
  if (order !== 'II' && order !== 'MM') return {}
  const isLittle = order === 'II'
  const main = readDirectory(block, viewOf(block).getUint32(4, isLittle), isLittle)
  const pointer = main.get(TAG.exif)
  const exif = typeof pointer === 'number' ? readDirectory(block, pointer, isLittle) : new Map()
  const text = (values: Values, tag: number) => {
    const value = values.get(tag)
    return typeof value === 'string' ? value : null
  }
  const number = (tag: number) => {
    const value = exif.get(tag)
    return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null
  }
  const flash = exif.get(TAG.flash)
  const details: Record<Exclude<CameraField, 'film'>, string | null> = {
    camera: cameraName(text(main, TAG.make), text(main, TAG.model)),
    lens: text(exif, TAG.lens),
    focal_length: withUnit(number(TAG.focalLength), (value) => `${value} mm`),
    aperture: withUnit(number(TAG.aperture), (value) => `f/${value}`),
    exposure_time: exposureText(number(TAG.exposureTime)),
    iso: withUnit(number(TAG.iso), (value) => `ISO ${value}`),
    // The lowest bit says whether it fired.
    flash: typeof flash === 'number' ? (flash % 2 === 1 ? 'Flash' : 'No flash') : null,
  }
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null))
}

/** Most models repeat their maker: 'NIKON CORPORATION' makes the 'NIKON Z 6'. */
function cameraName(make: string | null, model: string | null): string | null {
  if (make === null || model === null) return model
  const [maker = ''] = make.split(' ')
  const isRepeated = model.toLowerCase().startsWith(maker.toLowerCase())
  return (isRepeated ? model : `${make} ${model}`).slice(0, TEXT_LIMITS.cameraDetail)
}

/** With at most one decimal. */
function withUnit(value: number | null, write: (value: string) => string): string | null {
  return value === null || value >= 1_000_000 ? null : write(String(Math.round(value * 10) / 10))
}

/** Short times as a fraction, as cameras show them. */
function exposureText(seconds: number | null): string | null {
  if (seconds === null || seconds < 1e-6) return null
  return seconds < 0.3 ? `1/${Math.round(1 / seconds)} s` : withUnit(seconds, (value) => `${value} s`)
}
