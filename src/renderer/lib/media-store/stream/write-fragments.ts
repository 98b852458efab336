import type { StreamTrack } from './stream-tracks'

const TEXT = new TextEncoder()

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** Numbers of four bytes. */
function words(...values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length))
  for (const [index, value] of values.entries()) view.setInt32(4 * index, value)
  return new Uint8Array(view.buffer)
}

function box(type: string, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const contents = concat(parts)
  return concat([words(contents.length + 8), TEXT.encode(type), contents])
}

const UNITY = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
const LANGUAGE_UNKNOWN = 0x55c40000
/** The media are in this file. */
const SAME_FILE = box('dinf', box('dref', words(0, 1), box('url ', words(1))))
/** Enabled, and in the movie. */
const SHOWN = 3

function trackBox(
  { kind, timescale, description, geometry }: StreamTrack,
  id: number,
): Uint8Array<ArrayBuffer> {
  const arePictures = kind === 'pictures'
  const handler = box(
    'hdlr',
    words(0, 0),
    TEXT.encode(arePictures ? 'vide' : 'soun'),
    words(0, 0, 0),
    Uint8Array.of(0),
  )
  const empty = ['stts', 'stsc', 'stco'].map((type) => box(type, words(0, 0)))
  const table = box('stbl', description, ...empty, box('stsz', words(0, 0, 0)))
  const kindHeader = arePictures ? box('vmhd', words(1, 0, 0)) : box('smhd', words(0, 0))
  // The volume of sound is the upper half of the fourth word.
  const header = box('tkhd', words(SHOWN, 0, 0, id, 0, 0, 0, 0, 0, arePictures ? 0 : 0x01000000), geometry)
  return box(
    'trak',
    header,
    box(
      'mdia',
      box('mdhd', words(0, 0, 0, timescale, 0, LANGUAGE_UNKNOWN)),
      handler,
      box('minf', kindHeader, SAME_FILE, table),
    ),
  )
}

/** The start of a stream: what its tracks are, without a sample (ISO/IEC 14496-12, 8.8). */
export function writeStart(tracks: readonly StreamTrack[]): Uint8Array<ArrayBuffer> {
  const next = tracks.length + 1
  const header = box(
    'mvhd',
    words(0, 0, 0, 1_000, 0, 0x10000, 0x01000000, 0, 0),
    UNITY,
    words(0, 0, 0, 0, 0, 0, next),
  )
  const defaults = tracks.map((_, index) => box('trex', words(0, index + 1, 1, 0, 0, 0)))
  return concat([
    box('ftyp', TEXT.encode('iso6'), words(0), TEXT.encode('iso6mp41')),
    box(
      'moov',
      header,
      ...tracks.map((track, index) => trackBox(track, index + 1)),
      box('mvex', ...defaults),
    ),
  ])
}

/** Samples of a track that follow each other. */
export interface Run {
  track: StreamTrack
  id: number
  first: number
  data: readonly Uint8Array[]
}

/** Offsets are from the start of the fragment. */
const FROM_FRAGMENT = 0x020000
/** Where the data begins; and of each sample its duration, size, flags and shift. */
const RUN_HAS = 0x01000f01
/** A sample that needs no other one, and one that does and where no decoder can begin. */
const [KEY, NOT_KEY] = [0x02000000, 0x01010000]

function runBox({ track, id, first, data }: Run, added: number, dataAt: number): Uint8Array<ArrayBuffer> {
  const start = (track.times[first] ?? 0) + Math.round((track.delay + added) * track.timescale)
  const samples = data.flatMap(({ length }, index) => {
    const sample = first + index
    const flags = track.isKey[sample] === 1 ? KEY : NOT_KEY
    return [track.durations[sample] ?? 0, length, flags, track.shifts[sample] ?? 0]
  })
  return box(
    'traf',
    box('tfhd', words(FROM_FRAGMENT, id)),
    box('tfdt', words(0x01000000, Math.floor(start / 2 ** 32), start % 2 ** 32)),
    box('trun', words(RUN_HAS, data.length, dataAt), words(...samples)),
  )
}

/**
 * A part of a stream.
 *
 * @param number the first has 1
 * @param added to all times, in seconds
 */
export function writeFragment(runs: readonly Run[], number: number, added: number): Uint8Array<ArrayBuffer> {
  const head = (offsets: readonly number[]) =>
    box(
      'moof',
      box('mfhd', words(0, number)),
      ...runs.map((run, index) => runBox(run, added, offsets[index] ?? 0)),
    )
  // It has the same bytes with other offsets.
  const start = head([]).length + 8
  let at = start
  const offsets = runs.map(({ data }) => {
    const from = at
    at += data.reduce((sum, { length }) => sum + length, 0)
    return from
  })
  return concat([
    head(offsets),
    words(at - start + 8),
    TEXT.encode('mdat'),
    ...runs.flatMap(({ data }) => data),
  ])
}
