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
  /** What stands behind the tables, behind the track's media, and in the description of its sound. */
  beside?: Buffer
  behind?: Buffer
  description?: Buffer
}

const NOTHING = Buffer.alloc(0)

/** The fields of a description of sound. */
export const SOUND_FIELDS = Buffer.alloc(28)

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
    box('stsd', words(0, 1), box('mp4a', SOUND_FIELDS, description)),
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

/** Bits as bytes: each a value and how many bits it has, or the bits of a number in Exp-Golomb (ITU-T H.264, 9.1). */
export function bits(...values: readonly ([value: number, count: number] | { golomb: number })[]): Buffer {
  const text = values
    .map((value) => {
      if (Array.isArray(value)) return value[0].toString(2).padStart(value[1], '0')
      const number = (value.golomb + 1).toString(2)
      return number.padStart(2 * number.length - 1, '0')
    })
    .join('')
  return Buffer.from(text.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)) ?? [])
}

/** A unit of AV1 (OBU) of this type with these bits. */
export function av1Unit(type: number, text: string): Buffer {
  const values = [...text.replaceAll(' ', '')].map((value): [number, number] => [Number(value), 1])
  const content = bits(...values, [0, 32])
  return Buffer.concat([Buffer.of((type << 3) | 2, content.length), content])
}

/** A unit of sequence parameters of H.264 for pictures of so many blocks of 16 pixels (7.3.2.1.1). */
export function sequence(columns: number, rows: number, profile = 66): Buffer {
  const [type, level] = [0x67, 40]
  const parameters = [0, 0, 2, 1].map((golomb) => ({ golomb }))
  return Buffer.concat([
    Buffer.of(type, profile, 0, level),
    bits(...parameters, [0, 1], { golomb: columns - 1 }, { golomb: rows - 1 }, [0b10001, 5]),
  ])
}

/** avcC with these units (ISO/IEC 14496-15, 5.3.3.1). */
export function avcConfiguration(...sequences: readonly Buffer[]): Buffer {
  const list = sequences.map((unit) => Buffer.concat([Buffer.of(0, unit.length), unit]))
  return Buffer.concat([Buffer.of(1, 66, 0, 40, 0xff, 0xe0 | sequences.length), ...list, Buffer.of(0)])
}

interface Pictures {
  configuration?: Buffer
  /** The units of each sample. */
  samples: readonly (readonly Buffer[])[]
  /** How many tracks have all of them. */
  tracks?: number
  /** Instead of those of the samples. */
  changed?: Partial<Record<'stsz' | 'stsc' | 'stco', Buffer>>
}

/** An MP4 of H.264. */
export function h264Mp4({
  configuration = avcConfiguration(sequence(20, 15)),
  samples,
  tracks = 1,
  changed = {},
}: Pictures): Uint8Array<ArrayBuffer> {
  const head = box('ftyp', 'isom\0\0\0\0isommp42')
  const data = samples.map((units) => Buffer.concat(units.flatMap((unit) => [words(unit.length), unit])))
  const table = box(
    'stbl',
    box('stsd', words(0, 1), box('avc1', pictureFields(), box('avcC', configuration))),
    box('stts', words(0, 1, data.length, 512)),
    box('stsz', changed.stsz ?? words(0, 0, data.length, ...data.map(({ length }) => length))),
    box('stsc', changed.stsc ?? words(0, 1, 1, data.length, 1)),
    box('stco', changed.stco ?? words(0, 1, head.length + 8)),
  )
  const media = box('mdia', box('mdhd', words(0, 0, 0, 600, 0)), box('minf', table))
  const each = Array.from({ length: tracks }, () => box('trak', box('tkhd', words(0, 0, 0, 1)), media))
  const movie = box('moov', box('mvhd'), ...each)
  return new Uint8Array(Buffer.concat([head, box('mdat', ...data), movie]))
}
