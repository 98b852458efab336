import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { isPlayableVideo } from '#/shared/played-video'
import { isPlayableWebm } from '#/shared/played-webm'
import { storedWebm } from '#tests/e2e/fixtures/videos'

const isPlayable = (file: Uint8Array) =>
  isPlayableWebm(async (from, to) => file.subarray(from, to), file.length)

/** An element of EBML with a size of four bytes (RFC 8794, 4). */
function element(id: number, ...contents: readonly (Buffer | string)[]): Buffer {
  const name = Buffer.from(id.toString(16), 'hex')
  const body = Buffer.concat(contents.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
  const size = Buffer.alloc(4)
  size.writeUInt32BE(0x10000000 + body.length)
  return Buffer.concat([name, size, body])
}

const HEADER = element(0x1a45dfa3, element(0x4282, 'webm'))
const number = (id: number, ...bytes: number[]) => element(id, Buffer.from(bytes))

interface TrackParts {
  codec?: string
  number?: number
  more?: Buffer[]
}

const track = ({ codec = 'V_VP8', number: id = 1, more = [] }: TrackParts = {}) =>
  element(0xae, number(0xd7, id), number(0x83, codec.startsWith('V') ? 1 : 2), element(0x86, codec), ...more)

/** A frame of VP8 with this side. */
const frame = (side: number) =>
  Buffer.of(0x10, 0, 0, 0x9d, 0x01, 0x2a, side & 255, side >> 8, side & 255, side >> 8)
/** A packet of VP9 whose index has eight frames of no bytes (annex B of its specification). */
const EIGHT_FRAMES = Buffer.of(0xc7, 0, 0, 0, 0, 0, 0, 0, 0, 0xc7)
const [SMALL, LARGE] = [frame(320), frame(12_000)]
const blockOf = (data: Buffer, id = 1, flags = 0x80) =>
  Buffer.concat([Buffer.of(0x80 | id, 0, 0, flags), data])
const block = (data: Buffer, id = 1, flags = 0x80) => element(0xa3, blockOf(data, id, flags))
const cluster = (...parts: Buffer[]) => element(0x1f43b675, number(0xe7, 0), ...parts)
const tracks = (...entries: Buffer[]) => element(0x1654ae6b, ...entries)
const file = (...parts: Buffer[]) => Buffer.concat([HEADER, element(0x18538067, ...parts)])

const TRACKS = tracks(track())
const WITH_SOUND = tracks(track(), track({ codec: 'A_OPUS', number: 2 }))
/** What is added to a block: transparency. */
const added = (data: Buffer) => element(0x75a1, element(0xa6, element(0xa5, data)))
/** A frame of VP9 that is left out. */
const SMALL_VP9 = Buffer.of(0xc0)
const CLUSTER = cluster(block(SMALL))
const position = (bytes: number) => Buffer.of(bytes >> 8, bytes & 255)
const seek = (id: number, at: number) =>
  element(
    0x114d9b74,
    element(0x4dbb, element(0x53ab, Buffer.from(id.toString(16), 'hex')), element(0x53ac, position(at))),
  )
const cue = (at: number) =>
  element(
    0x1c53bb6b,
    element(0xbb, number(0xb3, 0), element(0xb7, number(0xf7, 1), element(0xf1, position(at)))),
  )

describe('MEDIA-07 a WebM that Chromium can play without taking gigabytes', () => {
  test.each(['three-seconds.webm', 'sixty-one-seconds.webm', 'place-tags.webm'] as const)(
    'is one as earlier builds wrote it: %s',
    async (name) => {
      expect(await isPlayable(await storedWebm(name))).toBe(true)
    },
  )

  test('is that of the demo community', async () => {
    expect(await isPlayable(await readFile('resources/demo/story-train.webm'))).toBe(true)
  })

  test.each([
    ['pictures', file(TRACKS, CLUSTER)],
    [
      'pictures and sound',
      file(tracks(track(), track({ codec: 'A_OPUS', number: 2 })), cluster(block(LARGE, 2))),
    ],
    [
      'transparency',
      file(
        TRACKS,
        cluster(
          element(0xa0, element(0xa1, blockOf(SMALL)), element(0x75a1, element(0xa6, element(0xa5, SMALL)))),
        ),
      ),
    ],
    ['a head that leads to its parts', file(seek(0x1654ae6b, seek(0x1654ae6b, 0).length), TRACKS, CLUSTER)],
    [
      'a minute of 60 pictures and 60 packets of sound a second, in groups',
      file(
        WITH_SOUND,
        ...Array.from({ length: 60 }, () =>
          cluster(
            ...Array.from({ length: 120 }, (_, packet) =>
              element(0xa0, element(0xa1, blockOf(SMALL, 1 + (packet % 2))), number(0x9b, 16)),
            ),
          ),
        ),
      ),
    ],
    ['cues that lead to its clusters', file(TRACKS, CLUSTER, cue(TRACKS.length))],
  ])('has %s', async (_, bytes) => {
    expect(await isPlayable(bytes)).toBe(true)
  })
})

describe('MEDIA-07 a WebM is refused', () => {
  test.each([
    ['whose pictures are large', file(TRACKS, cluster(block(LARGE)))],
    ['whose pictures grow', file(TRACKS, CLUSTER, cluster(block(SMALL), block(LARGE)))],
    ['whose pictures grow in a group', file(TRACKS, cluster(element(0xa0, element(0xa1, blockOf(LARGE)))))],
    [
      'whose transparency is large',
      file(
        TRACKS,
        cluster(
          element(0xa0, element(0xa1, blockOf(SMALL)), element(0x75a1, element(0xa6, element(0xa5, LARGE)))),
        ),
      ),
    ],
    [
      'whose transparency is large, and stands before its picture, behind sound',
      file(WITH_SOUND, cluster(block(SMALL, 2), element(0xa0, added(LARGE), element(0xa1, blockOf(SMALL))))),
    ],
    [
      'whose transparency is large, and stands behind sound in the group of its picture',
      file(
        WITH_SOUND,
        cluster(element(0xa0, element(0xa1, blockOf(SMALL, 2)), added(LARGE), element(0xa1, blockOf(SMALL)))),
      ),
    ],
    [
      'with two pictures in a group, of which another codec reads the transparency',
      file(
        tracks(track(), track({ codec: 'V_VP9', number: 2 })),
        cluster(
          element(
            0xa0,
            element(0xa1, blockOf(SMALL_VP9, 2)),
            added(SMALL_VP9),
            element(0xa1, blockOf(SMALL)),
          ),
        ),
      ),
    ],
    [
      'that says so of its pictures',
      file(
        tracks(track({ more: [element(0xe0, number(0xb0, 0x2e, 0xe0), number(0xba, 0x2e, 0xe0))] })),
        CLUSTER,
      ),
    ],
    ['with several packets in a block', file(TRACKS, cluster(block(SMALL, 1, 0x82)))],
    ['with a block of no track', file(TRACKS, cluster(block(SMALL, 2)))],
    ['with a block without a packet', file(TRACKS, cluster(element(0xa3, Buffer.of(0x81))))],
    ['with another codec', file(tracks(track({ codec: 'V_MPEG4/ISO/AVC' })), CLUSTER)],
    ['with a codec twice', file(tracks(track({ more: [element(0x86, 'A_OPUS')] })), CLUSTER)],
    ['with three tracks', file(tracks(track(), track({ number: 2 }), track({ number: 3 })), CLUSTER)],
    ['with a track twice', file(tracks(track(), track()), CLUSTER)],
    ['with tracks twice', file(TRACKS, TRACKS, CLUSTER)],
    ['with tracks behind its clusters', file(CLUSTER, TRACKS)],
    ['with compressed packets', file(tracks(track({ more: [element(0x6d80)] })), CLUSTER)],
    ['with unknown elements', file(TRACKS, CLUSTER, element(0x1043a770))],
    ['with elements in another place', file(TRACKS, CLUSTER, block(SMALL))],
    ['with a number of nine bytes', file(TRACKS, cluster(number(0xab, 0, 0, 0, 0, 0, 0, 0, 0, 0)))],
    ['with bytes behind its elements', file(TRACKS, cluster(Buffer.of(0)))],
    ['with an element that ends after its parent', file(TRACKS, cluster(block(SMALL).subarray(0, -1)))],
    ['with a cluster of no size', file(TRACKS, Buffer.from('1f43b675ff', 'hex'), block(SMALL))],
    ['with a head that leads into its media', file(seek(0x1654ae6b, 99), TRACKS, CLUSTER)],
    ['with cues that lead into its media', file(TRACKS, CLUSTER, cue(TRACKS.length + 20))],
    [
      'with too many elements, in all clusters together',
      file(
        TRACKS,
        ...Array.from({ length: 3 }, () => cluster(...Array.from({ length: 10_000 }, () => element(0xec)))),
      ),
    ],
    [
      'with too many frames, in all tracks together',
      file(
        tracks(track({ codec: 'V_VP9' }), track({ codec: 'V_VP9', number: 2 })),
        cluster(...Array.from({ length: 26_000 }, (_, packet) => block(EIGHT_FRAMES, 1 + (packet % 2)))),
      ),
    ],
    ['with something behind it', Buffer.concat([file(TRACKS, CLUSTER), Buffer.of(0)])],
    ['without tracks', file()],
    ['that is cut off', file(TRACKS, CLUSTER).subarray(0, -1)],
    ['that is something else', Buffer.from('\0\0\0\x18ftypmp42')],
  ])('%s', async (_, bytes) => {
    expect(await isPlayable(bytes)).toBe(false)
  })

  test('not because its file cannot be read', async () => {
    const read = () => Promise.reject(new Error('gone'))
    await expect(isPlayableWebm(read, 1_000)).rejects.toThrow('gone')
  })
})

test('MEDIA-07 a stored video is an MP4 or a WebM', async () => {
  const bytes = file(TRACKS, CLUSTER)
  const read = async (from: number, to: number) => bytes.subarray(from, to)
  expect(await isPlayableVideo('webm', read, bytes.length)).toBe(true)
  expect(await isPlayableVideo('mp4', read, bytes.length)).toBe(false)
  expect(await isPlayableVideo('matroska', read, bytes.length)).toBe(false)
})
