import { readFile } from 'node:fs/promises'
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { describe, expect, test } from 'vitest'
import { MediaError } from '#/renderer/lib/media'
import { convertVideo, storable } from '#/renderer/lib/media/video/convert-video'
import { editLists, visibleParts } from '#/renderer/lib/media/video-file/mp4-boxes'
import { POST_VIDEO, STORY_VIDEO } from '#/shared/limits'
import { isPlayableVideo } from '#/shared/played-video'
import {
  box,
  changedMp4,
  enlargedMp4,
  hugeVideo,
  type TestEdit,
  tracesIn,
  tracksOf,
  videoPath,
} from '#tests/e2e/fixtures/videos'

async function clean(source: Uint8Array, rules = STORY_VIDEO): Promise<Buffer> {
  const { video } = await convertVideo(new Blob([new Uint8Array(source)]), { rules })
  expect(video.type).toBe('video/mp4')
  return Buffer.from(await video.arrayBuffer())
}

describe('STORY-11 metadata of a video are removed', () => {
  test.each([
    'place-udta.mp4',
    'place-keys.mp4',
    'place-tags.webm',
    'three-seconds.webm',
    'forty-five-seconds.mp4',
  ] as const)('%s keeps its pictures and its sound, and nothing else', async (name) => {
    const source = await readFile(videoPath(name))
    expect(tracesIn(source).length).toBeGreaterThan(0)
    const video = await clean(source)
    expect(tracesIn(video)).toEqual([])
    const read = async (from: number, to: number) => video.subarray(from, to)
    expect(await isPlayableVideo('mp4', read, video.length)).toBe(true)

    const [before, after] = [await tracksOf(source), await tracksOf(video)]
    expect(after.map(({ type }) => type)).toEqual(before.map(({ type }) => type))
    const changed = before.flatMap(({ type, packets }, track) =>
      packets.flatMap(([at, hash], index) => {
        const [newAt, newHash] = after[track]?.packets[index] ?? []
        const isSame = hash === newHash && Math.abs(at - (newAt ?? Number.NaN)) < 0.002
        return isSame ? [] : [`${type} ${index}`]
      }),
    )
    // x264 writes its settings into the first picture.
    expect(changed).toEqual(name.startsWith('place-') && name.endsWith('.mp4') ? ['video 0'] : [])
  })

  test('the same video gives the same file, whenever it was made', async () => {
    const name = 'forty-five-seconds.mp4'
    const plain = await clean(await readFile(videoPath(name)))
    const metadata = box('udta', box('name', 'Holidays'), box('loci', Buffer.alloc(30, 1)))
    const dated = await changedMp4(name, { created: 3_863_153_472, metadata })
    expect(dated.includes('Holidays')).toBe(true)
    expect((await clean(dated)).equals(plain)).toBe(true)
  })

  test('MEDIA-07 an encoded video gets what servers need to read the sizes of its pictures', async () => {
    const source = new Blob([new Uint8Array(await readFile(videoPath('three-seconds.webm')))], {
      type: 'video/webm',
    })
    const encoded = { video: source, seconds: 3, width: 180, height: 320, hasSound: true, isSoundLost: false }
    const { video, ...rest } = await storable(encoded)
    expect(rest).toEqual({ seconds: 3, width: 180, height: 320, hasSound: true, isSoundLost: false })
    const read = async (from: number, to: number) => new Uint8Array(await video.slice(from, to).arrayBuffer())
    expect(await isPlayableVideo('mp4', read, video.size)).toBe(true)
    expect(await storable({ ...encoded, video })).toEqual({ ...encoded, video })
  })

  test('a damaged file is refused', async () => {
    const source = await readFile(videoPath('forty-five-seconds.mp4'))
    for (const bytes of [source.subarray(0, 600), source.subarray(0, 40)])
      await expect(clean(bytes)).rejects.toThrow(new MediaError('video-incomplete'))
  })

  test('STORY-08 more pixels than 8K are refused before they are decoded', async () => {
    await expect(clean(await hugeVideo())).rejects.toThrow(new MediaError('video-too-many-pixels'))
  })

  test('a damaged index is refused', async () => {
    const source = await readFile(videoPath('forty-five-seconds.mp4'))
    source.fill(0xff, source.indexOf('stsd') + 4, source.indexOf('stts') - 4)
    await expect(clean(source)).rejects.toThrow(new MediaError('video-broken'))
  })
})

/** The tracks of forty-five seconds, with a key frame every six, or of place-udta, with sound; after these edits. */
async function cleanEdited(edits: readonly TestEdit[][], name: 'forty-five-seconds.mp4' | 'place-udta.mp4') {
  const tracks = await tracksOf(await clean(await changedMp4(name, { edits })))
  return tracks.map(({ type, seconds, packets }) => {
    const times = packets.map(([at]) => at)
    return { type, from: Math.min(...times), last: Math.max(...times), seconds }
  })
}

const FORTY = 'forty-five-seconds.mp4'

