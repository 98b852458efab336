import { readFile } from 'node:fs/promises'
import { BufferSource, EncodedPacketSink, Input, MP4, WEBM } from 'mediabunny'
import { describe, expect, test } from 'vitest'
import { bytesOf } from '#/renderer/lib/media/video-file/user-data'
import {
  createCount,
  frameChecker,
  type PictureCodec,
  packetChecker,
  withFrameIndex,
} from '#/shared/frame-sizes'
import { videoPath } from '#tests/e2e/fixtures/videos'
import { av1Unit, avcConfiguration, bits, sequence, words } from '#tests/mp4-files'

/** The pictures of a test video. */
async function streamOf(name: Parameters<typeof videoPath>[0]) {
  const source = new BufferSource(new Uint8Array(await readFile(videoPath(name))))
  const track = await new Input({ source, formats: [MP4, WEBM] }).getPrimaryVideoTrack()
  if (track === null) throw new Error('The video has no pictures')
  const codec = (await track.getCodec()) as PictureCodec
  const packets: Uint8Array[] = []
  for await (const { data } of new EncodedPacketSink(track).packets())
    packets.push(codec === 'vp9' ? withFrameIndex(data) : data)
  const description = (await track.getDecoderConfig())?.description
  const configuration = description === undefined ? new Uint8Array() : bytesOf(description)
  return { codec, configuration, packets }
}

describe('MEDIA-07 the pictures of a stream', () => {
  test.each([
    'kinds/upright.mp4',
    'kinds/sixty.mp4',
    'three-seconds.webm',
    'forty-five-seconds.mp4',
    'kinds/vp8.webm',
    'kinds/av1.webm',
  ] as const)('of %s are small', async (name) => {
    const { codec, configuration, packets } = await streamOf(name)
    const check = packetChecker(codec, configuration)
    expect(packets.length).toBeGreaterThan(5)
    for (const packet of packets) check(packet)
  })

  test('of grows.webm are small, then large', async () => {
    const { codec, configuration, packets } = await streamOf('grows.webm')
    const check = packetChecker(codec, configuration)
    const isSmall = packets.map((packet) => {
      try {
        check(packet)
        return true
      } catch {
        return false
      }
    })
    expect(isSmall).toContain(true)
    expect(isSmall.at(-1)).toBe(false)
  })
})

const NONE = new Uint8Array()
const [SMALL, LARGE] = [320, 12_000]
const side = (pixels: number): [number, number] => [pixels - 1, 16]
const KEY: [number, number] = [0b1000_0010, 8]
const SYNC: [number, number] = [0x498342, 24]

/** Frames of VP9 whose headers have this size: see section 7.2 of its specification. */
const VP9: readonly [string, (pixels: number) => Buffer][] = [
  ['a key frame', (pixels) => bits(KEY, SYNC, [0b0100, 4], side(pixels), side(pixels))],
  [
    'a hidden frame without references',
    (pixels) => bits([0b1000_0100_1_00, 11], SYNC, [1, 8], side(pixels), side(pixels)),
  ],
  [
    'a frame with a size of its own',
    (pixels) => bits([0b1000_0110_00, 10], [0, 20], [0, 3], side(pixels), side(pixels)),
  ],
]

/** The same of other profiles than the first, which chosen files may have. */
const VP9_OF_OTHER_PROFILES: typeof VP9 = [
  ['RGB', (pixels) => bits([0b1010_0010, 8], SYNC, [0b1110, 4], side(pixels), side(pixels))],
  [
    '4:4:4 and 12 bits',
    (pixels) => bits([0b1011_0001_0, 9], SYNC, [0b1_010_0_000, 8], side(pixels), side(pixels)),
  ],
]

