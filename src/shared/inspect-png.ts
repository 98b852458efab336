import { fourCC } from './media-formats'
import type { Inspector } from './picture-fault'

const CHUNKS_MAX = 5_000
/** Compressed bytes besides the pixels, which expand by up to a thousand times. Decoders spend ten times as long on a profile. */
const EXTRAS_MAX: Readonly<Record<string, number>> = { iCCP: 16 * 1024, zTXt: 256 * 1024, iTXt: 256 * 1024 }
/** Deflate cannot compress further: 258 bytes take at least two bits. */
const DEFLATE_RATIO_MAX = 1_032

/** Samples per pixel, by the colour type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** PNG, third edition. A missing IEND is harmless. */
export const inspectPng: Inspector = (view, { width, height }) => {
  const samples = SAMPLES[view.getUint8(25)]
  if (view.getUint32(8) !== 13 || samples === undefined) return 'damaged'
  let data = 0
  const extras = new Map<string, number>()
  let chunks = 0
  for (let at = 33; at < view.byteLength; ) {
    const length = view.getUint32(at)
    const type = fourCC(view, at + 4)
    at += 12 + length
    if (type === 'IEND') break
    if (at > view.byteLength || type === 'IHDR') return 'damaged'
    chunks += 1
    if (chunks > CHUNKS_MAX) return 'expensive'
    if (type === 'acTL' || type === 'fcTL' || type === 'fdAT') return 'animated'
    // A gain map: another picture, with its own size.
    if (type === 'gmAP' || type === 'gdAT') return 'damaged'
    if (type === 'IDAT') data += length
    const most = EXTRAS_MAX[type]
    if (most !== undefined) {
      const total = (extras.get(type) ?? 0) + length
      if (total > most) return 'expensive'
      extras.set(type, total)
    }
  }
  const pixels = height * (1 + Math.ceil((width * samples * view.getUint8(24)) / 8))
  return data * DEFLATE_RATIO_MAX < pixels ? 'damaged' : null
}
