import { isStartOfFrame } from '#/shared/jpeg-segments'
import type { Dimensions } from '#/shared/media-formats'
import { allDirectories, numberOf, openTiff } from './tiff-directory'

const [DNG_VERSION, PHOTOMETRIC] = [0xc612, 0x106]
/** Colour filter array, and linear RAW (DNG 1.7). */
const RAW_PHOTOMETRICS = [32_803, 34_892]

/** Whether a file with the header of TIFF has the pixels of a sensor: DNG, NEF, ARW and others. */
export function isRawTiff(bytes: Uint8Array): boolean {
  const block = openTiff(bytes)
  if (block === null) return false
  for (const directory of allDirectories(block)) {
    const isRaw = RAW_PHOTOMETRICS.includes(numberOf(directory, PHOTOMETRIC) ?? 0)
    if (isRaw || directory.has(DNG_VERSION)) return true
  }
  return false
}

/** A JPEG in a file. */
export interface EmbeddedJpeg extends Dimensions {
  start: number
}

/** Starts that are looked at: a RAW file has three JPEGs, and noise seldom looks like one. */
const MOST_STARTS = 1_000
/** JPEGs that are decoded until one of them is whole: each may take seconds. */
const MOST_FOUND = 10
/** Segments before the frame's header. */
const MOST_SEGMENTS = 40

/**
 * The largest JPEGs in a RAW file, largest first. They are searched for: every maker has the place of the camera's preview in other tags, and all of
 * them store it in one piece.
 */
export function embeddedJpegs(bytes: Uint8Array): EmbeddedJpeg[] {
  const found: EmbeddedJpeg[] = []
  let starts = 0
  for (let at = bytes.indexOf(0xff); at !== -1 && starts < MOST_STARTS; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] !== 0xd8 || bytes[at + 2] !== 0xff) continue
    starts += 1
    const size = sizeOf(new DataView(bytes.buffer, bytes.byteOffset + at, bytes.byteLength - at))
    if (size !== null) found.push({ start: at, ...size })
  }
  return found.sort((a, b) => b.width * b.height - a.width * a.height).slice(0, MOST_FOUND)
}

/**
 * The size of a JPEG in colour that Chromium decodes: not the lossless one of sensor data. Null for anything else. Its segments follow one
 * another without a gap: a search for the next would read the whole file for each start.
 */
function sizeOf(view: DataView): Dimensions | null {
  try {
    for (let at = 2, segments = 0; segments < MOST_SEGMENTS; segments += 1) {
      const marker = view.getUint8(at + 1)
      const start = at + 4
      if (view.getUint8(at) !== 0xff) return null
      if (isStartOfFrame(marker)) {
        const isDecodable = marker <= 0xc2 && view.getUint8(start) === 8 && view.getUint8(start + 5) === 3
        const size = { width: view.getUint16(start + 3), height: view.getUint16(start + 1) }
        return isDecodable && size.width > 0 && size.height > 0 ? size : null
      }
      at += 2 + view.getUint16(at + 2)
    }
  } catch (error) {
    // Not a JPEG: a segment ends after the file.
    if (!(error instanceof RangeError)) throw error
  }
  return null
}