describe('MEDIA-07 VP9 is checked', () => {
  const check = packetChecker('vp9', NONE)

  test.each(VP9_OF_OTHER_PROFILES)('and refused in %s, which not every reader plays', (_, frame) => {
    expect(() => check(withFrameIndex(frame(SMALL)))).toThrow(RangeError)
    const checkChosen = frameChecker('vp9', NONE, ({ width }) => {
      if (width > SMALL) throw new RangeError('large')
    })
    expect(() => checkChosen(withFrameIndex(frame(SMALL)))).not.toThrow()
    expect(() => checkChosen(withFrameIndex(frame(LARGE)))).toThrow('large')
  })

  test.each(VP9)('in %s', (_, frame) => {
    expect(() => check(withFrameIndex(frame(SMALL)))).not.toThrow()
    expect(() => check(withFrameIndex(frame(LARGE)))).toThrow(RangeError)
  })

  test('and refused without an index: another frame may be behind the first', () => {
    const [, key] = VP9[0] ?? []
    const frame = key?.(SMALL) ?? Buffer.alloc(0)
    expect(() => check(frame)).toThrow(RangeError)
    const indexed = withFrameIndex(frame)
    expect(indexed.subarray(0, frame.length)).toEqual(new Uint8Array(frame))
    expect(withFrameIndex(indexed)).toBe(indexed)
    expect(withFrameIndex(Buffer.of(0))).toEqual(Buffer.of(0))
  })

  test('in each frame of a packet with an index', () => {
    const [, key] = VP9[0] ?? []
    const packet = (second: number) => {
      const frames = [key?.(SMALL), key?.(second)].map((frame) => frame ?? Buffer.alloc(0))
      const index = [0b1100_0001, ...frames.map(({ length }) => length), 0b1100_0001]
      return Buffer.concat([...frames, Buffer.from(index)])
    }
    expect(() => check(packet(SMALL))).not.toThrow()
    expect(() => check(packet(LARGE))).toThrow(RangeError)
    expect(() => check(Buffer.of(0b1100_0000, 9, 0b1100_0000))).toThrow(RangeError)
  })

  test('not where a frame has the size of another, is shown again or left out', () => {
    const known = bits([0b1000_0110_00, 10], [0, 20], [1, 1], side(LARGE), side(LARGE))
    expect(() => check(withFrameIndex(known))).not.toThrow()
    expect(() => check(withFrameIndex(bits([0b1000_1000, 8], side(LARGE), side(LARGE))))).not.toThrow()
    expect(() => check(Buffer.of(0))).not.toThrow()
  })

  test('and damaged frames are refused', () => {
    const damaged = bits([0b1000_0010, 8], [0, 24], side(SMALL), side(SMALL))
    expect(() => check(withFrameIndex(damaged))).toThrow(RangeError)
    expect(() => check(withFrameIndex(Buffer.alloc(20)))).toThrow(RangeError)
  })
})

test('MEDIA-07 VP8 is checked in key frames', () => {
  const check = packetChecker('vp8', NONE)
  const frame = (tag: number, pixels: number) =>
    Buffer.of(tag, 0, 0, 0x9d, 0x01, 0x2a, pixels & 255, pixels >> 8, pixels & 255, pixels >> 8)
  expect(() => check(frame(0x10, SMALL))).not.toThrow()
  expect(() => check(frame(0x10, LARGE))).toThrow(RangeError)
  expect(() => check(frame(0x11, LARGE))).not.toThrow()
})

test('MEDIA-07 AV1 is checked in its configuration and in packets', () => {
  // A reduced header: a still picture, level 0, and sides of 16 bits.
  const header = (pixels: number) =>
    Buffer.concat([
      Buffer.of(0x0a, 8),
      bits([0b00011_00000, 10], [0xff, 8], side(pixels), side(pixels), [0, 14]),
    ])
  const configuration = (pixels: number) => Buffer.concat([Buffer.of(0x81, 0, 0, 0), header(pixels)])
  expect(() => packetChecker('av1', configuration(LARGE))).toThrow(RangeError)
  const check = packetChecker('av1', configuration(SMALL))
  expect(() => check(header(SMALL))).not.toThrow()
  expect(() => check(header(LARGE))).toThrow(RangeError)
})

