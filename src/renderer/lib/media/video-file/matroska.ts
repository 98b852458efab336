import { type MediaFile, readPart } from '#/renderer/lib/media/source/media-file'
import { type Element, elementAt, elementsIn, numberIn } from '#/shared/ebml'
import { viewOf } from '#/shared/media-formats'

/** The same in a file. */
async function fileElement(source: MediaFile, at: number): Promise<Element | null> {
  const element = elementAt(viewOf(await readPart(source, at, at + HEADER_BYTES)), 0)
  return element && { ...element, start: at + element.start, end: element.end && at + element.end }
}

/** An element's header has at most 8 bytes of id and 8 of size. */
const HEADER_BYTES = 16

/** RFC 9559, 5. */
const [SEGMENT, CLUSTER, SEEK_HEAD, SEEK, VOID] = [0x18538067, 0x1f43b675, 0x114d9b74, 0x4dbb, 0xec]
/** Info, Tracks and Cues: mediabunny (1.61.0) looks for them where a SeekHead says, once for each. */
const SOUGHT: ReadonlySet<number> = new Set([0x1549a966, 0x1654ae6b, 0x1c53bb6b])
/** The same with Tags, Attachments and Chapters: what may stand before the clusters of a segment. */
const HEAD: ReadonlySet<number> = new Set([
  ...SOUGHT,
  ...[SEEK_HEAD, 0x1254c367, 0x1941a469, 0x1043a770, VOID],
])
const [SEEK_ID, SEEK_POSITION] = [0x53ab, 0x53ac]
/** Elements that it reads the elements of, wherever they stand: TrackEntry, Video, Colour, Projection, Audio, CuePoint … */
const MASTERS: ReadonlySet<number> = new Set([
  ...[0xae, 0xe0, 0x55b0, 0x7670, 0xe1, 0xbb, 0xb7, 0x7373, 0x63c0, 0x67c8, 0x61a7],
  ...[0x6d80, 0x6240, 0x5034, 0xa0, 0x75a1, 0xa6],
])
/** ContentCompSettings: what stands before each frame. Writers remove three or four bytes. */
const [REMOVED_START, REMOVED_START_MAX] = [0x4255, 64]
const TRACK = 0xae
/** Tracks, and elements of the head that are read: readers make objects of them, and two hours with a cue for each second have 50,000. */
const [TRACKS_MAX, ELEMENTS_MAX] = [100, 1_000_000]
/** Bytes of a part of the head that is read: of one with attachments. */
const PART_BYTES_MAX = 100_000_000

/**
 * Whether the elements of a Matroska file end within it. A recording that was streamed to disk gives no size of its segment: then
 * its parts count.
 */
async function endsWithElement(source: MediaFile): Promise<boolean> {
  let at = 0
  while (at < source.size) {
    const element = await fileElement(source, at)
    // What follows the last element is not part of the video.
    if (element === null) return true
    const { id, start, end } = element
    // The parts of a segment follow; those of a cluster are not read.
    if (end === null && id !== SEGMENT) return true
    at = end ?? start
    if (at > source.size) return false
    if (end !== null && id === SEGMENT) return true
  }
  return true
}

/** What a reader would follow from a part of the head. */
interface Followed {
  /** Offsets of the bytes of ids that it must not follow. */
  zeros: number[]
  /** Offsets in the segment where it looks for `SOUGHT`. */
  positions: number[]
  tracks: number
  elements: number
}

/** Where an entry of a SeekHead leads. Throws a RangeError for one that does not have a name and a position. */
function readSeek(
  view: DataView,
  { start, end }: { start: number; end: number },
  base: number,
): Pick<Followed, 'zeros' | 'positions'> {
  const parts = [...elementsIn(view, start, end)]
  const [name, position] = [SEEK_ID, SEEK_POSITION].map((wanted) => parts.filter(({ id }) => id === wanted))
  if (parts.length !== 2 || name?.length !== 1 || position?.length !== 1)
    throw new RangeError('A position has no name.')
  const [{ start: from, end: to } = { start: 0, end: 0 }] = name
  const sought = numberIn(view, { start: from, end: to })
  return {
    zeros: sought === SEEK_HEAD ? Array.from({ length: to - from }, (_, index) => base + from + index) : [],
    positions: SOUGHT.has(sought) ? position.map((each) => numberIn(view, each)) : [],
  }
}

/** What a reader follows from an element's content. Throws a RangeError for what would take much more memory than the file. */
function follow(view: DataView, from: number, to: number, base: number, followed: Followed): void {
  for (const element of elementsIn(view, from, to)) {
    const { id, start, end } = element
    followed.elements += 1
    if (id === TRACK) followed.tracks += 1
    if (followed.tracks > TRACKS_MAX || followed.elements > ELEMENTS_MAX)
      throw new RangeError('The head has too many elements.')
    if (id === SEEK_ID || id === SEEK_POSITION) throw new RangeError('A position is not in its place.')
    if (id === REMOVED_START && end - start > REMOVED_START_MAX)
      throw new RangeError('Each frame would be longer than its block.')
    if (id === SEEK) {
      const { zeros, positions } = readSeek(view, element, base)
      followed.zeros.push(...zeros)
      followed.positions.push(...positions)
    } else if (MASTERS.has(id)) follow(view, start, end, base, followed)
  }
}

/** Places of `SOUGHT` in a segment: three, or twice as many if they are named twice. */
const POSITIONS_MAX = 16

async function followPart(source: MediaFile, start: number, end: number, followed: Followed): Promise<void> {
  if (end - start > PART_BYTES_MAX) throw new RangeError('A part of the head is too large.')
  const view = viewOf(await readPart(source, start, end))
  follow(view, 0, view.byteLength, start, followed)
}

/**
 * Checks what readers read of a segment before its clusters. Returns the offsets of bytes that must be hidden from them: where a
 * head names another one. Heads that overlap would be read once for each, with all entries that follow.
 */
async function hiddenIds(source: MediaFile, segment: number, to: number): Promise<number[]> {
  const followed: Followed = { zeros: [], positions: [], tracks: 0, elements: 0 }
  for (let at = segment; at + 2 <= to; ) {
    const element = await fileElement(source, at)
    if (element?.id === CLUSTER) break
    // Mediabunny searches what it does not know for what it knows.
    if (element === null || element.end === null || !HEAD.has(element.id))
      throw new RangeError('A segment begins with an unknown element.')
    if (element.id !== VOID) await followPart(source, element.start, element.end, followed)
    at = element.end
  }
  const seen = new Set<number>()
  for (const position of followed.positions) {
    if (seen.has(position)) continue
    seen.add(position)
    if (seen.size > POSITIONS_MAX) throw new RangeError('There are too many positions.')
    const element = await fileElement(source, segment + position)
    if (element !== null && SOUGHT.has(element.id))
      await followPart(source, element.start, element.end ?? to, followed)
  }
  return followed.zeros
}

/**
 * Reads whether a Matroska file ends where its elements say, and the offsets of bytes that a reader must take for zero. Rejects if the
 * file cannot be read, with a RangeError if its head declares what it cannot have.
 */
export async function readMatroska(source: MediaFile): Promise<{ isComplete: boolean; zeros: number[] }> {
  const isComplete = await endsWithElement(source)
  const zeros: number[] = []
  for (let at = 0; isComplete && at < source.size; ) {
    const element = await fileElement(source, at)
    if (element === null) break
    const { id, start, end } = element
    if (id === SEGMENT) zeros.push(...(await hiddenIds(source, start, end ?? source.size)))
    if (end === null) break
    at = end
  }
  return { isComplete, zeros }
}
