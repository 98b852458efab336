import { describe, expect, test } from 'vitest'
import {
  canCopyPictures,
  canCopySound,
  convertedBitsPerSecond,
  convertedSize,
  leastBitsPerSecond,
  longestSeconds,
  type PictureFacts,
} from '#/renderer/lib/media/video/video-plan'
import { tooManyBytes } from '#/renderer/lib/media/video/write-video'
import { POST_VIDEO, STORY_VIDEO } from '#/shared/limits'

const PHONE: PictureFacts = {
  codec: 'avc1.64001f',
  isHdr: false,
  isInterlaced: false,
  width: 1_080,
  height: 1_920,
  framesPerSecond: 30,
  bitsPerSecond: 6_000_000,
}

describe('STORY-08 pictures are copied if every reader plays them, and else encoded', () => {
  test.each<[string, Partial<PictureFacts>, isCopied: boolean]>([
    ['H.264 High', {}, true],
    ['H.264 Constrained Baseline', { codec: 'avc1.42c01e' }, true],
    ['H.264 Main with parameters in the stream', { codec: 'avc3.4d401f' }, true],
    ['VP8, which MP4 has no room for', { codec: 'vp8' }, false],
    ['VP9 of 8 bits', { codec: 'vp09.00.31.08' }, true],
    ['AV1 of 8 bits', { codec: 'av01.0.08M.08' }, true],
    ['29.97 frames a second, rounded', { framesPerSecond: 30.4 }, true],
    ['the largest size, upright or not', { width: 1_920, height: 1_080 }, true],
    ['H.264 of 10 bits', { codec: 'avc1.6e001f' }, false],
    ['H.264 4:2:2', { codec: 'avc1.7a001f' }, false],
    ['H.264 4:4:4', { codec: 'avc1.f4001f' }, false],
    ['HEVC', { codec: 'hvc1.1.6.L93.B0' }, false],
    ['VP9 of 10 bits', { codec: 'vp09.02.31.10' }, false],
    ['AV1 of 10 bits', { codec: 'av01.0.08M.10' }, false],
    ['AV1 4:4:4', { codec: 'av01.1.08M.08' }, false],
    ['an unknown codec', { codec: null }, false],
    ['HDR', { isHdr: true }, false],
    ['interlaced pictures', { isInterlaced: true }, false],
    ['4K', { width: 3_840, height: 2_160 }, false],
    ['a square larger than 1080 pixels', { width: 1_200, height: 1_200 }, false],
    ['60 frames a second', { framesPerSecond: 60 }, false],
    ['more than 10 Mbit/s', { bitsPerSecond: 17_000_000 }, false],
  ])('%s', (_, facts, isCopied) => {
    expect(canCopyPictures({ ...PHONE, ...facts })).toBe(isCopied)
  })

  test.each([
    ['mp4a.40.2', true],
    ['mp4a.40.5', true],
    ['mp4a.40.42', false],
    ['opus', true],
    ['vorbis', false],
    ['mp3', false],
    ['ac-3', false],
    ['ec-3', false],
    ['flac', false],
    ['pcm-s16', false],
    [null, false],
  ])('sound in %s', (codec, isCopied) => {
    expect(canCopySound(codec)).toBe(isCopied)
  })
})

describe('STORY-08 what is encoded', () => {
  test.each([
    ['4K', 3_840, 2_160, 1_920, 1_080],
    ['4K, upright', 2_160, 3_840, 1_080, 1_920],
    ['a square', 3_000, 3_000, 1_080, 1_080],
    ['a panorama', 5_760, 1_080, 1_920, 360],
    ['odd sides', 405, 721, 406, 722],
    ['small', 160, 90, 160, 90],
    ['a line', 4_000, 1, 1_920, 2],
  ])('%s keeps its proportions within 1080p', (_, width, height, newWidth, newHeight) => {
    expect(convertedSize({ width, height })).toEqual({ width: newWidth, height: newHeight })
  })

  test('has about 5 Mbit/s at 1080p, fewer if it is small, and fits into its bytes', () => {
    expect(convertedBitsPerSecond(FULL, 60, STORY_VIDEO)).toBe(5_000_000)
    expect(convertedBitsPerSecond({ width: 640, height: 360 }, 60, STORY_VIDEO)).toBeLessThan(1_000_000)
    const few = convertedBitsPerSecond(FULL, 60, { ...STORY_VIDEO, bytes: 20_000_000 })
    expect(bytesOf(few, 60)).toBeLessThan(20_000_000)
    // Another try may ask for as few as it takes.
    expect(convertedBitsPerSecond(FULL, 60, { ...STORY_VIDEO, bytes: 1_000_000 })).toBe(100_000)
  })
})

const FULL = { width: 1_920, height: 1_080 }
const SMALL = { width: 640, height: 360 }
/** The bytes of pictures at this rate, and of their sound. */
const bytesOf = (bitsPerSecond: number, seconds: number) => ((bitsPerSecond + 128_000) * seconds) / 8

describe('the bits of a video of a post fall with its length', () => {
  test.each([
    [1, 5_000_000],
    [60, 5_000_000],
    [290, 5_000_000],
    [300, 4_832_000],
    [600, 2_352_000],
  ])('%s seconds of 1080p have %s a second', (seconds, bits) => {
    const given = convertedBitsPerSecond(FULL, seconds, POST_VIDEO)
    expect(given).toBe(bits)
    expect(bytesOf(given, seconds)).toBeLessThan(POST_VIDEO.bytes * 0.94)
  })

  test('but are never fewer than 2 Mbit/s at 1080p, however few bytes are left', () => {
    const rules = { ...POST_VIDEO, bytes: 1_000_000 }
    expect(convertedBitsPerSecond(FULL, 600, rules)).toBe(2_000_000)
    const least = convertedBitsPerSecond(SMALL, 600, rules)
    expect(least).toBe(leastBitsPerSecond(SMALL, POST_VIDEO))
    expect(least).toBeCloseTo(2_000_000 * ((640 * 360) / (1_920 * 1_080)) ** 0.75, -1)
  })

  test.each([
    ['ten minutes into 200 MB', FULL, 200_000_000, 600],
    ['as long a video into the 50 MB of a free project', FULL, 50_000_000, 174],
    ['a longer one if it is small', SMALL, 50_000_000, 600],
  ])('%s', (_, size, bytes, seconds) => {
    const rules = { ...POST_VIDEO, bytes }
    expect(longestSeconds(size, rules)).toBe(seconds)
    const bits = convertedBitsPerSecond(size, seconds, rules)
    expect(bits).toBeGreaterThanOrEqual(leastBitsPerSecond(size, rules))
    expect(bytesOf(bits, seconds)).toBeLessThan(bytes * 0.94)
  })

  test('a story of a minute always fits', () => {
    expect(longestSeconds(FULL, STORY_VIDEO)).toBe(60)
  })
})

describe('a try that will not fit ends early', () => {
  const limits = { seconds: 600, maxBytes: 200_000_000 }
  test.each([
    ['is not known of the first seconds', 29, 100_000_000, null],
    ['goes on if it would fit', 30, 9_300_000, null],
    ['goes on if it may still fit', 30, 10_900_000, null],
    ['ends if it would be a tenth too large', 30, 11_100_000, 222_000_000],
    ['ends later too', 300, 150_000_000, 300_000_000],
  ])('%s', (_, seconds, bytes, expected) => {
    expect(tooManyBytes({ bytes, seconds }, limits)).toBe(expected)
  })
})
