import { type Element, elementAt, elementsIn, numberIn, readVariable } from './ebml'
import { type CheckPacket, createCount, type PictureCodec, packetChecker } from './frame-sizes'
import { STORED_PIXELS } from './limits'
import { bytesIn, viewOf } from './media-formats'
import type { ReadPart } from './mp4-tables'
import { PLAYED_TRACKS } from './played-mp4'

/** What an element contains: a number or a date, a text or other bytes, or elements. */
type Content = 'number' | 'bytes' | ReadonlyMap<number, Content>

const contents = (
  numbers: readonly number[],
  bytes: readonly number[] = [],
  masters: readonly (readonly [number, Content])[] = [],
): ReadonlyMap<number, Content> =>
  new Map<number, Content>([
    ...numbers.map((id) => [id, 'number'] as const),
    ...bytes.map((id) => [id, 'bytes'] as const),
    ...masters,
  ])

/** RFC 9559, 5. */
const [EBML, SEGMENT, SEEK_HEAD, INFO, TRACKS] = [0x1a45dfa3, 0x18538067, 0x114d9b74, 0x1549a966, 0x1654ae6b]
const [CLUSTER, CUES, TAGS, VOID] = [0x1f43b675, 0x1c53bb6b, 0x1254c367, 0xec]
const [SEEK, SEEK_ID, SEEK_POSITION] = [0x4dbb, 0x53ab, 0x53ac]
const [CUE_POINT, CUE_POSITIONS, CUE_CLUSTER] = [0xbb, 0xb7, 0xf1]
const [TRACK, TRACK_NUMBER, TRACK_TYPE, CODEC, CONFIGURATION] = [0xae, 0xd7, 0x83, 0x86, 0x63a2]
const [SIMPLE_BLOCK, GROUP, BLOCK, ADDITIONS, ADDED, ADDITIONAL] = [0xa3, 0xa0, 0xa1, 0x75a1, 0xa6, 0xa5]

/**
 * The elements of a WebM as the app writes it. Where one is damaged or in another place, FFmpeg searches what follows for clusters, also
 * in the data of pictures.
 */
const TAG_TARGETS = contents([0x68ca, 0x63c5, 0x63c9, 0x63c4, 0x63c6], [0x63ca])
const TAG = contents(
  [],
  [],
  [
    [0x63c0, TAG_TARGETS],
    [0x67c8, contents([0x4484], [0x45a3, 0x447a, 0x4487])],
  ],
)
const HEADER = contents([0x4286, 0x42f7, 0x42f2, 0x42f3, 0x4287, 0x4285], [0x4282])
const COLOUR = contents([
  0x55b1, 0x55b2, 0x55b3, 0x55b4, 0x55b5, 0x55b6, 0x55b7, 0x55b8, 0x55b9, 0x55ba, 0x55bb, 0x55bc, 0x55bd,
])
const PROJECTION = contents([0x7671, 0x7673, 0x7674, 0x7675], [0x7672])
const VIDEO = contents(
  [0xb0, 0xba, 0x54b0, 0x54ba, 0x54b2, 0x9a, 0x9d, 0x53c0, 0x53b8],
  [],
  [
    [0x55b0, COLOUR],
    [0x7670, PROJECTION],
  ],
)
const AUDIO = contents([0xb5, 0x78b5, 0x9f, 0x6264])
const PARTS: ReadonlyMap<number, Content> = contents(
  [],
  [VOID],
  [
    [TAGS, contents([], [], [[0x7373, TAG]])],
    [SEEK_HEAD, contents([], [], [[SEEK, contents([SEEK_ID, SEEK_POSITION])]])],
    [INFO, contents([0x2ad7b1, 0x4489, 0x4461], [0x4d80, 0x5741, 0x7ba9, 0x73a4])],
    [
      TRACKS,
      contents(
        [],
        [],
        [
          [
            TRACK,
            contents(
              [
                TRACK_NUMBER,
                TRACK_TYPE,
                0x73c5,
                0xb9,
                0x88,
                0x55aa,
                0x9c,
                0x6de7,
                0x23e383,
                0x56aa,
                0x56bb,
                0x55ee,
              ],
              [CODEC, CONFIGURATION, 0x22b59c, 0x22b59d, 0x536e, 0x258688],
              [
                [0xe0, VIDEO],
                [0xe1, AUDIO],
              ],
            ),
          ],
        ],
      ),
    ],
    [
      CUES,
      contents(
        [],
        [],
        [
          [
            CUE_POINT,
            contents([0xb3], [], [[CUE_POSITIONS, contents([0xf7, CUE_CLUSTER, 0xf0, 0xb2, 0x5378])]]),
          ],
        ],
      ),
    ],
    [
      CLUSTER,
      contents(
        [0xe7, 0xa7, 0xab],
        [SIMPLE_BLOCK, VOID],
        [
          [
            GROUP,
            contents(
              [0x9b, 0xfb, 0x75a2],
              [BLOCK],
              [[ADDITIONS, contents([], [], [[ADDED, contents([0xee], [ADDITIONAL])]])]],
            ),
          ],
        ],
      ),
    ],
  ],
)

