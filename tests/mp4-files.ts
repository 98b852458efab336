import { box } from '#tests/e2e/fixtures/videos'

/** Numbers of four bytes. */
export function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

/** Tables of a few bytes that describe this many samples of one byte. */
export function tables(samples: number): Buffer[] {
  return [
    box('stts', words(0, 1, samples, 512)),
    box('stsz', words(0, 1, samples)),
    box('stsc', words(0, 1, 1, samples, 1)),
    box('stco', words(0, 1, 40)),
  ]
}

interface TrackParts {
  samples: number
  /** How often an edit list shows all of them. */
  edits?: number
  /** What stands behind the tables, behind the track's media, and in the description of its pictures. */
  beside?: Buffer
  behind?: Buffer
  description?: Buffer
}

const NOTHING = Buffer.alloc(0)

/** The fields of a description of pictures: 24 bits for a pixel, and no table of colours. */
export function pictureFields(bits = 24): Buffer {
  const fields = Buffer.alloc(78)
  fields.writeInt16BE(bits, 74)
  fields.writeInt16BE(-1, 76)
  return fields
}

export function track({
  samples,
  edits = 0,
  beside = NOTHING,
  behind = NOTHING,
  ...parts
}: TrackParts): Buffer {
  const list = Array.from({ length: edits }, () => words(samples, 0, 0x10000))
  const { description = NOTHING } = parts
  const samplesTable = box(
    'stbl',
    box('stsd', words(0, 1), box('avc1', pictureFields(), description)),
    ...tables(samples),
    beside,
  )
  return box(
    'trak',
    box('tkhd', words(0, 0, 0, 1)),
    edits > 0 ? box('edts', box('elst', words(0, edits), ...list)) : NOTHING,
    box('mdia', box('mdhd', words(0, 0, 0, 600, 0)), box('minf', samplesTable)),
    behind,
  )
}

const MEDIA_BYTES = 100_000

/** An MP4 with 100 KB of media, in the order in which the app writes it. */
export function mp4(movie: readonly Buffer[], beside: readonly Buffer[] = []): Uint8Array<ArrayBuffer> {
  const parts = [box('moov', box('mvhd'), ...movie), ...beside, box('mdat', Buffer.alloc(MEDIA_BYTES))]
  return new Uint8Array(Buffer.concat([box('ftyp', 'isom\0\0\0\0isommp42'), ...parts]))
}
