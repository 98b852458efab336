import { fourCC, type PhotoKind, viewOf } from '#/shared/media-formats'

/** An hour of a screen, at three a second. */
const FRAMES_MOST = 10_000

/**
 * Whether an animation has more frames than anybody makes. Only the first is shown, but Chromium looks at all of them before: for those of
 * a WebP again and again, so that 14 MB never ended, and with memory for each of a GIF, so that 200 MB took gigabytes.
 */
export function hasTooManyFrames(bytes: Uint8Array, kind: PhotoKind): boolean {
  const frames = FRAMES[kind]?.(viewOf(bytes))
  if (frames === undefined) return false
  let count = 0
  try {
    for (const _ of frames) {
      count += 1
      if (count > FRAMES_MOST) return true
    }
  } catch (error) {
    // The file ends inside a part.
    if (!(error instanceof RangeError)) throw error
  }
  return false
}

const FRAMES: Partial<Record<PhotoKind, (view: DataView) => Generator<number>>> = {
  gif: gifFrames,
  png: pngFrames,
  webp: webpFrames,
}

/** GIF89a: images among extensions, both with data in blocks of up to 255 bytes. Yields where each begins. */
function* gifFrames(view: DataView): Generator<number> {
  const tableBytes = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))
  let at = 13 + tableBytes(view.getUint8(10))
  for (;;) {
    const type = view.getUint8(at)
    if (type === 0x2c) {
      yield at
      at += 11 + tableBytes(view.getUint8(at + 9))
    } else if (type === 0x21) at += 2
    else return
    while (view.getUint8(at) !== 0) at += view.getUint8(at) + 1
    at += 1
  }
}

/** PNG, third edition. */
function* pngFrames(view: DataView): Generator<number> {
  for (let at = 8; at + 12 <= view.byteLength; at += 12 + view.getUint32(at))
    if (fourCC(view, at + 4) === 'fcTL') yield at
}

/** RFC 9649. */
function* webpFrames(view: DataView): Generator<number> {
  for (let at = 12; at + 8 <= view.byteLength; ) {
    if (fourCC(view, at) === 'ANMF') yield at
    const length = view.getUint32(at + 4, true)
    at += 8 + length + (length % 2)
  }
}
