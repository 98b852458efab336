import { joinExtents, onlyBox, readItemTypes, readLocations } from '#/shared/heif-items'
import { JPEG, jpegSegments } from '#/shared/jpeg-segments'
import { boxes, fourCC, type MediaKind, viewOf } from '#/shared/media-formats'
import { numberOf, openTiff, readDirectory } from './tiff-directory'

/** EXIF, in blocks that begin with the header of TIFF. */
export interface Exif {
  main: Uint8Array
  /** The directory of the exposure, where it is not in the main block: Canon's CR3. */
  exposure?: Uint8Array
}

/** Finds the EXIF of a photo wherever its format has it; null if there is none, or if the file is damaged before it. */
export async function exifOf(bytes: Uint8Array, kind: MediaKind): Promise<Exif | null> {
  const find = FINDERS[kind]
  if (find === undefined) return null
  try {
    const found = await find(viewOf(bytes))
    return found instanceof Uint8Array ? { main: found } : found
  } catch (error) {
    // DataView throws a RangeError if the file ends early.
    if (error instanceof RangeError) return null
    throw error
  }
}

type Finder = (view: DataView) => Uint8Array | Exif | null | Promise<Uint8Array | null>

const FINDERS: Partial<Record<MediaKind, Finder>> = {
  jpeg: exifOfJpeg,
  png: exifOfPng,
  webp: exifOfWebp,
  avif: exifOfHeif,
  heic: exifOfHeif,
  jxl: exifOfJxl,
  tiff: bytesOf,
  raw: exifOfRaw,
}

const ORIENTATION = 0x112

/** How the pixels of a file are turned, from 1 to 8 (TIFF 6.0, Orientation); 1 without a valid value. */
export function orientationOf(exif: Exif | null): number {
  const block = exif === null ? null : openTiff(exif.main)
  if (block === null) return 1
  // Some cameras write it as a LONG, or twice.
  const value = numberOf(readDirectory(block, block.first).directory, ORIENTATION) ?? 1
  return Number.isInteger(value) && value >= 1 && value <= 8 ? value : 1
}

function bytesOf({ buffer, byteOffset, byteLength }: DataView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

function part(view: DataView, start: number, end: number): Uint8Array {
  return bytesOf(view).subarray(start, end)
}

const PREFIX = [...'Exif\0\0'].map((character) => character.charCodeAt(0))

/** Without the prefix that EXIF has in a JPEG; null if it has none. */
function afterPrefix(bytes: Uint8Array): Uint8Array | null {
  return PREFIX.every((byte, index) => bytes[index] === byte) ? bytes.subarray(PREFIX.length) : null
}

/** Parts of a JPEG, PNG or WebP among which EXIF is looked for: looking at millions of small ones takes seconds. */
const PARTS_MOST = 10_000

/** ITU-T T.81 and EXIF 3.0: an APP1 segment before the first scan. */
function exifOfJpeg(view: DataView): Uint8Array | null {
  let parts = 0
  for (const { marker, start } of jpegSegments(view)) {
    parts += 1
    if (marker === JPEG.startOfScan || marker === JPEG.end || parts > PARTS_MOST) return null
    if (marker !== JPEG.app1) continue
    const exif = afterPrefix(part(view, start, start - 2 + view.getUint16(start - 2)))
    if (exif !== null) return exif
  }
  return null
}

/** RFC 9649: the chunk EXIF. Some programs begin it as in a JPEG. */
function exifOfWebp(view: DataView): Uint8Array | null {
  for (let at = 12, parts = 0; at + 8 <= view.byteLength && parts < PARTS_MOST; parts += 1) {
    const length = view.getUint32(at + 4, true)
    if (fourCC(view, at) === 'EXIF') {
      const exif = part(view, at + 8, at + 8 + length)
      return afterPrefix(exif) ?? exif
    }
    at += 8 + length + (length % 2)
  }
  return null
}

/** PNG, third edition, 11.3.4.2: the chunk eXIf, before or after the image data; ImageMagick's text chunk before there was one. */
async function exifOfPng(view: DataView): Promise<Uint8Array | null> {
  // Only the first: decompressing thousands of them takes minutes.
  let text: string | Promise<string> | null = null
  for (let at = 8, parts = 0; at + 12 <= view.byteLength && parts < PARTS_MOST; parts += 1) {
    const length = view.getUint32(at)
    const type = fourCC(view, at + 4)
    const content = part(view, at + 8, at + 8 + length)
    if (type === 'eXIf') return afterPrefix(content) ?? content
    if (type === 'tEXt' || type === 'zTXt') text ??= profileText(content, type === 'zTXt')
    at += 12 + length
  }
  return text === null ? null : rawProfile(await text)
}

const PROFILE = /^Raw profile type (?:exif|APP1)\0/
/** Decompressed characters of a profile that are read. */
const PROFILE_MOST = 1_000_000

/** The text of a chunk with a profile; null for any other chunk. */
function profileText(chunk: Uint8Array, isCompressed: boolean): string | Promise<string> | null {
  const name = PROFILE.exec(latin1(chunk.subarray(0, 30)))?.[0]
  if (name === undefined) return null
  // Before compressed text comes its method.
  return isCompressed
    ? inflate(chunk.subarray(name.length + 1))
    : latin1(chunk.subarray(name.length, PROFILE_MOST))
}

/** Each part begins where the one before ends in only one way: a text of a million spaces is read in one pass. */
const PROFILE_TEXT = /^\s*\w+\s+\d+\s([\da-f\s]*)$/i

/** ImageMagick's text: the name of the profile, its length in bytes, and the bytes as hexadecimal digits, each on separate lines. */
function rawProfile(text: string): Uint8Array | null {
  const digits = PROFILE_TEXT.exec(text)?.[1]?.replace(/\s/g, '') ?? ''
  return afterPrefix(Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)))
}

