import { zlibSync } from 'fflate'
import type { Gamut } from './turn-picture'

/** Colours of decoded pixels: an ICC profile, or code points of ITU-T H.273. Null means sRGB. */
export type ColourProfile = { icc: Uint8Array } | { primaries: number; transfer: number } | null

export interface TaggedPixels {
  /** RGBA rows from the top, not premultiplied. */
  data: Uint8ClampedArray<ArrayBuffer>
  width: number
  height: number
  profile: ColourProfile
}

/** A bitmap with these colours. Runs in a worker. Rejects if Chromium cannot read the profile. */
export async function toBitmap(pixels: TaggedPixels, resize?: ImageBitmapOptions): Promise<ImageBitmap> {
  const colorSpace = gamutOfProfile(pixels.profile)
  if (colorSpace !== null)
    return createImageBitmap(new ImageData(pixels.data, pixels.width, pixels.height, { colorSpace }), resize)
  // Chromium applies any other profile to a PNG that has it.
  return createImageBitmap(pngOf(pixels), resize)
}

/** H.273: BT.709, unspecified, and SMPTE EG 432-1 (Display P3); the transfer function of sRGB. */
const [BT709, UNSPECIFIED, P3, SRGB_TRANSFER] = [1, 2, 12, 13]

/** The gamut whose colours the profile says; null for others. */
export function gamutOfProfile(profile: ColourProfile): Gamut | null {
  if (profile === null) return 'srgb'
  if ('icc' in profile) return gamutOfIcc(profile.icc)
  const { primaries, transfer } = profile
  if (transfer !== SRGB_TRANSFER && transfer !== UNSPECIFIED) return null
  return primaries === BT709 || primaries === UNSPECIFIED ? 'srgb' : primaries === P3 ? 'display-p3' : null
}

/** Red, green and blue as ICC profiles have them: adapted to D50. */
const PRIMARIES: readonly [Gamut, readonly number[]][] = [
  ['srgb', [0.4361, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7141]],
  ['display-p3', [0.5151, 0.2412, -0.0011, 0.292, 0.6922, 0.0419, 0.1571, 0.0666, 0.7841]],
]
/** The curve of sRGB as parameters of ICC.1, 10.18 (type 3): g, a, b, c, d. */
const SRGB_CURVE = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
/** Programs round differently. */
const TOLERANCE = 0.002

/** ICC.1: sRGB or Display P3 as Apple and most programs write them, by their values; null for any other profile. */
function gamutOfIcc(icc: Uint8Array): Gamut | null {
  try {
    const tags = iccTags(icc)
    const colours = ['rXYZ', 'gXYZ', 'bXYZ'].flatMap((name) => fixedNumbers(tags.get(name), 8, 3))
    const found = PRIMARIES.find(([, values]) => isNear(colours, values))?.[0] ?? null
    const isSrgbCurve = ['rTRC', 'gTRC', 'bTRC'].every((name) => {
      const curve = tags.get(name)
      const isParametric = curve?.getUint32(0) === 0x70617261 && curve.getUint16(8) === 3
      return isParametric && isNear(fixedNumbers(curve, 12, 5), SRGB_CURVE)
    })
    return isSrgbCurve ? found : null
  } catch (error) {
    // DataView throws a RangeError if the profile ends early.
    if (error instanceof RangeError) return null
    throw error
  }
}

function iccTags({ buffer, byteOffset, byteLength }: Uint8Array): Map<string, DataView> {
  const view = new DataView(buffer, byteOffset, byteLength)
  const tags = new Map<string, DataView>()
  const count = Math.min(view.getUint32(128), 100)
  for (let at = 132; at < 132 + count * 12; at += 12) {
    const name = String.fromCharCode(...new Uint8Array(buffer, byteOffset + at, 4))
    const [start, length] = [view.getUint32(at + 4), view.getUint32(at + 8)]
    if (start + length <= byteLength) tags.set(name, new DataView(buffer, byteOffset + start, length))
  }
  return tags
}

/** Numbers of type s15Fixed16. */
function fixedNumbers(view: DataView | undefined, at: number, count: number): number[] {
  if (view === undefined) return []
  return Array.from({ length: count }, (_, index) => view.getInt32(at + index * 4) / 65_536)
}

function isNear(values: readonly number[], expected: readonly number[]): boolean {
  return (
    values.length === expected.length &&
    values.every((value, index) => Math.abs(value - (expected[index] ?? 0)) < TOLERANCE)
  )
}

const STORED = { level: 0 } as const

/** A PNG of these pixels with their profile, not compressed. */
export function pngOf({ data, width, height, profile }: TaggedPixels): Blob {
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  // 8 bits each of red, green, blue and alpha.
  header.set([8, 6], 8)
  const row = width * 4
  // Before each row comes its filter: none.
  const rows = new Uint8Array(height * (row + 1))
  for (let y = 0; y < height; y += 1) rows.set(data.subarray(y * row, (y + 1) * row), y * (row + 1) + 1)
  return new Blob(
    [
      Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
      ...chunk('IHDR', [header]),
      ...profileChunk(profile),
      ...chunk('IDAT', [zlibSync(rows, STORED)]),
      ...chunk('IEND', []),
    ],
    { type: 'image/png' },
  )
}

type Bytes = Uint8Array<ArrayBuffer>

/** PNG, third edition: iCCP and cICP (RGB, full range). */
function profileChunk(profile: ColourProfile): Bytes[] {
  if (profile === null) return []
  if ('primaries' in profile) return chunk('cICP', [Uint8Array.of(profile.primaries, profile.transfer, 0, 1)])
  // A name, and the method of compression.
  return chunk('iCCP', [Uint8Array.of(0x69, 0, 0), zlibSync(profile.icc, STORED)])
}

function chunk(type: string, parts: Bytes[]): Bytes[] {
  const name = Uint8Array.from(type, (character) => character.charCodeAt(0))
  const checked = [name, ...parts]
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return [uint32(length), ...checked, uint32(crc32(checked))]
}

function uint32(value: number): Bytes {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** The checksum of PNG (third edition, 5.5) over all parts. */
function crc32(parts: readonly Uint8Array[]): number {
  let crc = 0xffffffff
  for (const part of parts)
    for (const byte of part) crc = (CRC_TABLE[(crc ^ byte) & 255] as number) ^ (crc >>> 8)
  return ~crc >>> 0
}

/** Makes premultiplied colours plain. */
export function divideByAlpha(data: Uint8ClampedArray): void {
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] as number
    if (alpha === 0 || alpha === 255) continue
    for (let channel = at; channel < at + 3; channel += 1)
      data[channel] = ((data[channel] as number) * 255) / alpha
  }
}
