import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { readStructure } from '#/renderer/lib/media/video-file/video-file'
import { box, videoPath } from '#tests/e2e/fixtures/videos'
import { bytes } from '#tests/renderer/lib/media/files'

const isComplete = async (content: Uint8Array<ArrayBuffer>, kind: Parameters<typeof readStructure>[1]) =>
  (await readStructure(new Blob([content]), kind)).isComplete

async function video(name: Parameters<typeof videoPath>[0]): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(videoPath(name)))
}

describe('STORY-08 half a video is noticed', () => {
  test.each([
    ['place-udta.mp4', 'mp4'],
    ['forty-five-seconds.mp4', 'mp4'],
    ['place-tags.webm', 'webm'],
    ['sixty-one-seconds.webm', 'webm'],
  ] as const)('%s is complete, and no part of it is', async (name, kind) => {
    const whole = await video(name)
    expect(await isComplete(whole, kind)).toBe(true)
    for (const share of [0.1, 0.5, 0.9, 0.99])
      expect(await isComplete(whole.slice(0, whole.length * share), kind), String(share)).toBe(false)
  })

  test('a recording that gives no sizes is complete wherever it ends', async () => {
    expect(await isComplete(await video('no-length.webm'), 'webm')).toBe(true)
  })

  test.each<[string, string, boolean]>([
    ['a recording without its index', "00000010 'ftyp' 'isom' 00000200 00000000 'mdat' 0102", false],
    [
      'bytes after the last box',
      "00000010 'ftyp' 'isom' 00000200 00000008 'moov' 0000000a 'mdat' 0102 ff",
      true,
    ],
    ['an unfinished box of free space', "00000008 'moov' 0000000a 'mdat' 0102 00001000 'free' 00", true],
    ['media of 64-bit size', "00000008 'moov' 00000001 'mdat' 0000000000000012 0102", true],
    ['media of 64-bit size that end early', "00000008 'moov' 00000001 'mdat' 0000000100000000 0102", false],
  ])('an MP4: %s', async (_, content, expected) => {
    expect(await isComplete(bytes(content), 'mp4')).toBe(expected)
  })

  test('a transport stream ends with a packet', async () => {
    const packets = new Uint8Array(192 * 10).map((_, at) => (at % 192 === 4 ? 0x47 : 0x10))
    expect(await isComplete(packets, 'mpeg-ts')).toBe(true)
    expect(await isComplete(packets.slice(0, -50), 'mpeg-ts')).toBe(false)
  })
})