test.each<[string, tools: string, frame: string]>([
  ['a key frame', '0 000 0000 0', '0 00 1 0 1'],
  ['a hidden frame', '0 000 0000 0', '0 01 0 0 0 0 1'],
  ['a switch frame', '0 000 0000 0', '0 11 1 0'],
  ['a frame with a number, for screens', '1 0011 010 000 0000 0 1 1', '0 00 1 0 1 1 00000000 1'],
])('MEDIA-07 %s of AV1 with a size of its own may be as large as its bits', (name, tools, frame) => {
  const side = (sideBits: number) => '111111'.padStart(sideBits, '0')
  const header = (sideBits: number) => {
    const lengths = (sideBits - 1).toString(2).padStart(4, '0').repeat(2)
    return av1Unit(1, `${'0'.repeat(29)} ${lengths} ${side(sideBits)} ${side(sideBits)} ${tools}`)
  }
  const checkAfter = (sideBits: number) =>
    packetChecker('av1', Buffer.concat([Buffer.alloc(4), header(sideBits)]))
  for (const type of [3, 6, 7]) {
    const [small, large] = [checkAfter(8), checkAfter(16)]
    expect(() => small(av1Unit(type, frame))).not.toThrow()
    expect(() => large(av1Unit(type, frame))).toThrow(RangeError)
    if (name !== 'a switch frame') expect(() => large(av1Unit(type, `${frame.slice(0, -1)}0`))).not.toThrow()
    // Shown again.
    expect(() => large(av1Unit(type, '1'))).not.toThrow()
    // A decoder may refuse the last header.
    small(header(16))
    small(header(8))
    expect(() => small(av1Unit(type, frame))).toThrow(RangeError)
  }
})

test.each([
  ['8 bits', '000', '0', true],
  ['10 bits', '000', '1', false],
  ['4:4:4', '001', '0', false],
])(
  'MEDIA-07 AV1 of %s and profile %s is stored only if every reader plays it',
  (_, profile, isDeep, isPlayed) => {
    const header = av1Unit(
      1,
      `${profile} ${'0'.repeat(26)} 0111 0111 00111111 00111111 0 000 0000 0 1 1 000 ${isDeep}`,
    )
    const check = () => packetChecker('av1', Buffer.concat([Buffer.alloc(4), header]))
    if (isPlayed) expect(check).not.toThrow()
    else expect(check).toThrow('every reader')
  },
)

test('MEDIA-07 AV1 is checked in little time: with few different sequences, and few frames in a packet', () => {
  const side = (pixels: number) => (pixels - 1).toString(2).padStart(8, '0')
  const header = (pixels: number) =>
    av1Unit(1, `${'0'.repeat(29)} 0111 0111 ${side(pixels)} ${side(64)} 0 000 0000 0`)
  const check = packetChecker('av1', Buffer.concat([Buffer.alloc(4), header(64)]))
  const frame = av1Unit(3, '0 01 1 0 0 0 0')
  const frames = (count: number) => Buffer.concat(Array.from({ length: count }, () => frame))
  expect(() => check(frames(32))).not.toThrow()
  expect(() => check(frames(33))).toThrow(RangeError)
  for (const pixels of [64, 65, 66, 67, 64]) expect(() => check(header(pixels))).not.toThrow()
  expect(() => check(header(68))).toThrow(RangeError)
})

test('MEDIA-07 AV1 is checked in little time: with few units, and without long numbers', () => {
  const header = (zeros: number) =>
    av1Unit(
      1,
      `000 0 0 1 ${'0'.repeat(64)} 1 ${'0'.repeat(zeros)}1${'0'.repeat(zeros)} 0 0 00000 ${'0'.repeat(17)} 0111 0111 00111111 00111111 0 000 0000 0`,
    )
  const checkAfter = (zeros: number) => packetChecker('av1', Buffer.concat([Buffer.alloc(4), header(zeros)]))
  expect(() => checkAfter(31)).not.toThrow()
  expect(() => checkAfter(32)).toThrow(RangeError)
  const padding = (units: number) => Buffer.concat(Array.from({ length: units }, () => av1Unit(15, '0')))
  expect(() => checkAfter(0)(padding(1_000))).not.toThrow()
  expect(() => checkAfter(0)(padding(1_001))).toThrow(RangeError)
})