const NUMBER_BYTES_MAX = 8
/**
 * Elements in a file. The app writes MP4; what earlier builds wrote has at most a minute: at 60 pictures and 60 packets of sound a second, each
 * in a group of three elements, 21,600. Ten minutes at 30 to 60 pictures, which are never a WebM, would have 50,000 to 75,000.
 */
const ELEMENTS_MAX = 30_000

interface Found extends Element {
  end: number
  /** Ids of the elements around it, outermost first. */
  within: readonly number[]
}

/** All elements in a part. Throws a RangeError for one that is not in its place, and for more than `most`. */
function collect(
  view: DataView,
  { start: from, end: to }: { start: number; end: number },
  content: ReadonlyMap<number, Content>,
  most: number,
): Found[] {
  const found: Found[] = []
  const read = (
    start: number,
    end: number,
    known: ReadonlyMap<number, Content>,
    within: readonly number[],
  ) => {
    let at = start
    for (const element of elementsIn(view, start, end)) {
      const kind = known.get(element.id)
      if (kind === undefined) throw new RangeError('An element is not one of a played WebM.')
      if (kind === 'number' && element.end - element.start > NUMBER_BYTES_MAX)
        throw new RangeError('A number is too long.')
      if (found.push({ ...element, within }) > most) throw new RangeError('There are too many elements.')
      if (typeof kind === 'object') read(element.start, element.end, kind, [...within, element.id])
      at = element.end
    }
    if (at !== end) throw new RangeError('An element contains more than elements.')
  }
  read(from, to, content, [])
  return found
}

/** The codecs that the app stores, by their names in WebM; null of sound. */
const CODECS: ReadonlyMap<string, PictureCodec | null> = new Map([
  ['V_VP8', 'vp8'],
  ['V_VP9', 'vp9'],
  ['V_AV1', 'av1'],
  ['A_OPUS', null],
])

/** PixelWidth and PixelHeight. */
const SIDES = [0xb0, 0xba]

/** The checks of the tracks' packets by the number of the track; null of sound. Throws a RangeError for tracks that the app does not write. */
function tracksIn(view: DataView, found: readonly Found[]): Map<number, CheckPacket | null> {
  const tracks = new Map<number, CheckPacket | null>()
  const count = createCount()
  for (const track of found.filter(({ id }) => id === TRACK)) {
    const inside = found.filter(
      ({ start, end, within }) => within.at(-1) === TRACK && start >= track.start && end <= track.end,
    )
    const only = (wanted: number): Found => {
      const [first, ...others] = inside.filter(({ id }) => id === wanted)
      if (first === undefined || others.length > 0)
        throw new RangeError('A track says something twice, or not.')
      return first
    }
    const name = bytesIn(view, only(CODEC))
    const codec = CODECS.get(String.fromCharCode(...name.subarray(0, 8)))
    const number = numberIn(view, only(TRACK_NUMBER))
    if (codec === undefined || tracks.has(number) || tracks.size === PLAYED_TRACKS)
      throw new RangeError('A track is not one of a played WebM.')
    const sides = found.filter(
      ({ id, start, end }) => SIDES.includes(id) && start >= track.start && end <= track.end,
    )
    if (sides.reduce((product, each) => product * numberIn(view, each), 1) > STORED_PIXELS.video)
      throw new RangeError('A track has too large pictures.')
    const configuration = codec === 'av1' ? bytesIn(view, only(CONFIGURATION)) : new Uint8Array()
    tracks.set(number, codec === null ? null : packetChecker(codec, configuration, count))
  }
  return tracks
}

