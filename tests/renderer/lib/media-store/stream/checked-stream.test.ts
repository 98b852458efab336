import type { QueryClient } from '@tanstack/react-query'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openLink, signPaths } from '#/renderer/lib/media-store/requests'
import { type CheckedStream, openStream } from '#/renderer/lib/media-store/stream/checked-stream'
import { openParts } from '#/renderer/lib/media-store/stream/object-parts'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { boxes, viewOf } from '#/shared/media-formats'
import { box, grownMp4, storedLargeMp4, storedVideo, tracksOf } from '#tests/e2e/fixtures/videos'
import { mp4, sequence, track } from '#tests/mp4-files'

vi.mock('#/renderer/lib/server/supabase', () => ({}))
vi.mock('#/renderer/lib/media-store/requests', () => ({ openLink: vi.fn(), signPaths: vi.fn() }))

const PATH = 'ada/1.mp4'
const { signal } = new AbortController()

let client: QueryClient
/** A video of 45 seconds. */
let large: Buffer = Buffer.alloc(0)
/** The object as it is now, and the ranges that were read of it. */
let stored = { bytes: Buffer.alloc(0) as Buffer, date: '', tag: '', length: 0 }
let ranges: [from: number, to: number][] = []

/** The part of the object that a request asks for, as Storage answers. */
function answer(init: RequestInit | undefined): Response {
  const [, first = '', last = ''] =
    /^bytes=(\d+)-(\d+)$/.exec(new Headers(init?.headers).get('range') ?? '') ?? []
  const [from, to] = [Number(first), Math.min(Number(last) + 1, stored.bytes.length)]
  ranges.push([from, to])
  const part = new Uint8Array(stored.bytes.subarray(from, to))
  const { date, tag, length } = stored
  const headers = { 'last-modified': date, etag: tag, 'content-range': `bytes ${from}-${to - 1}/${length}` }
  return new Response(part, { status: 206, headers })
}

beforeAll(async () => {
  large = await storedLargeMp4(3_000_000)
})

beforeEach(() => {
  client = createQueryClient()
  ranges = []
  stored = { bytes: Buffer.alloc(0), date: 'Thu, 26 Nov 2026 12:00:00 GMT', tag: 'W/"1"', length: 3_000_000 }
  vi.mocked(signPaths).mockReset()
  vi.mocked(signPaths).mockImplementation(
    async (paths) =>
      new Map(paths.map((path) => [path, { url: `https://server.example/${path}`, isChecked: false }])),
  )
  vi.mocked(openLink).mockReset()
  vi.mocked(openLink).mockImplementation(async (_, init) => answer(init))
})

function open(bytes: Uint8Array): Promise<CheckedStream> {
  stored.bytes = Buffer.from(bytes)
  return openStream(openParts(client, PATH), signal)
}

/** What a player gets from a time on. */
async function read(stream: CheckedStream, time = 0): Promise<Buffer> {
  const parts: Uint8Array[] = [stream.start]
  for await (const { bytes } of stream.fragmentsFrom(time, signal)) parts.push(bytes)
  return Buffer.concat(parts)
}

/** The same video with its movie behind the media. */
function withMovieLast(video: Buffer): Buffer {
  const part = (type: string) => {
    const [found] = boxes(viewOf(video), 0, video.length, type)
    if (found === undefined) throw new Error(`There is no ${type}`)
    return Buffer.from(video.subarray(found.start - 8, found.end))
  }
  const movie = part('moov')
  for (let at = movie.indexOf('stco'); at > 0; at = movie.indexOf('stco', at + 1))
    for (let chunk = movie.readUInt32BE(at + 8); chunk > 0; chunk -= 1) {
      const place = at + 8 + 4 * chunk
      movie.writeUInt32BE(movie.readUInt32BE(place) - movie.length, place)
    }
  return Buffer.concat([part('ftyp'), part('mdat'), movie])
}

