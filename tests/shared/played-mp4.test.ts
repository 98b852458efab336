import { describe, expect, test } from 'vitest'
import { isPlayableMp4 } from '#/shared/played-mp4'
import { paddedMp4 } from '#tests/e2e/fixtures/stories'
import { box } from '#tests/e2e/fixtures/videos'
import {
  avcConfiguration,
  h264Mp4,
  mp4,
  pictureFields,
  sequence,
  tables,
  track,
  words,
} from '#tests/mp4-files'

const isPlayable = (file: Uint8Array, fileBytes = file.length) =>
  isPlayableMp4(async (from, to) => file.subarray(from, to), fileBytes)

const MANY = 170_000_000
const FEW = { samples: 1_000 }

const [SMALL, LARGE] = [sequence(20, 15), sequence(750, 750)]
const PICTURE = Buffer.of(0x41, 0x9a)
const AVC = box('avcC', avcConfiguration(SMALL))

/** A track with these descriptions of its samples, and none of them. */
function described(count: number, entries: readonly Buffer[], type = 'avc1'): Buffer {
  const table = box('stsd', words(0, count), ...entries.map((fields) => box(type, fields)))
  return box('trak', box('tkhd'), box('mdia', box('minf', box('stbl', table))))
}

/** A movie with so many samples of a megabyte in each track, each of a thousand units, which is nowhere as a whole. */
function largeMp4(samples: number, tracks: number) {
  const [units, unit] = [1_000, Buffer.concat([words(996), Buffer.alloc(996, 0x41)])]
  const sampleBytes = units * unit.length
  const media = Buffer.concat(Array.from({ length: 3 * units }, () => unit))
  const file = h264Mp4({
    samples: [],
    tracks,
    changed: {
      stsz: words(0, sampleBytes, samples),
      stsc: words(0, 1, 1, samples, 1),
      stco: words(0, 1, 32),
    },
  })
  const [start, end] = [32, 32 + samples * sampleBytes]
  const head = Buffer.concat([file.subarray(0, 24), words(end - 24), Buffer.from('mdat')])
  const read = async (from: number, to: number) => {
    if (from >= end) return file.subarray(from - end + start, to - end + start)
    if (from < start) return Buffer.concat([head, media]).subarray(from, to)
    const at = (from - start) % unit.length
    return media.subarray(at, at + Math.min(to, end) - from)
  }
  return { read, fileBytes: end + file.length - start }
}

describe('MEDIA-07 an MP4 that Chromium can open without taking gigabytes', () => {
  test('is one as the app writes it', async () => {
    expect(await isPlayable(await paddedMp4(20_000))).toBe(true)
  })

  test.each([
    ['two tracks', mp4([track(FEW), track(FEW)])],
    ['an edit list that shows everything twice', mp4([track({ samples: 1_000, edits: 2 })])],
    ['free space beside the movie', mp4([track(FEW)], [box('free', words(0)), box('wide')])],
    ['a rate of bits', mp4([track({ ...FEW, description: box('btrt', words(0, 0, 0)) })])],
    ['parameters of its pictures in a sample', h264Mp4({ samples: [[SMALL, PICTURE], [PICTURE]] })],
  ])('has %s', async (_, file) => {
    expect(await isPlayable(file)).toBe(true)
  })

  test.each([
    [199, 1, true],
    [201, 1, false],
    [99, 2, true],
    [101, 2, false],
  ])(
    'has at most 200,000 units: %i samples of a thousand in each of %i tracks',
    async (samples, tracks, isPlayed) => {
      const { read, fileBytes } = largeMp4(samples, tracks)
      expect(fileBytes).toBeGreaterThan(samples * 1_000_000)
      expect(await isPlayableMp4(read, fileBytes)).toBe(isPlayed)
    },
  )

  test.each([
    ['of ten minutes with 60 pictures and 60 packets of sound a second, shown twice', 72_000, 2, true],
    ['of 200,000 samples', 200_000, 1, true],
    ['of 200,001 samples', 200_001, 1, false],
    ['of 100,001 samples, shown twice', 100_001, 2, false],
  ])('has few samples, by its tables: one %s', async (_, samples, edits, isPlayed) => {
    expect(await isPlayable(mp4([track({ samples, edits })]), 45_000_000)).toBe(isPlayed)
  })

  test('is refused for its tables before a sample is read', async () => {
    const changed = { stsz: words(0, 1, 1_990_000), stsc: words(0, 1, 1, 1_990_000, 1) }
    const file = h264Mp4({ samples: [[PICTURE]], changed })
    const reads: number[] = []
    const read = async (from: number, to: number) => {
      reads.push(from)
      return file.subarray(from, to)
    }
    expect(await isPlayableMp4(read, 2_000_000)).toBe(false)
    const movie = Buffer.from(file).indexOf('moov') - 4
    expect(reads).toEqual([0, 24, movie, movie])
  })

  test('may have a size that is not known', async () => {
    expect(await isPlayable(mp4([track(FEW)]), 45_000_000)).toBe(true)
  })
})

