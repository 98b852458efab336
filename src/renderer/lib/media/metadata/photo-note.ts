import { fourCC, isAnimatedJxl, sniffMedia, viewOf } from '#/shared/media-formats'
import { isRawTiff } from './raw-preview'

/** What a member should know before a photo is shared: it becomes a still, or the preview of a RAW file is used. */
export type PhotoNote = 'animated' | 'raw'

/** Bytes that contain the header of a PNG's animation, and the directories of a RAW file. */
const HEAD = 1024 * 1024

/** The note about a chosen file; null without one, and for a file that cannot be read. */
export async function photoNote(source: Blob): Promise<PhotoNote | null> {
  try {
    const head = new Uint8Array(await source.slice(0, HEAD).arrayBuffer())
    switch (sniffMedia(head)) {
      case 'raw':
        return 'raw'
      case 'tiff':
        return isRawTiff(head) ? 'raw' : null
      case 'gif':
        return hasFrames(new Uint8Array(await source.arrayBuffer()), 2) ? 'animated' : null
      case 'webp':
        return isAnimatedWebp(head) ? 'animated' : null
      case 'png':
        return isAnimatedPng(head) ? 'animated' : null
      case 'avif':
      case 'heic':
        return isSequence(head) ? 'animated' : null
      case 'jxl':
        return isAnimatedJxl(viewOf(head)) ? 'animated' : null
      default:
        return null
    }
  } catch {
    return null
  }
}

/** RFC 9649: the animation flag of the extended header. */
function isAnimatedWebp(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(12, 16)) === 'VP8X' && ((bytes[20] ?? 0) & 2) !== 0
}

/** The length of the colour table that a flags byte of a GIF announces. */
function tableLength(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

/** GIF89a: whether a file has at least this many images. Every step moves forward, so that damaged files end it too. */
function hasFrames(bytes: Uint8Array, wanted: number): boolean {
  const byte = (at: number) => bytes[at] ?? 0
  let frames = 0
  let at = 13 + tableLength(byte(10))
  while (at < bytes.length) {
    const block = byte(at)
    if (block === 0x2c) {
      frames += 1
      if (frames === wanted) return true
      // The descriptor, its colour table, and the size of the first code.
      at += 10 + tableLength(byte(at + 9)) + 1
    } else if (block === 0x21) {
      at += 2
    } else {
      return false
    }
    while (byte(at) !== 0) at += byte(at) + 1
    at += 1
  }
  return false
}

/** PNG, third edition, 11.3.6: the chunk acTL comes before the pixels. */
function isAnimatedPng(bytes: Uint8Array): boolean {
  const view = viewOf(bytes)
  for (let at = 8; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    const type = fourCC(view, at + 4)
    if (type === 'acTL' || type === 'IDAT') return type === 'acTL'
  }
  return false
}

/** ISO/IEC 23008-12 and AVIF 1.1: the first brand of a file that is to be played. */
function isSequence(bytes: Uint8Array): boolean {
  return ['avis', 'msf1', 'hevc', 'hevx'].includes(fourCC(viewOf(bytes), 8))
}
