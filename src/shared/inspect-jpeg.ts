import { isStartOfFrame, JPEG, jpegSegments } from './jpeg-segments'
import { STORED_PIXELS } from './limits'
import type { Inspector } from './picture-content'

/** Progressive files of real encoders have about ten. */
const SCANS_MAX = 100
/** Each scan of a progressive file visits all its blocks: twenty times those of the largest picture. */
const SCANNED_PIXELS_MAX = 20 * STORED_PIXELS.picture
/** Tables, metadata and parts of a colour profile: dozens in real files. */
const SEGMENTS_MAX = 2_000

/** Baseline, extended and progressive with Huffman codes. Chromium decodes no others. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2])

/** ITU-T T.81. A missing end marker is harmless, and decoders ignore what follows the end. */
export const inspectJpeg: Inspector = (view, { width, height }) => {
  let frames = 0
  let scans = 0
  let segments = 0
  for (const { marker, start } of jpegSegments(view)) {
    segments += 1
    if (segments > SEGMENTS_MAX) return 'expensive'
    if (marker === JPEG.startOfImage) return 'damaged'
    if (marker === JPEG.end) break
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
