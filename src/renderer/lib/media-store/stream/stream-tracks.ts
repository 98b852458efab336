import { type Box, boxes, bytesIn } from '#/shared/media-formats'
import { rowsOf } from '#/shared/mp4-tables'
import { isPlayedEverywhere } from '#/shared/played-codecs'
import type { PlayedMovie, PlayedTrack } from '#/shared/played-mp4'

/** A track of a movie, with its samples in the order in which they are decoded. Times in units of its timescale. */
export interface StreamTrack extends Pick<PlayedTrack, 'makeCheck'> {
  kind: 'pictures' | 'sound'
  /** As in a media type. */
  codec: string
  timescale: number
  count: number
  /** Where they are in the file. */
  from: Float64Array
  sizes: Uint32Array
  /** When they are decoded; shown after it by a shift, which may be negative. */
  times: Float64Array
  durations: Uint32Array
  shifts: Int32Array
  isKey: Uint8Array
  /** Where it begins on the time line of the movie, and where an edit ends it; infinite without one. In seconds. */
  delay: number
  end: number
  /** The description of its samples, and the end of its header: how it is turned, and its size. */
  description: Uint8Array
  geometry: Uint8Array
}

/** Bytes of the matrix and the size at the end of a track's header (ISO/IEC 14496-12, 8.3.2). */
const GEOMETRY_BYTES = 44

/** The box of a type, which every track has. Throws a RangeError without it. */
function boxOf({ boxes: found }: PlayedTrack, type: string): Box {
  const box = found.get(type)
  if (box === undefined) throw new RangeError(`A track has no box '${type}'.`)
  return box
}

/** Units of a second in a header of a movie or of a track's media, of which there are two versions. */
function timescaleAt(view: DataView, { start }: Box): number {
  const timescale = view.getUint32(start + (view.getUint8(start) === 1 ? 20 : 12))
  if (timescale === 0) throw new RangeError('A second has no units.')
  return timescale
}

/** The values of a table of runs: how many samples have which value. Throws a RangeError unless these are all samples. */
function* runs(view: DataView, table: Box | undefined, samples: number): Generator<number> {
  let left = samples
  for (const at of rowsOf(view, table, 8)) {
    const count = view.getUint32(at)
    left -= count
    if (left < 0) break
    for (let each = 0; each < count; each += 1) yield view.getInt32(at + 4)
  }
  if (left !== 0) throw new RangeError('A table has not one value for each sample.')
}

interface Edit {
  delay: number
  end: number
  /** Units of the track that are not shown before its first picture. */
  hidden: number
}

/** What an edit list says: time without pictures, and then one part. Throws a RangeError for more parts, which the app does not write. */
function readEdit(view: DataView, list: Box | undefined, timescale: number): Edit {
  const isLong = list !== undefined && view.getUint8(list.start) === 1
  let [delay, part] = [0, null as { length: number; from: number } | null]
  for (const at of rowsOf(view, list, isLong ? 20 : 12)) {
    const length = isLong ? Number(view.getBigUint64(at)) : view.getUint32(at)
    const from = isLong ? Number(view.getBigInt64(at + 8)) : view.getInt32(at + 4)
    if (part !== null) throw new RangeError('A track has several parts.')
    if (from < 0) delay += length / timescale
    else part = { length: length / timescale, from }
  }
  // A part without a length is all that follows.
  const end = part === null || part.length === 0 ? Number.POSITIVE_INFINITY : delay + part.length
  return { delay, end, hidden: part?.from ?? 0 }
}

const hex = (value: number) => value.toString(16).padStart(2, '0')
const two = (value: number) => String(value).padStart(2, '0')

/** The codec in a description of samples, as in a media type. Throws a RangeError for one that the app does not write. */
function codecOf(view: DataView, description: Box): string {
  const [entry] = boxes(view, description.start + 8, description.end)
  if (entry === undefined) throw new RangeError('A track has no description.')
  const { type } = entry
  const box = (name: string, at: number): number => {
    const [found] = boxes(view, entry.start + at, entry.end, name)
    if (found === undefined) throw new RangeError('A codec has no configuration.')
    return found.start
  }
  if (type === 'Opus') return 'opus'
  if (type === 'mp4a') return `mp4a.40.${aacKind(view, box('esds', 28))}`
  if (type === 'avc1' || type === 'avc3') {
    const at = box('avcC', 78)
    return `${type}.${[1, 2, 3].map((byte) => hex(view.getUint8(at + byte))).join('')}`
  }
  if (type === 'vp09') {
    const at = box('vpcC', 78)
    const [profile, level, depth] = [view.getUint8(at + 4), view.getUint8(at + 5), view.getUint8(at + 6) >> 4]
    return `vp09.${two(profile)}.${two(level)}.${two(depth)}`
  }
  if (type === 'av01') {
    const at = box('av1C', 78)
    const [first, second] = [view.getUint8(at + 1), view.getUint8(at + 2)]
    const depth = second & 0x40 ? (second & 0x20 ? 12 : 10) : 8
    return `av01.${first >> 5}.${two(first & 31)}${second & 0x80 ? 'H' : 'M'}.${two(depth)}`
  }
  throw new RangeError('A codec is not one that every reader plays.')
}

