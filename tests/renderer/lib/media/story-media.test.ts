import { describe, expect, test } from 'vitest'
import { MediaError } from '#/renderer/lib/media'
import { blobOfDataUrl } from '#/renderer/lib/media/data-url'
import { checkLength, checkVideo, prepareStoryMedia } from '#/renderer/lib/media/story-media'
import { bytes } from './files'

const refusal = (code: MediaError['code']) => new MediaError(code)

describe('STORY-08 videos are checked before they are stored', () => {
  const MB = 1024 * 1024

  test('by container and size', () => {
    expect(() => checkVideo('mp4', 20 * MB)).not.toThrow()
    expect(() => checkVideo('webm', 1)).not.toThrow()
    expect(() => checkVideo('mp4', 20 * MB + 1)).toThrow(refusal('video-too-large'))
    expect(() => checkVideo('quicktime', MB)).toThrow(refusal('video-unsupported'))
  })

  test('by duration, with a tolerance of one frame', () => {
    for (const seconds of [0.1, 15, 60, 60.04]) expect(() => checkLength(seconds)).not.toThrow()
    expect(() => checkLength(60.1)).toThrow(refusal('video-too-long'))
    expect(() => checkLength(Number.POSITIVE_INFINITY)).toThrow(refusal('video-too-long'))
    for (const seconds of [0, -1, Number.NaN])
      expect(() => checkLength(seconds)).toThrow(refusal('video-broken'))
  })
})

describe('STORY-08 prepareStoryMedia detects the format by bytes and checks the size', () => {
  const MP4 = "0000001c 'ftyp' 'isom' 00000200 'isom' 'avc1' 'mp41'"
  /** A file with this start and size; the rest is never read. */
  const file = (head: string, size: number) => {
    const blob = new Blob([bytes(head)])
    Object.defineProperty(blob, 'size', { value: size })
    return blob
  }

  test.each<[string, Blob, MediaError['code']]>([
    ['an empty file', new Blob([]), 'empty'],
    ['a text of any size', file("'Dear diary'", 100_000_000), 'not-media'],
    ['a video of 21 MB', file(MP4, 21 * 1024 * 1024), 'video-too-large'],
    ['a QuickTime video', file("00000014 'ftyp' 'qt  ' 00000200 'qt  '", 1_000), 'video-unsupported'],
    ['a photo of 210 MB', file('ffd8ffe0', 210_000_000), 'too-large'],
  ])('refuses %s', async (_, source, code) => {
    await expect(prepareStoryMedia(source)).rejects.toThrow(refusal(code))
  })
})

describe('blobOfDataUrl', () => {
  test('returns the bytes and type of a long data URL', async () => {
    const original = Uint8Array.from({ length: 1_600_001 }, (_, index) => (index * 31) % 256)
    const url = `data:video/webm;base64,${Buffer.from(original).toString('base64')}`
    const blob = await blobOfDataUrl(url)
    expect(blob.type).toBe('video/webm')
    expect(Buffer.from(await blob.arrayBuffer()).equals(Buffer.from(original))).toBe(true)
  })
})