describe('STORY-08 a video that declares more samples than its file has is refused before they are read', () => {
  /** The video with four bytes changed, `offset` bytes after the type of its first box of a type. */
  async function changed(
    name: Parameters<typeof videoPath>[0],
    changes: [type: string, offset: number, value: number][],
  ) {
    const content = await video(name)
    const view = new DataView(content.buffer)
    for (const [type, offset, value] of changes) {
      const at = Buffer.from(content).indexOf(type)
      expect(at).toBeGreaterThan(0)
      view.setUint32(at + 4 + offset, value)
    }
    return content
  }
  const LARGE = 0xfffffff0

  test.each<[string, [string, number, number][]]>([
    ['durations of samples', [['stts', 8, LARGE]]],
    ['rows of durations', [['stts', 4, LARGE]]],
    ['shifts of samples', [['ctts', 8, LARGE]]],
    ['rows of shifts', [['ctts', 4, LARGE]]],
    ['key samples', [['stss', 4, LARGE]]],
    ['samples in a chunk', [['stsc', 12, LARGE]]],
    ['rows of chunks', [['stsc', 4, LARGE]]],
    ['chunks', [['stco', 4, LARGE]]],
    ['sizes', [['stsz', 8, LARGE]]],
    [
      'samples of one size',
      [
        ['stsz', 4, 1],
        ['stsz', 8, LARGE],
      ],
    ],
  ])('%s', async (_, changes) => {
    await expect(isComplete(await changed('place-udta.mp4', changes), 'mp4')).rejects.toThrow(RangeError)
  })

  test('samples of a fragment', async () => {
    await expect(
      isComplete(await changed('kinds/fragments.mp4', [['trun', 4, LARGE]]), 'mp4'),
    ).rejects.toThrow(RangeError)
    const bare = [
      ['trun', 0, 0],
      ['trun', 4, LARGE],
    ] as [string, number, number][]
    await expect(isComplete(await changed('kinds/fragments.mp4', bare), 'mp4')).rejects.toThrow(RangeError)
  })

  describe('also where only some readers look', () => {
    const word = (...values: number[]) => {
      const words = Buffer.alloc(4 * values.length)
      for (const [index, value] of values.entries()) words.writeUInt32BE(value, 4 * index)
      return words
    }
    const large = box('stts', word(0, 1, LARGE, 512))

    /** The video with a box added to the end of the first box of a type. */
    async function withBox(type: string, added: Buffer): Promise<Uint8Array<ArrayBuffer>> {
      const source = Buffer.from(await video('place-udta.mp4'))
      const end = source.indexOf(type) - 4 + source.readUInt32BE(source.indexOf(type) - 4)
      const changedSource = Buffer.concat([source.subarray(0, end), added, source.subarray(end)])
      for (const outer of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd']) {
        const at = source.indexOf(outer) - 4
        const size = source.readUInt32BE(at)
        if (at + size >= end && source.indexOf(outer) <= source.indexOf(type))
          changedSource.writeUInt32BE(size + added.length, at)
      }
      return new Uint8Array(changedSource)
    }

    test.each([
      ['a second table', 'stbl', large],
      ['a table in a box within the tables', 'stbl', box('minf', large)],
      ['a second list of tables', 'minf', box('stbl', large)],
      ['a table in metadata', 'trak', box('meta', word(0), large)],
      ['a table in a description of samples', 'stsd', large],
      ['a movie in the movie', 'moov', box('moov', box('trak', box('stbl', large)))],
    ])('%s', async (_, type, added) => {
      expect(await isComplete(await withBox(type, box('free', word(0))), 'mp4')).toBe(true)
      await expect(isComplete(await withBox(type, added), 'mp4')).rejects.toThrow(RangeError)
    })

    test('a second movie', async () => {
      const source = Buffer.from(await video('place-udta.mp4'))
      await expect(isComplete(new Uint8Array(Buffer.concat([source, box('moov')])), 'mp4')).rejects.toThrow(
        RangeError,
      )
    })

    test('many runs of a fragment, each with as many samples as the file has bytes', async () => {
      const source = Buffer.from(await video('kinds/fragments.mp4'))
      const fragment = box(
        'moof',
        box('traf', ...Array.from({ length: 3 }, () => box('trun', word(0, source.length)))),
      )
      await expect(isComplete(new Uint8Array(Buffer.concat([source, fragment])), 'mp4')).rejects.toThrow(
        RangeError,
      )
    })

    test('samples of one size that have shifts', async () => {
      const rows: [string, number, number][] = [
        ['stsz', 4, 1],
        ['stsz', 8, 3_000_000],
        ['stts', 8, 3_000_000],
      ]
      const source = Buffer.from(await changed('place-udta.mp4', rows))
      const padded = Buffer.concat([source, box('free', Buffer.alloc(4_000_000))])
      await expect(isComplete(new Uint8Array(padded), 'mp4')).rejects.toThrow(RangeError)
    })
  })

  test('and others are not', async () => {
    for (const name of [
      'pcm.mov',
      'fragments.mp4',
      'clip.mov',
      'old.mov',
      'two-tracks.mp4',
      'varying.mp4',
      'clip.3gp',
    ])
      expect(
        await isComplete(await video(`kinds/${name}` as Parameters<typeof videoPath>[0]), 'mp4'),
        name,
      ).toBe(true)
  })
})