/** AAC LC, HE-AAC and HE-AAC v2, which the app copies. */
const AAC: ReadonlySet<number> = new Set([2, 5, 29])
/** Descriptors of MPEG-4: a stream, its decoder, and the configuration of that (ISO/IEC 14496-1, 7.2.6). */
const [STREAM, DECODER, CONFIGURATION] = [3, 4, 5]
const MPEG_4_SOUND = 0x40

/** The kind of AAC that the descriptors in `esds` name. */
function aacKind(view: DataView, start: number): number {
  let at = start + 4
  const open = (tag: number) => {
    if (view.getUint8(at) !== tag) throw new RangeError('A description of sound has other parts.')
    at += 1
    // Bytes of its length, but the last one, begin with a bit of one.
    while (view.getUint8(at) & 0x80) at += 1
    at += 1
  }
  open(STREAM)
  if (view.getUint8(at + 2) !== 0) throw new RangeError('A description of sound has other fields.')
  at += 3
  open(DECODER)
  if (view.getUint8(at) !== MPEG_4_SOUND) throw new RangeError('The sound is not AAC.')
  at += 13
  open(CONFIGURATION)
  const kind = view.getUint8(at) >> 3
  if (!AAC.has(kind)) throw new RangeError('The sound is of a kind that not every reader plays.')
  return kind
}

function readTrack(view: DataView, track: PlayedTrack, movieTimescale: number): StreamTrack {
  const media = timescaleAt(view, boxOf(track, 'mdhd'))
  const description = boxOf(track, 'stsd')
  const header = boxOf(track, 'tkhd')
  if (header.end - header.start < GEOMETRY_BYTES) throw new RangeError('A header ends too early.')
  const codec = codecOf(view, description)
  const kind = track.makeCheck() === null ? 'sound' : 'pictures'
  if (kind === 'pictures' && !isPlayedEverywhere(codec))
    throw new RangeError('A codec is not one that every reader plays.')

  const places = [...track.samples()]
  const count = places.length
  const { delay, end, hidden } = readEdit(view, track.boxes.get('elst'), movieTimescale)
  const durations = Uint32Array.from(runs(view, track.boxes.get('stts'), count))
  const times = new Float64Array(count)
  for (let sample = 1; sample < count; sample += 1)
    times[sample] = (times[sample - 1] ?? 0) + (durations[sample - 1] ?? 0)
  const composed = track.boxes.get('ctts')
  const shifts = composed === undefined ? new Int32Array(count) : Int32Array.from(runs(view, composed, count))
  const keys = track.boxes.get('stss')
  const isKey = new Uint8Array(count).fill(keys === undefined ? 1 : 0)
  for (const at of rowsOf(view, keys, 4)) isKey[view.getUint32(at) - 1] = 1
  return {
    kind,
    codec,
    makeCheck: track.makeCheck,
    timescale: media,
    count,
    from: Float64Array.from(places, ([from]) => from),
    sizes: Uint32Array.from(places, ([from, to]) => to - from),
    times,
    durations,
    shifts: shifts.map((shift) => shift - hidden),
    isKey,
    delay,
    end,
    description: bytesIn(view, { start: description.start - 8, end: description.end }),
    geometry: bytesIn(view, { start: header.end - GEOMETRY_BYTES, end: header.end }),
  }
}

/** When a sample is shown, in seconds of the movie. */
export function shownAt({ times, shifts, timescale, delay }: StreamTrack, sample: number): number {
  return delay + ((times[sample] ?? 0) + (shifts[sample] ?? 0)) / timescale
}

/** The tracks of a movie, pictures first: one of pictures, and one of sound at most. Throws a RangeError for others. */
export function streamTracks({ view, tracks }: PlayedMovie): [pictures: StreamTrack, sound?: StreamTrack] {
  const [header] = boxes(view, 8, view.byteLength, 'mvhd')
  if (header === undefined) throw new RangeError('A movie has no header.')
  const timescale = timescaleAt(view, header)
  const read = tracks.map((track) => readTrack(view, track, timescale))
  const [pictures, ...others] = read.filter(({ kind, count }) => kind === 'pictures' && count > 0)
  if (pictures === undefined || others.length > 0) throw new RangeError('A video has one track of pictures.')
  const sound = read.find(({ kind, count }) => kind === 'sound' && count > 0)
  return sound === undefined ? [pictures] : [pictures, sound]
}