/** The same video with these bytes in place of others, which are the first behind the name of a box. */
async function changed(
  name: Parameters<typeof storedVideo>[0],
  type: string,
  from: readonly number[],
  to: readonly number[],
): Promise<Buffer> {
  const video = await storedVideo(name)
  const at = video.indexOf(Buffer.from(from), video.indexOf(type))
  if (at < 0) throw new Error('There is nothing to change')
  video.set(to, at)
  return video
}

const codes = (text: string) => [...Buffer.from(text, 'latin1')]

describe('MEDIA-07 a video that the server has not checked', () => {
  test.each([
    ['forty-five-seconds.mp4', 'vp09.00'],
    ['place-udta.mp4', 'avc1.64'],
    ['kinds/opus.mp4', 'opus'],
    ['kinds/upright.mp4', 'mp4a.40.2'],
    ['kinds/clip.mov', 'mp4a.40.2'],
  ] as const)('reaches the player with every packet at its time: %s', async (name, codec) => {
    const video = await storedVideo(name)
    const stream = await open(video)
    expect(stream.mediaType).toContain(codec)
    const [expected, played] = [await tracksOf(video), await tracksOf(await read(stream))]
    expect(played.map(({ type, packets }) => ({ type, packets }))).toEqual(
      expected.map(({ type, packets }) => ({ type, packets })),
    )
    const ends = expected.map(({ seconds }) => seconds)
    expect(stream.to).toBeCloseTo(Math.max(...ends), 1)
  })

  test('may have its movie behind its media', async () => {
    const video = await storedVideo('place-udta.mp4')
    const stream = await open(withMovieLast(video))
    expect(await tracksOf(await read(stream))).toEqual(await tracksOf(await read(await open(video))))
  })

  test('is read in parts: its start before the rest, and another time without what is between', async () => {
    const stream = await open(large)
    await stream.fragmentsFrom(0, signal).next()
    expect(ranges.reduce((sum, [from, to]) => sum + to - from, 0)).toBeLessThan(1_200_000)
    ranges = []
    const { value } = await stream.fragmentsFrom(40, signal).next()
    expect(ranges).toHaveLength(1)
    expect(ranges[0]?.[0]).toBeGreaterThan(2_000_000)
    const key = stream.keyBefore(40)
    expect(key).toBeGreaterThan(30)
    const [pictures] = await tracksOf(Buffer.concat([stream.start, value?.bytes ?? Buffer.alloc(0)]))
    expect(pictures?.packets[0]?.[0]).toBeCloseTo(key, 2)
    await read(stream)
    for (const [from, to] of ranges) expect(to - from).toBeLessThanOrEqual(1_000_000)
  })

  test('is signed again when its link has expired', async () => {
    const stream = await open(large)
    vi.mocked(openLink).mockRejectedValueOnce(new Error('expired'))
    expect(await tracksOf(await read(stream))).toEqual(await tracksOf(large))
    expect(signPaths).toHaveBeenCalledTimes(2)
  })
})

describe('MEDIA-07 a video that the server has not checked is refused before it is played', () => {
  const SOUND = track({ samples: 1_000 })

  test.each([
    ['of 170 million samples', () => mp4([track({ samples: 170_000_000 })])],
    ['of 201,000 samples', () => mp4([track({ samples: 201_000 })])],
    ['with three tracks', () => mp4([SOUND, SOUND, SOUND])],
    ['without pictures', () => mp4([SOUND])],
    ['without a movie', () => Buffer.concat([box('ftyp', 'isom\0\0\0\0isommp42'), box('mdat', 'x')])],
    ['with a movie of more than a megabyte', () => mp4([box('free', Buffer.alloc(1_000_000))])],
    ['with metadata', () => changed('place-udta.mp4', 'moov', codes('edts'), codes('udta'))],
    ['in VP8', () => changed('forty-five-seconds.mp4', 'stsd', codes('vp09'), codes('vp08'))],
    ['in VP9 of 10 bits', () => changed('forty-five-seconds.mp4', 'vpcC', [0, 0, 0, 0], [0, 0, 0, 2])],
    ['in H.264 High 10', () => changed('place-udta.mp4', 'avcC', [1, 100], [1, 110])],
    ['with sound that is not AAC', () => changed('place-udta.mp4', 'esds', [0x40, 0x15], [0x6b, 0x15])],
    ['that is a page', () => Buffer.from('<html></html>')],
  ])('%s', async (_, make) => {
    await expect(open(await make())).rejects.toThrow(RangeError)
    expect(ranges.length).toBeLessThan(4)
  })
})