function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}

/** Bytes that are decompressed at once: a decompressor makes a thousand times as many of them before it waits for its reader. */
const INFLATED_BYTES = 1_024

/** The bytes in small parts, each when it is asked for. */
function partsOf(bytes: Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0
  const pull = (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
    controller.enqueue(Uint8Array.from(bytes.subarray(at, at + INFLATED_BYTES)))
    at += INFLATED_BYTES
    if (at >= bytes.length) controller.close()
  }
  return new ReadableStream({ pull }, { highWaterMark: 0 })
}

/** Decompresses text, up to PROFILE_MOST and to where it is damaged. */
async function inflate(bytes: Uint8Array): Promise<string> {
  const stream = partsOf(bytes).pipeThrough(new DecompressionStream('deflate'))
  const reader = stream.getReader()
  let text = ''
  try {
    while (text.length < PROFILE_MOST) {
      const { done, value } = await reader.read()
      if (done) break
      text += latin1(value)
    }
  } catch {
    // Damaged: the text before it is kept.
  }
  reader.cancel().catch(() => undefined)
  return text
}

/** Items of a HEIC file: one of 48 megapixels has 200 tiles. */
const ITEMS_MOST = 2_000

/** ISO/IEC 23008-12, Annex A: an item of type Exif, whose first four bytes say how far after them the block begins. */
function exifOfHeif(view: DataView): Uint8Array | null {
  const meta = onlyBox(view, { start: 0, end: view.byteLength }, 'meta')
  if (meta === null) return null
  const inside = { start: meta.start + 4, end: meta.end }
  const types = readItemTypes(view, inside, ITEMS_MOST)
  for (const [item, extents] of readLocations(view, inside, ITEMS_MOST))
    if (types?.get(item) === 'Exif') return afterOffset(joinExtents(view, extents))
  return null
}

/** ISO/IEC 18181-2: the box Exif, not compressed. */
function exifOfJxl(view: DataView): Uint8Array | null {
  if (view.getUint8(0) === 0xff) return null
  for (const { start, end } of boxes(view, 0, view.byteLength, 'Exif'))
    return afterOffset(part(view, start, end))
  return null
}

function afterOffset(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(4 + viewOf(bytes).getUint32(0))
}

/** Of the JPEG in a file of Fujifilm. */
const RAF_JPEG = 84
/** Canon's box in 'moov' begins with its id. */
const UUID_BYTES = 16

function exifOfRaw(view: DataView): Uint8Array | Exif | null {
  const head = fourCC(view, 0)
  if (head === 'FUJI') {
    const start = view.getUint32(RAF_JPEG)
    return exifOfJpeg(viewOf(part(view, start, start + view.getUint32(RAF_JPEG + 4))))
  }
  if (fourCC(view, 4) !== 'ftyp') return bytesOf(view)
  for (const moov of boxes(view, 0, view.byteLength, 'moov')) {
    for (const { start, end } of boxes(view, moov.start, moov.end, 'uuid')) {
      const inside = { start: start + UUID_BYTES, end }
      const main = onlyBox(view, inside, 'CMT1')
      if (main === null) continue
      const exposure = onlyBox(view, inside, 'CMT2')
      return {
        main: part(view, main.start, main.end),
        ...(exposure && { exposure: part(view, exposure.start, exposure.end) }),
      }
    }
  }
  return null
}