describe('STORY-11 what an edit list hides is removed', () => {
  test.each<[string, TestEdit[], from: number, last: number]>([
    ['nothing is hidden', [[45, 0]], 0, 44.8],
    ['the end', [[10, 0]], 0, 9.8],
    ['the start, at a key frame', [[39, 6]], 0, 38.8],
    ['the start, up to a second after a key frame', [[38.4, 6.6]], -0.6, 38.2],
    ['start and end', [[10, 12.8]], -0.8, 9.8],
    ['an end without a duration', [[0, 6]], 0, 38.8],
    [
      'a pause first',
      [
        [1, null],
        [10, 12],
      ],
      0,
      9.8,
    ],
  ])(
    '%s: it starts at the last key frame before, and ends where it is seen to end',
    async (_, edits, from, last) => {
      const [track] = await cleanEdited([edits], FORTY)
      expect(track?.from).toBeCloseTo(from, 2)
      expect(track?.last).toBeCloseTo(last, 2)
    },
  )

  test('hidden sound is removed, and sound that starts later stays in time', async () => {
    const sound = (edits: TestEdit[]) => cleanEdited([[[2, 0.2]], edits], 'place-udta.mp4')
    const [, early] = await sound([[1, 0.5]])
    expect(early?.from).toBeGreaterThan(-0.15)
    expect(early?.last).toBeLessThan(1)
    const [, late] = await sound([
      [0.5, null],
      [1, 0.5],
    ])
    expect(late?.from).toBeGreaterThan(0.47)
    expect(late?.from).toBeLessThan(0.55)
    expect(late?.last).toBeLessThan(1.5)
  })

  // Node has no encoder: these would be copied if they were not encoded again.
  test.each<[string, TestEdit[]]>([
    ['more than a second before the start is hidden', [[30, 8]]],
    [
      'a part in the middle is hidden',
      [
        [6, 0],
        [6, 18],
      ],
    ],
  ])('pictures are encoded again if %s', async (_, edits) => {
    await expect(cleanEdited([edits], FORTY)).rejects.toThrow(new MediaError('video-undecodable'))
  })

  test.each<[string, TestEdit[]]>([
    [
      'repeats',
      [
        [6, 0],
        [6, 0],
      ],
    ],
    [
      'runs backwards',
      [
        [6, 12],
        [6, 0],
      ],
    ],
    ['is slowed down', [[6, 0, 0.5]]],
  ])('a video that %s is refused', async (_, edits) => {
    const file = await changedMp4(FORTY, { edits: [edits] })
    const [list] = editLists(new DataView(new Uint8Array(file).buffer)).values()
    expect(visibleParts(list)).toBeNull()
    await expect(clean(file)).rejects.toThrow(new MediaError('video-unsupported'))
  })

  test('a part after a hidden one is shown when the first one ends', () => {
    const edits = [
      { from: null, seconds: 1, rate: 1 },
      { from: 2, seconds: 3, rate: 1 },
      { from: 10, seconds: Number.POSITIVE_INFINITY, rate: 1 },
    ]
    expect(visibleParts(edits)).toEqual([
      { from: 1, to: 4, shift: 0 },
      { from: 9, to: Number.POSITIVE_INFINITY, shift: -5 },
    ])
  })
})

describe('a video of a post', () => {
  test('of more than 45 MB is written in pieces: the same pictures, tables first, no times', async () => {
    const source = await enlargedMp4(46_500_000)
    const video = await clean(source, POST_VIDEO)
    expect(video.length).toBeGreaterThan(46_000_000)
    expect(video.indexOf('moov')).toBeLessThan(100)
    expect(await timesIn(video)).toEqual([0, 0, 0, 0, 0, 0])
    const read = async (from: number, to: number) => video.subarray(from, to)
    expect(await isPlayableVideo('mp4', read, video.length)).toBe(true)
    expect(await tracksOf(video)).toEqual(await tracksOf(source))
  })

  test('that was encoded is refused with its longest length if that is too long for its bytes', async () => {
    const source = new Blob([new Uint8Array(await readFile(videoPath(FORTY)))])
    const rules = { ...POST_VIDEO, bytes: 1_000_000 }
    // Not from a key frame, so that the pictures are encoded.
    const edit = { from: 1, to: 40, isMuted: false }
    await expect(convertVideo(source, { edit, rules })).rejects.toMatchObject({
      code: 'video-too-large-after',
      longestSeconds: 25,
    })
  })
})

/** The times at which an MP4 and its first track were made and changed. */
async function timesIn(video: Buffer): Promise<number[]> {
  return ['mvhd', 'tkhd', 'mdhd'].flatMap((type) => {
    const at = video.indexOf(type) + 8
    return [video.readUInt32BE(at), video.readUInt32BE(at + 4)]
  })
}

/** A video of two seconds whose sound is in packets of this length; Node decodes neither. */
async function withSoundOf(packetSeconds: number): Promise<Blob> {
  const output = new Output({ format: new Mp4OutputFormat(), target: new BufferTarget() })
  const [pictures, sound] = [new EncodedVideoPacketSource('vp9'), new EncodedAudioPacketSource('opus')]
  output.addVideoTrack(pictures)
  output.addAudioTrack(sound)
  await output.start()
  const decoderConfig = { codec: 'vp09.00.10.08', codedWidth: 16, codedHeight: 16 }
  // A frame of VP9 of 16 x 16 pixels that is shown.
  const key = Uint8Array.of(0x82, 0x49, 0x83, 0x42, 0x00, 0x00, 0xf0, 0x00, 0xf0)
  for (let at = 0; at < 2; at += 0.5)
    await pictures.add(new EncodedPacket(key, 'key', at, 0.5), { decoderConfig })
  const config = { codec: 'opus', sampleRate: 48_000, numberOfChannels: 1 }
  for (let at = 0; at < 2; at += packetSeconds)
    await sound.add(new EncodedPacket(Uint8Array.of(0xfc), 'key', at, packetSeconds), {
      decoderConfig: config,
    })
  await output.finalize()
  return new Blob([output.target.buffer ?? new ArrayBuffer(0)])
}

test.each([
  ['copied', 0.02, true],
  ['encoded again if it has more than 60 packets a second', 0.0025, false],
])('sound is %s', async (_, seconds, hasSound) => {
  const video = await convertVideo(await withSoundOf(seconds), { rules: POST_VIDEO })
  // Node has no encoder.
  expect(video).toMatchObject({ hasSound, isSoundLost: !hasSound })
})
