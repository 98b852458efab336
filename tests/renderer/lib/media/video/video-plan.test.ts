import { describe, expect, test } from 'vitest'
import {
  canCopyPictures,
  canCopySound,
  convertedBitsPerSecond,
  convertedSize,
  copiedContainer,
  type PictureFacts,
} from '#/renderer/lib/media/video/video-plan'
import { STORY_VIDEO_BYTES } from '#/shared/limits'

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
    ['VP8', { codec: 'vp8' }, true],
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

  test.each<[string | null, mp4: boolean, webm: boolean]>([
    ['mp4a.40.2', true, false],
    ['mp4a.40.5', true, false],
    ['mp4a.40.42', false, false],
    ['opus', true, true],
    ['vorbis', false, false],
    ['mp3', false, false],
    ['ac-3', false, false],
    ['ec-3', false, false],
    ['flac', false, false],
    ['pcm-s16', false, false],
    [null, false, false],
  ])('sound in %s', (codec, mp4, webm) => {
    expect([canCopySound(codec, 'mp4'), canCopySound(codec, 'webm')]).toEqual([mp4, webm])
  })

  test.each([
    ['webm', 'vp8', 'webm'],
    ['matroska', 'vp09.00.31.08', 'webm'],
    ['matroska', 'avc1.64001f', 'mp4'],
    ['mp4', 'vp09.00.31.08', 'mp4'],
    ['quicktime', 'avc1.64001f', 'mp4'],
    ['mpeg-ts', 'avc1.64001f', 'mp4'],
  ] as const)('%s with %s is copied to %s', (kind, codec, container) => {
    expect(copiedContainer(kind, codec)).toBe(container)
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
    const full = { width: 1_920, height: 1_080 }
    expect(convertedBitsPerSecond(full, 60, STORY_VIDEO_BYTES)).toBe(5_000_000)
    expect(convertedBitsPerSecond({ width: 640, height: 360 }, 60, STORY_VIDEO_BYTES)).toBeLessThan(1_000_000)
    const inline = convertedBitsPerSecond(full, 60, 20_000_000)
    expect(((inline + 128_000) * 60) / 8).toBeLessThan(20_000_000)
  })
})
