import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkBytes, checkPixels, inspectPicture } from '#/renderer/lib/media/source/check-source'
import { MediaError, type MediaErrorCode } from '#/renderer/lib/media/source/media-error'
import { bytes, photo } from '#tests/renderer/lib/media/files'

describe('CREATE-05 files are checked before they are decoded', () => {
  test.each<[string, MediaErrorCode]>([
    ['empty.jpg', 'empty'],
    ['notes.jpg', 'not-a-picture'],
    ['iphone.heic', 'broken'],
    ['drawing.svg', 'unsupported'],
    ['claims-144-megapixels.jpg', 'too-many-pixels'],
  ])('refuses %s as %s', (name, code) => {
    expect(() => inspectPicture(photo(name))).toThrow(expect.objectContaining({ code }))
  })

  test('refuses a video as not a picture', () => {
    const video = bytes("00000014 'ftyp' 'isom' 00000200 'isom'")
    expect(() => inspectPicture(video)).toThrow(expect.objectContaining({ code: 'not-a-picture' }))
  })

  test('returns the kind of a photo, and its size unless a decoder has to find it', () => {
    const size = { width: 64, height: 48 }
    expect(inspectPicture(photo('plain.avif'))).toEqual({ kind: 'avif', size })
    expect(inspectPicture(bytes("'II' 2a00 08000000"))).toEqual({ kind: 'tiff', size: null })
  })

  test('accepts 120 megapixels and a side of 65,535 pixels, and refuses one pixel more', () => {
    expect(() => checkPixels({ width: 12_000, height: 10_000 })).not.toThrow()
    expect(() => checkPixels({ width: 12_000, height: 10_001 })).toThrow(
      expect.objectContaining({ code: 'too-many-pixels' }),
    )
    expect(() => checkPixels({ width: 65_535, height: 8 })).not.toThrow()
    expect(() => checkPixels({ width: 8, height: 65_536 })).toThrow(
      expect.objectContaining({ code: 'too-long' }),
    )
  })

  test('refuses an interlaced PNG of more than 480 MB, whose pixels are complete after its last pass only', () => {
    const header = (depth: string, interlacing: string) =>
      bytes(`89504e470d0a1a0a 0000000d 'IHDR' 00002af8 00002710 ${depth}06 0000 ${interlacing}`)
    expect(() => inspectPicture(header('08', '01'))).not.toThrow()
    expect(() => inspectPicture(header('10', '00'))).not.toThrow()
    expect(() => inspectPicture(header('10', '01'))).toThrow(
      expect.objectContaining({ code: 'too-much-memory' }),
    )
  })

  test('accepts 200 MB and refuses one byte more', () => {
    const limit = 200 * 1024 * 1024
    const sized = (size: number) => ({ size }) as Blob
    expect(() => checkBytes(sized(limit))).not.toThrow()
    expect(() => checkBytes(sized(limit + 1))).toThrow(expect.objectContaining({ code: 'too-large' }))
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
      const { size } = inspectPicture(file)
      if (size !== null) expect(size.width * size.height).toBeGreaterThan(0)
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
