import type { CheckPacket } from '#/shared/frame-sizes'
import { STORED_VIDEO_BYTES } from '#/shared/limits'
import { readPlayedMovie, SAMPLE_BYTES_MAX } from '#/shared/played-mp4'
import type { ReadObject } from './object-parts'
import { type StreamTrack, shownAt, streamTracks } from './stream-tracks'
import { type Run, writeFragment, writeStart } from './write-fragments'

/** A fragment ends after so many seconds, or bytes. */
const [FRAGMENT_SECONDS, FRAGMENT_BYTES] = [1, 2_000_000]
/** Chromium waits for sound that begins later than this after the pictures, in seconds. */
const LATE_SOUND = 1
/** Times of a player are rounded, in seconds. */
const ROUNDING = 0.001

interface Fragment {
  bytes: Uint8Array<ArrayBuffer>
  /** Until when it has samples, in seconds. */
  to: number
}

/** A video that is checked while it is read. Times in seconds. */
export interface CheckedStream {
  /** With its codecs, for a SourceBuffer. */
  mediaType: string
  /** What is before the first time is decoded, but not shown. */
  from: number
  to: number
  /** What comes before all fragments. */
  start: Uint8Array<ArrayBuffer>
  /** The key picture at or before a time. */
  keyBefore: (time: number) => number
  /**
   * Its fragments, from the key picture before a time. Rejects with a RangeError for a packet that must not be played, an `AppError`, or
   * the signal's reason.
   */
  fragmentsFrom: (time: number, signal: AbortSignal) => AsyncGenerator<Fragment>
}

const decodedAt = ({ times, timescale, delay }: StreamTrack, sample: number) =>
  delay + (times[sample] ?? 0) / timescale

function endOf(track: StreamTrack): number {
  let last = 0
  for (let sample = 0; sample < track.count; sample += 1)
    last = Math.max(last, shownAt(track, sample) + (track.durations[sample] ?? 0) / track.timescale)
  return Math.min(last, track.end)
}

/** The last sample at which a decoder can begin so that it has what is shown at a time; the first one without any before it. */
function keyAt(track: StreamTrack, time: number): number {
  let [found, first] = [-1, -1]
  for (let sample = 0; sample < track.count; sample += 1) {
    if (track.isKey[sample] !== 1) continue
    if (first < 0) first = sample
    if (shownAt(track, sample) <= time + ROUNDING) found = sample
  }
  return Math.max(0, found < 0 ? first : found)
}

interface Reader {
  track: StreamTrack
  id: number
  check: CheckPacket | null
  next: number
}

/** The reader whose next sample is decoded first; undefined after the last one. */
function earliest(readers: readonly Reader[]): Reader | undefined {
  const waiting = readers.filter(({ track, next }) => next < track.count)
  return waiting.reduce<Reader | undefined>(
    (first, each) =>
      first === undefined || decodedAt(each.track, each.next) < decodedAt(first.track, first.next)
        ? each
        : first,
    undefined,
  )
}

/** Reads the tables of a stored MP4 and checks them. Rejects with a RangeError if it must not be played, an `AppError`, or the signal's reason. */
export async function openStream(read: ReadObject, signal: AbortSignal): Promise<CheckedStream> {
  const movie = await readPlayedMovie(
    // A copy, as its window is forgotten.
    async (from, to) => (await read(from, to, signal)).slice(),
    STORED_VIDEO_BYTES,
  )
  const [pictures, sound] = streamTracks(movie)
  const begin = shownAt(pictures, 0)
  const isHeard = sound !== undefined && shownAt(sound, 0) <= begin + LATE_SOUND
  const tracks = isHeard ? [pictures, sound] : [pictures]
  // A player drops a picture before zero, and all that need it.
  const added = Math.max(0, -begin)

  const readSample = async ({ track, check, next }: Reader, from: AbortSignal) => {
    const [at, bytes] = [track.from[next] ?? 0, track.sizes[next] ?? 0]
    if (bytes > SAMPLE_BYTES_MAX) throw new RangeError('A sample is too large.')
    const data = await read(at, at + bytes, from)
    if (data.length < bytes) throw new RangeError('A sample ends after the file.')
    check?.(data)
    return data
  }

  return {
    mediaType: `video/mp4; codecs="${tracks.map(({ codec }) => codec).join(', ')}"`,
    from: Math.max(added, begin),
    to: added + Math.max(...tracks.map(endOf)),
    start: writeStart(tracks),
    keyBefore: (time) => added + shownAt(pictures, keyAt(pictures, time - added)),
    async *fragmentsFrom(time, ending) {
      const key = keyAt(pictures, time - added)
      const readers = tracks.map((track, index): Reader => {
        // A decoder of sound needs the packet before.
        const next = track === pictures ? key : Math.max(0, keyAt(track, shownAt(pictures, key)) - 1)
        return { track, id: index + 1, check: track.makeCheck(), next }
      })
      for (let number = 1; ; number += 1) {
        const runs = readers.map(({ track, id, next }) => ({
          track,
          id,
          first: next,
          data: [] as Uint8Array[],
        }))
        let [since, to, bytes] = [Number.POSITIVE_INFINITY, 0, 0]
        for (let reader = earliest(readers); reader !== undefined; reader = earliest(readers)) {
          const at = decodedAt(reader.track, reader.next)
          since = Math.min(since, at)
          if (at >= since + FRAGMENT_SECONDS || bytes >= FRAGMENT_BYTES) break
          const data = await readSample(reader, ending)
          runs[reader.id - 1]?.data.push(data)
          bytes += data.length
          to = added + at + (reader.track.durations[reader.next] ?? 0) / reader.track.timescale
          reader.next += 1
        }
        const written: Run[] = runs.filter(({ data }) => data.length > 0)
        if (written.length === 0) return
        yield { bytes: writeFragment(written, number, added), to }
      }
    },
  }
}