describe('MEDIA-07 an MP4 is refused', () => {
  const large = tables(MANY)

  test.each([
    ['of 170 million samples', mp4([track({ samples: MANY })])],
    ['of more samples than it has bytes', mp4([track({ samples: 110_000 })])],
    [
      'of ten tracks that have so many together',
      mp4(Array.from({ length: 10 }, () => track({ samples: 11_000 }))),
    ],
    [
      'of an edit list that shows all samples a thousand times',
      mp4([track({ samples: 1_000, edits: 1_000 })]),
    ],
    ['with a track beside the movie', mp4([track(FEW)], [track({ samples: MANY })])],
    ['with three tracks', mp4([track(FEW), track(FEW), track(FEW)])],
    ['with metadata', mp4([track(FEW), box('udta', box('abcd', words(1)))])],
    [
      'with the names of a gigabyte of keys',
      mp4([track(FEW), box('meta', words(0), box('keys', words(0, 0x07ffffff)))]),
    ],
    [
      'with a gigabyte of groups of samples',
      mp4([track({ ...FEW, beside: box('sbgp', words(0, 0x72617020, 0x10000000)) })]),
    ],
    [
      'with a gigabyte of partial pictures',
      mp4([track({ ...FEW, description: box('stps', words(0, 0x10000000)) })]),
    ],
    ['with chapters', mp4([track({ ...FEW, behind: box('tref', box('chap', words(2))) }), track(FEW)])],
    ['with bytes behind its boxes', mp4([track({ ...FEW, behind: words(0x10000000) })])],
    ['with two descriptions of pictures', mp4([described(2, [pictureFields(), pictureFields()])])],
    ['with a table of colours', mp4([described(1, [pictureFields(8)])])],
    ['with pictures without a configuration', mp4([described(1, [pictureFields()])])],
    ['with two configurations', mp4([described(1, [Buffer.concat([pictureFields(), AVC, AVC])])])],
    [
      'whose configuration has large pictures',
      h264Mp4({ configuration: avcConfiguration(SMALL, LARGE), samples: [[PICTURE]] }),
    ],
    ['whose pictures grow', h264Mp4({ samples: [[PICTURE], [LARGE, PICTURE]] })],
    ['whose pictures may grow within a unit', h264Mp4({ samples: [[Buffer.of(1, 0, 0, 1, 0x67, 66)]] })],
    [
      'with a profile whose parameters readers read differently',
      h264Mp4({ samples: [[sequence(20, 15, 144)]] }),
    ],
    [
      'whose sample ends within a unit',
      h264Mp4({ samples: [[PICTURE]], changed: { stsz: words(0, 0, 1, 7) } }),
    ],
    [
      'whose samples overlap',
      h264Mp4({
        samples: [[PICTURE], [PICTURE]],
        changed: { stsc: words(0, 1, 1, 1, 1), stco: words(0, 2, 32, 32) },
      }),
    ],
    [
      'with more sizes than samples',
      h264Mp4({ samples: [[PICTURE]], changed: { stsz: words(0, 0, 2, 6, 6) } }),
    ],
    [
      'with rows for chunks that it has not',
      h264Mp4({ samples: [[PICTURE]], changed: { stsc: words(0, 2, 1, 1, 1, 9, 1, 1) } }),
    ],
    ['whose sample is not in it', h264Mp4({ samples: [[PICTURE]], changed: { stco: words(0, 1, 100_000) } })],
    ['with a sample of many megabytes', h264Mp4({ samples: [[Buffer.alloc(9_000_000, 0x41)]] })],
    ['with another kind of pictures', mp4([described(1, [pictureFields()], 'mjpg')])],
    ['with another kind of sound', mp4([described(1, [words(0, 0, 0x00010000, 0, 0, 0, 0)], 'mp4a')])],
    ['with two movies', mp4([track(FEW)], [box('moov')])],
    ['with a fragment', mp4([track(FEW)], [box('moof', box('traf', box('trun', words(0, MANY))))])],
    ['with other boxes beside the movie', mp4([track(FEW)], [box('udta', track({ samples: MANY }))])],
    ['with a second table', mp4([track({ ...FEW, beside: Buffer.concat(large) })])],
    ['with tables in references', mp4([track({ ...FEW, behind: box('tref', ...large) })])],
    [
      'with tables in metadata',
      mp4([track({ ...FEW, behind: box('meta', words(0), box('ilst', ...large)) })]),
    ],
    ['with tables in a description of samples', mp4([track({ ...FEW, description: Buffer.concat(large) })])],
    ['with a track in metadata', mp4([track(FEW), box('udta', track({ samples: MANY }))])],
    ['with a box whose size is that of a text', mp4([track({ ...FEW, behind: Buffer.from('textstts') })])],
    ['with a fragment in its movie', mp4([track(FEW), box('udta', box('moof'))])],
    ['with a large movie', mp4([track(FEW), box('free', Buffer.alloc(1_000_000))])],
    [
      'with many boxes',
      mp4(
        [track(FEW)],
        Array.from({ length: 40 }, () => box('free')),
      ),
    ],
    ['without a movie', new Uint8Array(Buffer.concat([box('ftyp', 'isom'), box('mdat', words(1))]))],
    ['that is cut off', mp4([track(FEW)]).slice(0, -1)],
    [
      'with a box of no valid size',
      new Uint8Array([...mp4([track(FEW)]), ...words(2), ...Buffer.from('trak')]),
    ],
  ])('%s', async (_, file) => {
    expect(await isPlayable(file)).toBe(false)
  })

  test('with more boxes than a movie has', async () => {
    const tracks = Buffer.concat(Array.from({ length: 20_000 }, () => box('trak')))
    expect(await isPlayable(mp4([tracks]))).toBe(false)
  })

  test('not because its file cannot be read', async () => {
    const read = () => Promise.reject(new Error('gone'))
    await expect(isPlayableMp4(read, 1_000)).rejects.toThrow('gone')
  })
})
