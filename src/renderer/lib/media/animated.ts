import { SNIFF_BYTES, sniffMedia } from '#/shared/media-formats'

/** Whether a file is an animated GIF or WebP, of which a post shows the first frame. False for a file that cannot be read. */
export async function isAnimated(source: Blob): Promise<boolean> {
  try {
    const head = new Uint8Array(await source.slice(0, SNIFF_BYTES).arrayBuffer())
    const kind = sniffMedia(head)
    if (kind === 'webp') return isAnimatedWebp(head)
    return kind === 'gif' && hasFrames(new Uint8Array(await source.arrayBuffer()), 2)
  } catch {
    return false
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
