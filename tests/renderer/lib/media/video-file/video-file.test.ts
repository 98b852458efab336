import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { readStructure } from '#/renderer/lib/media/video-file/video-file'
import { box, videoPath } from '#tests/e2e/fixtures/videos'
import { mp4, track, words } from '#tests/mp4-files'
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
    const large = box('stts', words(0, 1, LARGE, 512))

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
      ['a table in metadata', 'trak', box('meta', words(0), large)],
      ['a table in a description of samples', 'stsd', large],
      ['a movie in the movie', 'moov', box('moov', box('trak', box('stbl', large)))],
    ])('%s', async (_, type, added) => {
      expect(await isComplete(await withBox(type, box('free', words(0))), 'mp4')).toBe(true)
      await expect(isComplete(await withBox(type, added), 'mp4')).rejects.toThrow(RangeError)
    })

    test('many tracks, of which each has as many samples as the file has bytes', async () => {
      const tracks = Array.from({ length: 3 }, () =>
        track({ samples: 50_000, beside: box('ctts', words(0, 0)) }),
      )
      expect(await isComplete(mp4(tracks.slice(1)), 'mp4')).toBe(true)
      await expect(isComplete(mp4(tracks), 'mp4')).rejects.toThrow(RangeError)
    })

    test('metadata within metadata, in time that does not double with each', async () => {
      const metadata = Buffer.from('meta'.repeat(1_000))
      expect(await isComplete(mp4([track({ samples: 10, behind: metadata })]), 'mp4')).toBe(true)
    })

    test('a table in a text, which is hidden', async () => {
      const file = mp4([track({ samples: 10 }), box('udta', 'Altstts')])
      const { zeros } = await readStructure(new Blob([file]), 'mp4')
      expect(zeros).toEqual([Buffer.from(file).indexOf('Altstts') + 3])
    })

    test('a fragment that only a table at the end names, which is hidden', async () => {
      const hidden = box(
        'free',
        box('moof', box('traf', box('trun', words(0, LARGE)))),
        box('mfra', words(0)),
      )
      const rest = mp4([track({ samples: 10 })], [hidden])
      const lookup = rest.length + 12 - Buffer.from(rest).indexOf('mfra') + 4
      const file = new Uint8Array([...rest, ...box('free', words(lookup))])
      const { zeros } = await readStructure(new Blob([file]), 'mp4')
      expect(zeros).toEqual([4, 3, 2, 1].map((left) => file.length - left))
      expect((await readStructure(new Blob([rest]), 'mp4')).zeros).toEqual([])
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
        box('traf', ...Array.from({ length: 3 }, () => box('trun', words(0, source.length)))),
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

describe('STORY-08 a Matroska file whose head would take much more memory than it has bytes', () => {
  /** An element (RFC 8794). */
  function element(id: string, ...contents: Uint8Array[]): Buffer {
    const content = Buffer.concat(contents)
    const isShort = content.length < 16_000
    const size = isShort
      ? Buffer.from([0x40 | (content.length >> 8), content.length & 0xff])
      : Buffer.from([1, 0, 0, 0, 0, 0, 0, 0])
    if (!isShort) size.writeUIntBE(content.length, 2, 6)
    return Buffer.concat([Buffer.from(id, 'hex'), size, content])
  }
  const number = (hex: string) => Buffer.from(hex, 'hex')
  const seek = (id: string, position: number) =>
    element('4dbb', element('53ab', number(id)), element('53ac', words(position)))
  const [SEEK_HEAD, TRACKS, CUES] = ['114d9b74', '1654ae6b', '1c53bb6b']
  const settings = (bytes: number) => {
    const compression = element('5034', element('4255', Buffer.alloc(bytes)))
    return element('ae', element('6d80', element('6240', compression)))
  }
  const file = (...parts: Buffer[]) =>
    new Uint8Array(
      Buffer.concat([element('1a45dfa3'), element('18538067', ...parts, element('1f43b675', words(0)))]),
    )
  const structure = (content: Uint8Array<ArrayBuffer>) => readStructure(new Blob([content]), 'matroska')

  test.each([
    ['without them', file(element(TRACKS, settings(3)))],
    [
      'a hundred tracks and 900,000 cues',
      file(
        element(TRACKS, Buffer.alloc(3 * 100, element('ae'))),
        element(CUES, Buffer.alloc(3 * 900_000, element('bb'))),
      ),
    ],
    ['with cues behind the media', file(element(SEEK_HEAD, seek(CUES, 100)), element(TRACKS))],
  ])('is read: %s', async (_, content) => {
    expect(await structure(content)).toEqual({ isComplete: true, movie: null, zeros: [] })
  })

  test.each([
    ['more bytes before each frame than it has', file(element(TRACKS, settings(100)))],
    [
      'the same where a table leads',
      file(element(SEEK_HEAD, seek(CUES, 29)), element('ec', element(CUES, settings(100)))),
    ],
    ['the same in another part', file(element(CUES, settings(100)))],
    ['a place in another part', file(element(TRACKS, seek(CUES, 0), element('53ac', words(1))))],
    ['a place with two names', file(element(SEEK_HEAD, element('4dbb', element('53ab', number(CUES)))))],
    ['an element that is longer than its parent', file(element(TRACKS, number('ae42ff')))],
    ['an unknown element', file(element('1a45dfa4', element(TRACKS)))],
    ['many places', file(element(SEEK_HEAD, ...Array.from({ length: 17 }, (_, at) => seek(CUES, at))))],
    ['many tracks', file(element(TRACKS, Buffer.alloc(3 * 101, element('ae'))))],
    ['many cues', file(element(CUES, Buffer.alloc(3 * 1_000_001, element('bb'))))],
  ])('is refused: %s', async (_, content) => {
    await expect(structure(content)).rejects.toThrow(RangeError)
  })

  test('is read without heads that name each other', async () => {
    const content = file(element(SEEK_HEAD, seek(SEEK_HEAD, 0), seek(TRACKS, 60)), element(TRACKS))
    const at = Buffer.from(content).indexOf(number(SEEK_HEAD), 20)
    expect((await structure(content)).zeros).toEqual([at, at + 1, at + 2, at + 3])
  })

  test.each(['place-tags.webm', 'no-length.webm', 'sixty-one-seconds.webm', 'kinds/clip.mkv'] as const)(
    '%s is as it was',
    async (name) => {
      const content = await video(name)
      expect(await structure(content)).toEqual({ isComplete: true, movie: null, zeros: [] })
    },
  )
})