/** Bits of a block's flags that say that it has several packets. */
const LACING = 0x06

/** Checks the packets of a cluster. Throws a RangeError for what a reader would have to guess. */
function checkBlocks(
  view: DataView,
  found: readonly Found[],
  tracks: ReadonlyMap<number, CheckPacket | null>,
): void {
  /** Of the block of a group; undefined before it. A reader gives what is added to the last block, wherever it stands. */
  let check = undefined as CheckPacket | null | undefined
  for (const element of found) {
    const { id, start, end } = element
    if (id === GROUP) check = undefined
    else if (id === SIMPLE_BLOCK || id === BLOCK) {
      const track = readVariable(view, start)
      const data = start + (track?.length ?? 0) + 3
      const checkOf = track?.value == null ? undefined : tracks.get(track.value)
      if (checkOf === undefined || data > end || (view.getUint8(data - 1) & LACING) !== 0)
        throw new RangeError('A block is not one of a played WebM.')
      if (id === BLOCK && check !== undefined) throw new RangeError('A group has two blocks.')
      check = checkOf
      check?.(bytesIn(view, { start: data, end }))
    } else if (id === ADDITIONAL) {
      // Transparency is a picture of its own.
      if (check == null) throw new RangeError('Something is added to no picture.')
      check(bytesIn(view, element))
    }
  }
}

/** Bytes of a part, and number of the parts: a cluster has some seconds. */
const [PART_BYTES_MAX, PARTS_MAX] = [16_000_000, 10_000]
const HEADER_BYTES = 16

/** Where the parts of a segment are, relative to it, and where its heads and cues lead. */
interface Places {
  parts: Map<number, number>
  sought: { id: number; position: number }[]
}

function findSought(view: DataView, found: readonly Found[], { sought }: Places): void {
  let id = 0
  for (const element of found) {
    if (element.id === SEEK_ID) id = numberIn(view, element)
    else if (element.id === SEEK_POSITION) sought.push({ id, position: numberIn(view, element) })
    else if (element.id === CUE_CLUSTER) sought.push({ id: CLUSTER, position: numberIn(view, element) })
  }
}

/** Reads the header of an element in the file. Throws a RangeError unless its size is known and within the limit. */
async function headerAt(
  read: ReadPart,
  at: number,
  limit: number,
): Promise<{ id: number; start: number; end: number }> {
  const element = elementAt(viewOf(await read(at, Math.min(at + HEADER_BYTES, limit))), 0)
  if (element === null || element.end === null || at + element.end > limit)
    throw new RangeError('An element has no size, or ends after its parent.')
  return { id: element.id, start: at + element.start, end: at + element.end }
}

/**
 * Whether Chromium can play a stored WebM without taking gigabytes: the file is as the app writes it, and no picture is larger than
 * STORED_PIXELS allows. Rejects as `read` does.
 */
export async function isPlayableWebm(read: ReadPart, fileBytes: number): Promise<boolean> {
  try {
    const header = await headerAt(read, 0, fileBytes)
    const segment = await headerAt(read, header.end, fileBytes)
    if (header.id !== EBML || segment.id !== SEGMENT || segment.end !== fileBytes) return false
    const head = viewOf(await read(0, Math.min(header.end, PART_BYTES_MAX)))
    collect(head, header, HEADER, ELEMENTS_MAX)
    let elements = 0
    const places: Places = { parts: new Map(), sought: [] }
    let tracks = null as Map<number, CheckPacket | null> | null
    for (let at = segment.start; at < segment.end; ) {
      const { id, start, end } = await headerAt(read, at, segment.end)
      const content = PARTS.get(id)
      if (content === undefined || end - at > PART_BYTES_MAX || places.parts.size === PARTS_MAX) return false
      places.parts.set(at - segment.start, id)
      if (typeof content === 'object') {
        const view = viewOf(await read(start, end))
        const found = collect(view, { start: 0, end: end - start }, content, ELEMENTS_MAX - elements)
        elements += found.length
        findSought(view, found, places)
        if (id === CLUSTER && tracks !== null) checkBlocks(view, found, tracks)
        else if (id === TRACKS && tracks === null) tracks = tracksIn(view, found)
        // Tracks come first, and once.
        else if (id === CLUSTER || id === TRACKS) return false
      }
      at = end
    }
    return tracks !== null && places.sought.every(({ id, position }) => places.parts.get(position) === id)
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
