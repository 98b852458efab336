import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { isPlayableMp4 } from '#/shared/mp4-tables'
import { box, videoPath } from '#tests/e2e/fixtures/videos'
import { mp4, tables, track, words } from '#tests/mp4-files'

const isPlayable = (file: Uint8Array, fileBytes = file.length) =>
  isPlayableMp4(async (from, to) => file.subarray(from, to), fileBytes)

const MANY = 170_000_000
const FEW = { samples: 1_000 }

describe('MEDIA-07 an MP4 that Chromium can open without taking gigabytes', () => {
  test.each(['place-udta.mp4', 'forty-five-seconds.mp4', 'kinds/two-tracks.mp4'] as const)(
    'is one of an encoder: %s',
    async (name) => {
      expect(await isPlayable(await readFile(videoPath(name)))).toBe(true)
    },
  )

  test.each([
    ['two tracks', mp4([track(FEW), track(FEW)])],
    ['an edit list that shows everything twice', mp4([track({ samples: 1_000, edits: 2 })])],
    ['free space beside the movie', mp4([track(FEW)], [box('free', words(0)), box('wide')])],
    ['unknown boxes in the movie', mp4([track(FEW), box('udta', box('abcd', words(1)))])],
  ])('has %s', async (_, file) => {
    expect(await isPlayable(file)).toBe(true)
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
