import { readFile } from 'node:fs/promises'
import { BufferSource, EncodedPacketSink, Input, MATROSKA, MP4, MPEG_TS, QTFF, WEBM } from 'mediabunny'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import { checkDecoders } from '#/renderer/lib/media/video/checked-decoder'
import { withFrameIndex } from '#/shared/frame-sizes'
import { grownMp4, videoPath } from '#tests/e2e/fixtures/videos'
import { avcConfiguration, bits, sequence, words } from '#tests/mp4-files'

class Chunk {
  readonly type: EncodedVideoChunkType
  readonly timestamp: number
  readonly duration: number | null
  readonly byteLength: number
  readonly #data: Uint8Array

  constructor({ type, timestamp, duration, data }: EncodedVideoChunkInit) {
    this.type = type
    this.timestamp = timestamp
    this.duration = duration ?? null
    this.#data = data as Uint8Array
    this.byteLength = this.#data.length
  }

  copyTo(target: Uint8Array) {
    target.set(this.#data)
  }
}

/** What reaches the decoder. */
const decoded: Uint8Array[] = []

class Decoder {
  configure() {}
  decode(chunk: Chunk) {
    const data = new Uint8Array(chunk.byteLength)
    chunk.copyTo(data)
    decoded.push(data)
  }
}

beforeEach(() => {
  decoded.length = 0
  vi.stubGlobal('EncodedVideoChunk', Chunk)
  vi.stubGlobal('VideoDecoder', Decoder)
  checkDecoders()
})
afterEach(() => vi.unstubAllGlobals())

function decode(config: VideoDecoderConfig, ...packets: readonly Uint8Array[]): void {
  const decoder = new VideoDecoder({ output: () => undefined, error: () => undefined })
  decoder.configure(config)
  for (const data of packets)
    decoder.decode(
      new EncodedVideoChunk({ type: 'key', timestamp: 0, duration: 1, data: new Uint8Array(data) }),
    )
}

const TOO_LARGE = new MediaError('video-too-many-pixels')
const [SMALL, LARGE] = [sequence(20, 15), sequence(750, 750)]
const PICTURE = Buffer.of(0x41, 0x9a)
const prefixed = (lengthSize: number, ...units: readonly Buffer[]) =>
  Buffer.concat(units.flatMap((unit) => [words(unit.length).subarray(4 - lengthSize), unit]))
const streamed = (...units: readonly Buffer[]) =>
  Buffer.concat(units.flatMap((unit) => [Buffer.of(0, 0, 1), unit]))

/** Sequence parameters of H.265 for pictures of this size (ITU-T H.265, 7.3.2.2.1). */
function hevcSequence(side: number, layers = 0): Buffer {
  const layered = Array.from({ length: layers === 0 ? 0 : 8 }, (_, layer): [number, number] => [
    layer < layers ? 0b11 : 0,
    2,
  ])
  return Buffer.concat([
    Buffer.of(0x42, 0x01),
    bits(
      [0, 4],
      [layers, 3],
      [1, 1],
      ...Array.from({ length: 12 }, (): [number, number] => [0x55, 8]),
      ...layered,
      ...Array.from({ length: 12 * layers }, (): [number, number] => [0x55, 8]),
      { golomb: 0 },
      { golomb: 1 },
      { golomb: side },
      { golomb: side },
      [1, 1],
    ),
  ])
}

function hevcConfiguration(...units: readonly Buffer[]): Buffer {
  const list = units.map((unit) => Buffer.concat([Buffer.of(0, unit.length), unit]))
  return Buffer.concat([Buffer.alloc(21, 3), Buffer.of(3, 1, 33, 0, units.length), ...list])
}

const AVC = { codec: 'avc1.64001f' }
const HEVC = { codec: 'hvc1.1.6.L93.B0' }
const VP9 = { codec: 'vp09.00.31.08' }
const vp9 = (side: number) =>
  bits([0b1000_0010, 8], [0x498342, 24], [0b0100, 4], [side - 1, 16], [side - 1, 16])
const vp8 = (side: number) =>
  Buffer.of(0x10, 0, 0, 0x9d, 0x01, 0x2a, side & 255, side >> 8, side & 255, side >> 8)
const av1 = (side: number) =>
  Buffer.concat([
    Buffer.of(0x0a, 8),
    bits([0b00011_00000, 10], [0xff, 8], [side - 1, 16], [side - 1, 16], [0, 14]),
  ])

describe('STORY-08 a decoder gets no picture of more than 8K', () => {
  const description = avcConfiguration(SMALL)
  const short = Buffer.from(description)
  short[4] = 0xfc + 1

  test.each<[string, VideoDecoderConfig, small: Buffer, large: Buffer]>([
    [
      'H.264',
      { ...AVC, description },
      prefixed(4, SMALL, sequence(480, 270), PICTURE),
      prefixed(4, PICTURE, LARGE),
    ],
    [
      'H.264 after short lengths',
      { ...AVC, description: short },
      prefixed(2, SMALL, PICTURE),
      prefixed(2, LARGE),
    ],
    [
      'H.264 with another unit in one',
      { ...AVC, description },
      prefixed(4, Buffer.concat([PICTURE, streamed(SMALL)])),
      prefixed(4, Buffer.concat([PICTURE, streamed(LARGE)])),
    ],
    ['a transport stream of H.264', AVC, streamed(SMALL, PICTURE), streamed(SMALL, LARGE)],
    [
      'H.265',
      { ...HEVC, description: hevcConfiguration(hevcSequence(320)) },
      prefixed(4, hevcSequence(320), hevcSequence(320, 2)),
      prefixed(4, hevcSequence(12_000, 2)),
    ],
    ['a transport stream of H.265', HEVC, streamed(hevcSequence(320)), streamed(hevcSequence(12_000))],
    ['VP8', { codec: 'vp8' }, vp8(320), vp8(12_000)],
    ['VP9', VP9, vp9(320), vp9(12_000)],
    ['AV1', { codec: 'av01.0.04M.08' }, av1(320), av1(12_000)],
  ])('of %s', (_, config, small, large) => {
    decode(config, small)
    expect(decoded).toHaveLength(1)
    expect(() => decode(config, large)).toThrow(TOO_LARGE)
    expect(decoded).toHaveLength(1)
  })

  test('that its configuration announces, in whichever list', () => {
    const inSecond = Buffer.concat([
      avcConfiguration(SMALL).subarray(0, -1),
      Buffer.of(1, 0, LARGE.length),
      LARGE,
    ])
    for (const config of [
      { ...AVC, description: avcConfiguration(SMALL, LARGE) },
      { ...AVC, description: inSecond },
      { ...HEVC, description: hevcConfiguration(hevcSequence(320), hevcSequence(12_000)) },
    ])
      expect(() => decode(config)).toThrow(TOO_LARGE)
  })

  test('behind the first frame of a packet', () => {
    decode(VP9, Buffer.concat([vp9(320), vp9(12_000)]))
    expect(decoded).toEqual([withFrameIndex(new Uint8Array(Buffer.concat([vp9(320), vp9(12_000)])))])
  })

  test('and none with damaged parameters, or many', () => {
    for (const packet of [
      prefixed(4, sequence(20, 15, 144)),
      prefixed(4, Buffer.alloc(100, 0)).subarray(0, 50),
      prefixed(4, ...Array.from({ length: 40 }, () => SMALL)),
    ])
      expect(() => decode({ ...AVC, description }, packet)).toThrow(RangeError)
    expect(decoded).toEqual([])
  })
})

/** The sides of 8K and 4K, with the bits of a number less one. */
const EIGHT_K = [8_192, 4_608] as const
const FOUR_K = [4_096, 2_304] as const
const sides = ([width, height]: readonly [number, number]) =>
  [
    [width - 1, 16],
    [height - 1, 16],
  ] as [number, number][]

/** Sequence parameters of High 4:4:4 Predictive: the format of colours, and bits beyond eight. */
const avcFormat = (size: readonly [number, number], colours: number, depth: number) =>
  prefixed(
    4,
    Buffer.concat([
      Buffer.of(0x67, 244, 0, 62),
      bits(
        ...[0, colours].map((golomb) => ({ golomb })),
        ...(colours === 3 ? ([[0, 1]] as [number, number][]) : []),
        ...[depth, depth].map((golomb) => ({ golomb })),
        [0, 2],
        ...[0, 2, 4].map((golomb) => ({ golomb })),
        [0, 1],
        ...size.map((pixels) => ({ golomb: pixels / 16 - 1 })),
        [1, 1],
      ),
    ]),
  )
/** A key frame of VP9 in this profile. */
const vp9Format = (size: readonly [number, number], profile: number) =>
  withFrameIndex(
    new Uint8Array(
      bits(
        [0b10, 2],
        [profile & 1, 1],
        [profile >> 1, 1],
        ...(profile === 3 ? ([[0, 1]] as [number, number][]) : []),
        [0b0010, 4],
        [0x498342, 24],
        ...(profile >= 2 ? ([[0, 1]] as [number, number][]) : []),
        [0b001, 3],
        [0, profile & 1 ? 4 : 1],
        ...sides(size),
      ),
    ),
  )
/** A sequence header of AV1, of a still picture or with all that may stand before the depth. */
const av1Format = (size: readonly [number, number], profile: number, isDeep: boolean, isReduced: boolean) => {
  const [before, after] = isReduced
    ? ['1100000', '000']
    : [
        // One operating point, of level 0.
        '0'.repeat(26),
        // Numbers of frames, order, tools for screens and their motion.
        ['1', '0'.repeat(7), '000', '0000', '100', '0101', '000'].join(''),
      ]
  const text = (values: string) => [...values].map((value): [number, number] => [Number(value), 1])
  const header = bits(
    [profile, 3],
    ...text(before),
    [0xff, 8],
    ...sides(size),
    ...text(after),
    [0, 3],
    [isDeep ? 1 : 0, 1],
    [0, 16],
  )
  return Buffer.concat([Buffer.of(0x0a, header.length), header])
}
type Format = (size: readonly [number, number]) => Uint8Array

describe('STORY-08 a decoder gets no picture of more bytes than one of 8K in 8 bits', () => {
  const AVC_FORMATS = { codec: 'avc1.f4003e', description: avcConfiguration(SMALL) }
  const AV1 = { codec: 'av01.1.17M.10' }

  test.each<[string, VideoDecoderConfig, Format]>([
    ['H.264 in 10 bits', AVC_FORMATS, (size) => avcFormat(size, 1, 2)],
    ['H.264 in 4:2:2', AVC_FORMATS, (size) => avcFormat(size, 2, 0)],
    ['H.264 in 4:4:4', AVC_FORMATS, (size) => avcFormat(size, 3, 0)],
    ['H.264 in 10 bits and 4:4:4', AVC_FORMATS, (size) => avcFormat(size, 3, 2)],
    ['VP9 in 4:4:4', VP9, (size) => vp9Format(size, 1)],
    ['VP9 in 10 bits', VP9, (size) => vp9Format(size, 2)],
    ['VP9 in 10 bits and 4:4:4', VP9, (size) => vp9Format(size, 3)],
    ['AV1 in 10 bits', AV1, (size) => av1Format(size, 0, true, false)],
    ['AV1 in 4:4:4', AV1, (size) => av1Format(size, 1, false, false)],
    ['AV1 in 12 bits', AV1, (size) => av1Format(size, 2, true, true)],
  ])('of %s', (_, config, format) => {
    decode(config, format(FOUR_K))
    expect(decoded).toHaveLength(1)
    expect(() => decode(config, format(EIGHT_K))).toThrow(TOO_LARGE)
    expect(decoded).toHaveLength(1)
  })

  test.each<[string, VideoDecoderConfig, Format]>([
    ['H.264', AVC_FORMATS, (size) => avcFormat(size, 1, 0)],
    ['VP9', VP9, (size) => vp9Format(size, 0)],
    ['AV1', AV1, (size) => av1Format(size, 0, false, false)],
    ['AV1 with a short header', AV1, (size) => av1Format(size, 0, false, true)],
  ])('but all of 8K in 8 bits: %s', (_, config, format) => {
    decode(config, format(EIGHT_K))
    expect(decoded).toHaveLength(1)
  })
})

/** The pictures of a video. */
async function streamOf(video: Uint8Array) {
  const source = new BufferSource(new Uint8Array(video))
  const track = await new Input({
    source,
    formats: [MP4, QTFF, WEBM, MATROSKA, MPEG_TS],
  }).getPrimaryVideoTrack()
  const config = await track?.getDecoderConfig()
  if (!track || !config) throw new Error('The video has no pictures')
  const packets: Uint8Array[] = []
  for await (const { data } of new EncodedPacketSink(track).packets()) packets.push(data)
  return { config, packets }
}

describe('STORY-08 a decoder gets all pictures', () => {
  test.each([
    'kinds/upright.mp4',
    'kinds/varying.mp4',
    'kinds/ten-bit.mp4',
    'kinds/hevc.mov',
    'kinds/interlaced.mpegts',
    'kinds/camera.m2ts',
    'kinds/vp8.webm',
    'kinds/vp9.mkv',
    'kinds/hlg.webm',
    'kinds/av1.webm',
    'wide.webm',
    'forty-five-seconds.mp4',
  ] as const)('of %s', async (name) => {
    const { config, packets } = await streamOf(await readFile(videoPath(name)))
    decode(config, ...packets)
    expect(decoded).toHaveLength(packets.length)
  })

  test('of a video that becomes larger before they do', async () => {
    const { config, packets } = await streamOf(await grownMp4(LARGE))
    expect(() => decode(config, ...packets)).toThrow(TOO_LARGE)
    expect(decoded.length).toBeGreaterThan(3)
  })
})