describe('MEDIA-07 what is played of a video is what was checked', () => {
  test('so a picture that grows in its middle ends it', async () => {
    const stream = await open(await grownMp4(sequence(750, 750)))
    const fragments = stream.fragmentsFrom(0, signal)
    expect((await fragments.next()).value?.to).toBeGreaterThan(0.5)
    await expect(fragments.next()).rejects.toThrow(RangeError)
    // Also where it begins behind that picture.
    expect((await open(await grownMp4(sequence(20, 15)))).to).toBeGreaterThan(1.5)
  })

  test('so other bytes of the same version end it', async () => {
    const stream = await open(large)
    stored.bytes.fill(0xff, 1_500_000)
    await expect(read(stream)).rejects.toThrow(RangeError)
  })

  test.each([
    ['date', { date: 'Thu, 26 Nov 2026 12:00:01 GMT' }],
    ['tag', { tag: '"2"' }],
    ['length', { length: 3_000_001 }],
  ])('so a version with another %s ends it', async (_, change) => {
    const stream = await open(large)
    await stream.fragmentsFrom(0, signal).next()
    // The same tag, of a server that compresses.
    stored = { ...stored, tag: '"1"' }
    await stream.fragmentsFrom(20, signal).next()
    stored = { ...stored, ...change }
    await expect(read(stream, 40)).rejects.toMatchObject({ code: 'refused', detail: 'object changed' })
  })

  test('so a file that ends early ends it', async () => {
    const stream = await open(large)
    stored.bytes = large.subarray(0, 2_000_000)
    await expect(read(stream)).rejects.toThrow(RangeError)
  })
})

describe('MEDIA-07 an answer that is not the part that was asked for counts as a failure', () => {
  const part = (bytes: number) => new Uint8Array(bytes)

  test.each([
    ['the whole object', () => new Response(part(10))],
    [
      'another part',
      () => new Response(part(10), { status: 206, headers: { 'content-range': 'bytes 5-14/99' } }),
    ],
    ['a longer part', () => new Response(part(70_000), { status: 206 })],
  ])('%s', async (_, respond) => {
    vi.mocked(openLink).mockImplementation(async () => respond())
    await expect(open(Buffer.alloc(10))).rejects.toMatchObject({ code: 'refused', detail: 'object range' })
  })

  test('one without an end, of which no more is read', async () => {
    let [sent, ends] = [0, 0]
    vi.mocked(openLink).mockImplementation(async (_, init) => {
      init?.signal?.addEventListener('abort', () => {
        ends += 1
      })
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          sent += 10_000
          controller.enqueue(new Uint8Array(10_000))
        },
      })
      return new Response(body, { status: 206 })
    })
    await expect(open(Buffer.alloc(10))).rejects.toMatchObject({ code: 'refused' })
    expect(ends).toBe(2)
    expect(sent).toBeLessThan(250_000)
  })

  test('and one that has not come ends with the player', async () => {
    const ending = new AbortController()
    const left = new Error('left')
    vi.mocked(openLink).mockImplementation(
      (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
          ending.abort(left)
        }),
    )
    await expect(openStream(openParts(client, PATH), ending.signal)).rejects.toBe(left)
  })
})
