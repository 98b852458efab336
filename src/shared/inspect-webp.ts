import { type Dimensions, fourCC, readDimensions } from './media-formats'
import type { Inspector } from './picture-fault'
import { hasTooManyTiles } from './webp-lossless'

const CHUNKS_MAX = 1_000

/** RFC 9649. */
export const inspectWebp: Inspector = (view, size) => {
  const end = 8 + view.getUint32(4, true)
  if (end > view.byteLength) return 'damaged'
  let frames = 0
  let alphas = 0
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
    if (type === 'ALPH') alphas += 1
    if (type === 'VP8 ' || type === 'VP8L') frames += 1
    if (frames > 1 || alphas > 1) return 'damaged'
    if (type === 'VP8L' || type === 'ALPH') {
      const stream = losslessStream(view, at, length, type)
      if (stream !== null && hasTooManyTiles(stream, size)) return 'expensive'
    }
    if (type === 'VP8 ' || type === 'VP8L') {
      // The frame of a still picture fills its canvas.
      const frame = readFrame(view, at)
      if (frame?.width !== size.width || frame.height !== size.height) return 'damaged'
    }
    at += 8 + length + (length % 2)
  }
  return frames === 0 ? 'damaged' : null
}

/** The lossless stream of a frame, or of an alpha plane that is compressed. */
function losslessStream(
  view: DataView,
  at: number,
  length: number,
  type: 'VP8L' | 'ALPH',
): Uint8Array | null {
  const isCompressed = type === 'VP8L' || (view.getUint8(at + 8) & 3) === 1
  // A frame begins with a signature and its size; an alpha plane with its compression, and has the frame's size.
  const start = type === 'VP8L' ? 5 : 1
  if (!isCompressed || length < start) return null
  return new Uint8Array(view.buffer, view.byteOffset + at + 8 + start, length - start)
}

/** The size of a frame, read as if its chunk were the only one of a file. */
function readFrame(view: DataView, at: number): Dimensions | null {
  return readDimensions(
    new Uint8Array(view.buffer, view.byteOffset + at - 12, view.byteLength - at + 12),
    'webp',
  )
}
