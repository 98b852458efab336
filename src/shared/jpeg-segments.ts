/** Markers of ITU-T T.81, the second byte after FF. */
export const JPEG = { startOfImage: 0xd8, end: 0xd9, startOfScan: 0xda, temporary: 0x01, app1: 0xe1 } as const
/** Markers from 02 up to this one are reserved. */
const FIRST_USED = 0xc0

export interface JpegSegment {
  marker: number
  /** Offset of the content after the length. */
  start: number
}

/**
 * The segments of a JPEG after its first marker, up to the end of the file. The data of scans and stray bytes between segments are
 * skipped, as decoders do. Throws a RangeError if a segment ends after the file, and at a reserved marker: decoders that search for
 * a restart marker skip two bytes there, and would find scans in what looks like the segment's content.
 */
export function* jpegSegments(view: DataView): Generator<JpegSegment> {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  for (let at = 2; ; ) {
    at = bytes.indexOf(0xff, at)
    if (at === -1) return
    while (bytes[at] === 0xff) at += 1
    const marker = bytes[at]
    if (marker === undefined) return
    at += 1
    // A stuffed zero and restart markers belong to the data of a scan.
    if (marker === 0x00 || (marker >= 0xd0 && marker <= 0xd7)) continue
    if (marker === JPEG.startOfImage || marker === JPEG.end || marker === JPEG.temporary) {
      yield { marker, start: at }
      continue
    }
    if (marker < FIRST_USED) throw new RangeError('A JPEG has a reserved marker')
    const length = view.getUint16(at)
    if (length < 2) throw new RangeError('A JPEG segment is shorter than its length')
    yield { marker, start: at + 2 }
    at += length
  }
}

/** C0 to CF without the three that are tables: DHT (C4), JPG (C8) and DAC (CC). */
export function isStartOfFrame(marker: number): boolean {
  return (marker >= 0xc0 && marker <= 0xcf && marker % 4 !== 0) || marker === 0xc0
}
