import { isStartOfFrame, JPEG, jpegSegments } from './jpeg-segments'
import { STORED_PIXELS } from './limits'
import { fourCC } from './media-formats'
import type { Inspector } from './picture-fault'

/** Progressive files of real encoders have about ten. */
const SCANS_MAX = 100
/** Each scan of a progressive file visits all its blocks: twenty times those of the largest picture. */
const SCANNED_PIXELS_MAX = 20 * STORED_PIXELS.picture
/** Tables, metadata and parts of a colour profile: dozens in real files. */
const SEGMENTS_MAX = 2_000

/** Baseline, extended and progressive with Huffman codes. Chromium decodes no others. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2])

const APP2 = 0xe2
/** Begins the list of the pictures in a file (CIPA DC-007), in an APP2 segment. */
const PICTURE_LIST = 'MPF\0'

/**
 * ITU-T T.81. A missing end marker is harmless, and decoders ignore what follows the end, except for another picture: Chromium
 * decodes a gain map, which has its own size.
 */
export const inspectJpeg: Inspector = (view, { width, height }) => {
  let frames = 0
  let scans = 0
  let segments = 0
  for (const { marker, start } of jpegSegments(view)) {
    segments += 1
    if (segments > SEGMENTS_MAX) return 'expensive'
    if (marker === JPEG.startOfImage) return 'damaged'
    if (marker === JPEG.end) {
      if (hasPicture(view, start)) return 'damaged'
      break
    }
    if (marker === APP2 && view.byteLength >= start + 4 && fourCC(view, start) === PICTURE_LIST)
      return 'damaged'
    if (isStartOfFrame(marker)) {
      frames += 1
      const bitsPerSample = view.getUint8(start)
      if (frames > 1 || !FRAMES.has(marker) || bitsPerSample !== 8) return 'damaged'
    } else if (marker === JPEG.startOfScan) {
      scans += 1
      if (scans > SCANS_MAX || scans * width * height > SCANNED_PIXELS_MAX) return 'expensive'
    }
  }
  return scans === 0 ? 'damaged' : null
}

/** Whether another JPEG begins after this offset. */
function hasPicture(view: DataView, from: number): boolean {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  for (let at = from; ; at += 1) {
    at = bytes.indexOf(0xff, at)
    if (at === -1) return false
    if (bytes[at + 1] === JPEG.startOfImage && bytes[at + 2] === 0xff) return true
  }
}
