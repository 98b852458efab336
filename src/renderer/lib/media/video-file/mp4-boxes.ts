import { type Box, boxes } from '#/shared/media-formats'

/** The boxes at this path: every one of its last type, in the first of each type before. */
function boxesAt(view: DataView, path: readonly string[], within?: Box): Box[] {
  const [type, ...rest] = path
  const { start, end } = within ?? { start: 0, end: view.byteLength }
  const found = [...boxes(view, start, end, type)]
  if (rest.length === 0) return found
  return found[0] === undefined ? [] : boxesAt(view, rest, found[0])
}

/** Whether a full box has 64-bit times and durations. */
function isLong(view: DataView, box: Box): boolean {
  return view.getUint8(box.start) === 1
}

/** Reads the units per second of mvhd or mdhd. */
function timescaleOf(view: DataView, box: Box | undefined): number {
  return box === undefined ? 0 : view.getUint32(box.start + (isLong(view, box) ? 20 : 12))
}

/** An entry of an edit list, in seconds. */
export interface Edit {
  /** The time in the track's media; null if nothing is shown. */
  from: number | null
  /** Infinity if the edit ends with the media. */
  seconds: number
  rate: number
}

function readEdits(view: DataView, list: Box, movieScale: number, mediaScale: number): Edit[] {
  const long = isLong(view, list)
  const size = long ? 20 : 12
  const count = Math.min(view.getUint32(list.start + 4), Math.floor((list.end - list.start - 8) / size))
  return Array.from({ length: count }, (_, index) => {
    const at = list.start + 8 + index * size
    const duration = long ? Number(view.getBigUint64(at)) : view.getUint32(at)
    const from = long ? Number(view.getBigInt64(at + 8)) : view.getInt32(at + 4)
    return {
      from: from < 0 ? null : from / mediaScale,
      seconds: duration === 0 ? Number.POSITIVE_INFINITY : duration / movieScale,
      rate: view.getInt32(at + size - 4) / 0x10000,
    }
  })
}

/** The edit lists of an MP4 by track id. Throws a RangeError if the file is damaged. */
export function editLists(view: DataView): Map<number, Edit[]> {
  const movieScale = timescaleOf(view, boxesAt(view, ['moov', 'mvhd'])[0])
  const lists = new Map<number, Edit[]>()
  for (const track of boxesAt(view, ['moov', 'trak'])) {
    const [header] = boxesAt(view, ['tkhd'], track)
    const [list] = boxesAt(view, ['edts', 'elst'], track)
    if (header === undefined || list === undefined) continue
    const id = view.getUint32(header.start + (isLong(view, header) ? 20 : 12))
    const mediaScale = timescaleOf(view, boxesAt(view, ['mdia', 'mdhd'], track)[0])
    lists.set(id, readEdits(view, list, movieScale, mediaScale))
  }
  return lists
}

/** A part of a track that is shown, in seconds of the timestamps that mediabunny gives to its packets. */
export interface VisiblePart {
  from: number
  to: number
  /** What to add to a timestamp to get the time at which it is shown. */
  shift: number
}

/** What a track without an edit list shows. */
const EVERYTHING: readonly VisiblePart[] = [{ from: 0, to: Number.POSITIVE_INFINITY, shift: 0 }]

/**
 * The parts of a track that its edit list shows, in order; null if it repeats, reorders or slows down any. Mediabunny
 * applies the first edit only, so its timestamps are those at which that edit is shown.
 */
export function visibleParts(edits: readonly Edit[] | undefined): readonly VisiblePart[] | null {
  const parts: VisiblePart[] = []
  let shownAt = 0
  let offset: number | null = null
  for (const { from, seconds, rate } of edits ?? []) {
    if (from !== null) {
      if (rate !== 1) return null
      offset ??= shownAt - from
      const start = from + offset
      const previous = parts.at(-1)
      if (previous !== undefined && start < previous.to) return null
      parts.push({ from: start, to: start + seconds, shift: shownAt - start })
    }
    shownAt += seconds
  }
  return parts.length === 0 ? EVERYTHING : parts
}

/**
 * The parts of a track that are shown between two times, in seconds of the shown video.
 *
 * @param parts in order, as `visibleParts` returns them
 */
export function trimParts(parts: readonly VisiblePart[], from: number, to: number): readonly VisiblePart[] {
  return parts
    .map((part) => ({
      ...part,
      from: Math.max(part.from, from - part.shift),
      to: Math.min(part.to, to - part.shift),
    }))
    .filter((part) => part.from < part.to)
}

/** The seconds that an MP4 in fragments should have; null if it does not say so. Throws a RangeError if it is damaged. */
export function fragmentedSeconds(view: DataView): number | null {
  const scale = timescaleOf(view, boxesAt(view, ['moov', 'mvhd'])[0])
  const [header] = boxesAt(view, ['moov', 'mvex', 'mehd'])
  if (header === undefined || scale === 0) return null
  const at = header.start + 4
  return (isLong(view, header) ? Number(view.getBigUint64(at)) : view.getUint32(at)) / scale
}

/** Sets the times at which an MP4 and its tracks were created and changed to zero, which means unknown. */
export function eraseTimes(view: DataView): void {
  const tracks = boxesAt(view, ['moov', 'trak'])
  const headers = [
    ...boxesAt(view, ['moov', 'mvhd']),
    ...tracks.flatMap((track) => [
      ...boxesAt(view, ['tkhd'], track),
      ...boxesAt(view, ['mdia', 'mdhd'], track),
    ]),
  ]
  for (const header of headers) {
    const bytes = isLong(view, header) ? 16 : 8
    for (let offset = 0; offset < bytes; offset += 1) view.setUint8(header.start + 4 + offset, 0)
  }
}
