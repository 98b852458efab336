import { type Dimensions, fourCC, readDimensions } from './media-formats'
import type { Inspector } from './picture-content'

const CHUNKS_MAX = 1_000

/** RFC 9649. */
export const inspectWebp: Inspector = (view, size) => {
  const end = 8 + view.getUint32(4, true)
  if (end > view.byteLength) return 'damaged'
  let frames = 0
  let chunks = 0
  for (let at = 12; at + 8 <= end; ) {
    const type = fourCC(view, at)
    const length = view.getUint32(at + 4, true)
    if (at + 8 + length > end) return 'damaged'
    chunks += 1
    if (chunks > CHUNKS_MAX) return 'expensive'
    if (type === 'ANIM' || type === 'ANMF') return 'animated'
    if (type === 'VP8X') {
      if (chunks > 1) return 'damaged'
      if ((view.getUint8(at + 8) & 2) !== 0) return 'animated'
    }
    if (type === 'VP8 ' || type === 'VP8L') {
      frames += 1
      // The frame of a still picture fills its canvas.
      const frame = readFrame(view, at)
      if (frames > 1 || frame?.width !== size.width || frame.height !== size.height) return 'damaged'
    }
    at += 8 + length + (length % 2)
  }
  return frames === 0 ? 'damaged' : null
}

/** The size of a frame, read as if its chunk were the only one of a file. */
function readFrame(view: DataView, at: number): Dimensions | null {
  return readDimensions(
    new Uint8Array(view.buffer, view.byteOffset + at - 12, view.byteLength - at + 12),
    'webp',
  )
}
