import { MediaError } from '#/renderer/lib/media/source/media-error'
import { JPEG, jpegSegments } from '#/shared/jpeg-segments'
import { fourCC, viewOf } from '#/shared/media-formats'

/**
 * A JPEG or PNG without what Chromium would apply or trip over: without EXIF, because it applies only some orientations and has no
 * option to apply none; without what follows the picture (the video of a Motion Photo, further pictures of an MPO); with its end.
 */
export interface BrowserSource {
  file: Blob
  /** The same with noise before its end, where the file has no end: decoded alike if nothing else is missing. */
  control: Blob | null
}

/** Makes a JPEG or PNG that Chromium decodes completely and does not turn. `bytes` are those of `source`. Throws MediaError. */
export function browserSource(source: Blob, bytes: Uint8Array, kind: 'jpeg' | 'png'): BrowserSource {
  const view = viewOf(bytes)
  const { cuts, end } = kind === 'jpeg' ? cutJpeg(view) : cutPng(view)
  const parts: Blob[] = []
  let from = 0
  for (const [start, after] of cuts) {
    parts.push(source.slice(from, start))
    from = after
  }
  parts.push(source.slice(from, end ?? source.size))
  if (end !== null) return { file: new Blob(parts), control: null }
  return kind === 'jpeg'
    ? { file: new Blob([...parts, JPEG_END]), control: new Blob([...parts, NOISE, JPEG_END]) }
    : { file: new Blob([...parts, PNG_END]), control: null }
}

const JPEG_END = Uint8Array.of(0xff, JPEG.end)
/** The chunk IEND, empty and with its checksum. Chromium refuses a PNG that has it before all pixels. */
const PNG_END = Uint8Array.of(0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82)
/** Not a marker. A decoder skips it after a complete scan, and takes it for pixels within one. */
const NOISE = new Uint8Array(64).fill(0xa7)

/** Parts to leave out of a file that a camera or program wrote: each is an object of the browser's process. */
const CUTS_MAX = 100

/** Adds a part to leave out. Throws MediaError 'broken' if there are too many. */
function addCut(cuts: Cuts['cuts'], start: number, after: number): void {
  const last = cuts.at(-1)
  if (last?.[1] === start) last[1] = after
  else if (cuts.push([start, after]) > CUTS_MAX) throw new MediaError('broken')
}

interface Cuts {
  /** Parts to leave out, in order. */
  cuts: [start: number, after: number][]
  /** Where the picture ends; null if the file has no end. */
  end: number | null
}

function cutJpeg(view: DataView): Cuts {
  const cuts: Cuts['cuts'] = []
  let isScanned = false
  try {
    for (const { marker, start } of jpegSegments(view)) {
      if (marker === JPEG.end) return { cuts, end: start }
      if (marker === JPEG.startOfScan) isScanned = true
      const isExif =
        marker === JPEG.app1 &&
        !isScanned &&
        fourCC(view, start) === 'Exif' &&
        view.getUint16(start + 4) === 0
      // From the marker to the end of its content.
      if (isExif) addCut(cuts, start - 4, start - 2 + view.getUint16(start - 2))
    }
  } catch (error) {
    // A segment ends after the file, or follows damaged data.
    if (!(error instanceof RangeError)) throw error
  }
  return { cuts, end: null }
}

function cutPng(view: DataView): Cuts {
  const cuts: Cuts['cuts'] = []
  for (let at = 8; at + 12 <= view.byteLength; ) {
    const type = fourCC(view, at + 4)
    const after = at + 12 + view.getUint32(at)
    if (type === 'IEND') return { cuts, end: after }
    if (type === 'eXIf') addCut(cuts, at, after)
    at = after
  }
  return { cuts, end: null }
}