describe('MEDIA-07 H.264 is checked', () => {
  const check = packetChecker('avc', avcConfiguration(sequence(20, 15)))
  const packet = (unit: Buffer) => Buffer.concat([words(unit.length), unit])

  test('in its configuration and in packets', () => {
    expect(() => check(packet(sequence(120, 68)))).not.toThrow()
    expect(() => check(packet(sequence(750, 750)))).toThrow(RangeError)
    expect(() => packetChecker('avc', avcConfiguration(sequence(750, 750)))).toThrow(RangeError)
    // Decoders take them from the list of picture parameters too.
    const large = sequence(750, 750)
    const second = Buffer.concat([
      avcConfiguration(sequence(20, 15)).subarray(0, -1),
      Buffer.of(1, 0, large.length),
      large,
    ])
    expect(() => packetChecker('avc', second)).toThrow(RangeError)
  })

  test('wherever a start code is in a unit', () => {
    for (let before = 1; before < 8; before += 1) {
      const unit = Buffer.concat([Buffer.alloc(before, 0x41), Buffer.of(0, 0, 1), Buffer.alloc(3, 0x41)])
      expect(() => check(packet(unit))).toThrow(RangeError)
    }
    expect(() => check(packet(Buffer.of(0x41, 0, 1, 0, 2, 0, 0, 3, 1)))).not.toThrow()
  })

  test('in little time: with parameters of a few bytes', () => {
    expect(() => check(packet(Buffer.concat([sequence(20, 15), Buffer.alloc(5_000, 0x80)])))).toThrow(
      RangeError,
    )
  })

  test('with lengths of four bytes only, and few units in a packet', () => {
    expect(() => packetChecker('avc', Buffer.of(1, 66, 0, 40, 0xfc, 0xe0))).toThrow(RangeError)
    expect(() => check(Buffer.alloc(50_000))).toThrow(RangeError)
    const units = (count: number) =>
      Buffer.concat(Array.from({ length: count }, () => packet(Buffer.of(0x41))))
    expect(() => check(units(1_000))).not.toThrow()
    expect(() => check(units(1_001))).toThrow(RangeError)
  })
})

describe('MEDIA-07 a stored stream is checked in little time', () => {
  const av1Header = (height: string) =>
    av1Unit(1, `${'0'.repeat(29)} 0111 0111 00111111 ${height} 0 000 0000 0`)
  const AV1_HEADER = av1Header('00111111')
  const FOUR_HEADERS = ['00111111', '00111110', '00111101', '00111100'].map(av1Header)
  const AV1_FRAMES = Buffer.concat(Array.from({ length: 25 }, () => av1Unit(3, '0 01 1 0 0 0 0')))
  const unit = (bytes: Buffer) => Buffer.concat([words(bytes.length), bytes])
  const LONG_PARAMETERS = Buffer.concat([sequence(120, 68), Buffer.alloc(4_080, 0xff)])

  test.each<[string, PictureCodec, Uint8Array, packet: Uint8Array, packets: number]>([
    ['frames of VP9', 'vp9', NONE, withFrameIndex(VP9[0]?.[1](SMALL) ?? NONE), 200_000],
    ['units of AV1', 'av1', Buffer.concat([Buffer.alloc(4), AV1_HEADER]), AV1_FRAMES, 7_999],
    [
      'frames of AV1, which are read for each of four sequences',
      'av1',
      Buffer.concat([Buffer.alloc(4), ...FOUR_HEADERS]),
      AV1_FRAMES,
      1_999,
    ],
    ['packets of AV1', 'av1', Buffer.concat([Buffer.alloc(4), AV1_HEADER]), NONE, 199_979],
    ['frames of VP8', 'vp8', NONE, Buffer.of(1), 200_000],
    ['left out frames of VP9', 'vp9', NONE, Buffer.of(0), 200_000],
    ['packets of H.264', 'avc', avcConfiguration(sequence(20, 15)), NONE, 199_970],
    ['units of H.264', 'avc', avcConfiguration(sequence(20, 15)), unit(Buffer.of(0x41)), 199_970],
    ['parameters of H.264', 'avc', avcConfiguration(sequence(20, 15)), unit(sequence(120, 68)), 9_522],
    ['long parameters of H.264', 'avc', avcConfiguration(sequence(20, 15)), unit(LONG_PARAMETERS), 195],
  ])('with few %s in all of its packets', (_, codec, configuration, packet, packets) => {
    const check = packetChecker(codec, configuration)
    for (let count = 0; count < packets; count += 1) check(packet)
    expect(() => {
      for (let count = 0; count < 25; count += 1) check(packet)
    }).toThrow('A video has too many frames.')
  })

  test('with few frames in all of its streams together', () => {
    const count = createCount()
    const [first, second] = [packetChecker('vp8', NONE, count), packetChecker('vp9', NONE, count)]
    for (let packets = 0; packets < 100_000; packets += 1) {
      first(Buffer.of(1))
      second(Buffer.of(0))
    }
    for (const check of [first, second])
      expect(() => check(Buffer.of(1))).toThrow('A video has too many frames.')
  })
})
