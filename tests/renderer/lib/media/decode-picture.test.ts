import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkBytes, checkPixels, inspectPicture } from '#/renderer/lib/media/decode-picture'
import { MediaError, type MediaErrorCode } from '#/renderer/lib/media/media-error'
import { bytes, photo } from './files'

describe('CREATE-05 files are checked before they are decoded', () => {
  test.each<[string, MediaErrorCode]>([
    ['empty.jpg', 'empty'],
    ['notes.jpg', 'not-a-picture'],
    ['iphone.heic', 'unsupported'],
    ['drawing.svg', 'unsupported'],
    ['claims-81-megapixels.jpg', 'too-many-pixels'],
  ])('refuses %s as %s', (name, code) => {
    expect(() => inspectPicture(photo(name))).toThrow(expect.objectContaining({ code }))
  })

  test('refuses a video as not a picture', () => {
    const video = bytes("00000014 'ftyp' 'isom' 00000200 'isom'")
    expect(() => inspectPicture(video)).toThrow(expect.objectContaining({ code: 'not-a-picture' }))
  })

  test('returns the kind and size of a picture', () => {
    expect(inspectPicture(photo('plain.avif'))).toEqual({ kind: 'avif', width: 64, height: 48 })
  })

  test('accepts 64 megapixels and refuses one pixel more', () => {
    expect(() => checkPixels({ width: 8000, height: 8000 })).not.toThrow()
    expect(() => checkPixels({ width: 64_000_001, height: 1 })).toThrow(
      expect.objectContaining({ code: 'too-many-pixels' }),
    )
  })

  test('accepts 25 MB and refuses one byte more', () => {
    const limit = 25 * 1024 * 1024
    expect(() => checkBytes(new Blob([new Uint8Array(limit)]))).not.toThrow()
    expect(() => checkBytes(new Blob([new Uint8Array(limit + 1)]))).toThrow(
      expect.objectContaining({ code: 'too-large' }),
    )
    expect(() => checkBytes(new Blob([]))).toThrow(expect.objectContaining({ code: 'empty' }))
  })

  const MAGIC = [
    'ffd8ff',
    '89504e470d0a1a0a',
    "'GIF89a'",
    "'RIFF' 00000000 'WEBPVP8 '",
    "'RIFF' 00000000 'WEBPVP8L'",
    "'RIFF' 00000000 'WEBPVP8X'",
    "'BM' 000000000000000000000000 28000000",
    "00000014 'ftyp' 'avif' 00000000 'avif' 00000040 'meta' 00000000 00000030 'iprp' 00000028 'ipco'",
    "'<svg'",
    '1a45dfa3',
    '',
  ].map(bytes)

  const onlyMediaErrors = (file: Uint8Array): void => {
    try {
      const { width, height } = inspectPicture(file)
      expect(width * height).toBeGreaterThan(0)
    } catch (error) {
      expect(error).toBeInstanceOf(MediaError)
    }
  }

  test('returns a size or throws a MediaError for any bytes after a magic number', () => {
    const file = fc.tuple(fc.constantFrom(...MAGIC), fc.uint8Array({ maxLength: 400 }))
    fc.assert(
      fc.property(file, ([magic, rest]) => onlyMediaErrors(new Uint8Array([...magic, ...rest]))),
      { numRuns: 2_000 },
    )
  })

  test('returns a size or throws a MediaError for damaged and truncated pictures', () => {
    const pictures = [
      'orientation-1.jpg',
      'pixel.png',
      'lossy.webp',
      'animated.gif',
      'plain.avif',
      'plain.bmp',
    ].map(photo)
    const change = fc.tuple(fc.nat(300), fc.integer({ min: 0, max: 255 }))
    fc.assert(
      fc.property(
        fc.constantFrom(...pictures),
        fc.array(change, { maxLength: 8 }),
        fc.nat(400),
        (picture, changes, length) => {
          const damaged = picture.slice(0, length)
          for (const [at, value] of changes) if (at < damaged.length) damaged[at] = value
          onlyMediaErrors(damaged)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
