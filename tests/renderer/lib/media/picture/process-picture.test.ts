import * as fc from 'fast-check'
import { thumbHashToAverageRGBA } from 'thumbhash'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fullSize, pictureSizes } from '#/renderer/lib/media/picture/picture-sizes'
import {
  cropPixels,
  processAvatar,
  processPicture,
  thumbHashOf,
} from '#/renderer/lib/media/picture/process-picture'
import { STORED_PICTURE } from '#/shared/limits'
import { extraParts } from '#tests/picture-parts'
import { photo } from '#tests/renderer/lib/media/files'

/** The result of every fake encoding: a picture without metadata. */
const ENCODED = photo('lossy.webp')

/** The bytes of each Blob, because Node has no FileReaderSync. */
const contents = new Map<Blob, Uint8Array>()

function blobOf(bytes: Uint8Array<ArrayBuffer>, type: string): Blob {
  const blob = new Blob([bytes], { type })
  contents.set(blob, bytes)
  return blob
}

/** Pixels that differ from their neighbours, as those of a photo. */
function photoPixels(count: number): Uint8ClampedArray {
  const colours = new Uint32Array(count)
  for (let i = 0; i < count; i++) colours[i] = (i * 7_919) | 0xff00_0000
  return new Uint8ClampedArray(colours.buffer)
}

/** A worker's canvas that implements only the methods used here. Its encoding does not depend on the source file. */
class FakeCanvas {
  constructor(
    readonly width: number,
    readonly height: number,
  ) {}

  getContext() {
    return {
      setTransform: () => undefined,
      drawImage: () => undefined,
      putImageData: () => undefined,
      fillRect: () => undefined,
      getImageData: (_x: number, _y: number, width: number, height: number) => ({
        width,
        height,
        data: photoPixels(width * height),
      }),
    }
  }

  transferToImageBitmap() {
    return { width: this.width, height: this.height, close: () => undefined }
  }

  convertToBlob = async ({ type }: { type: string }) => blobOf(ENCODED, type)
}

beforeEach(() => {
  vi.stubGlobal('OffscreenCanvas', FakeCanvas)
  vi.stubGlobal('ImageData', class {})
  vi.stubGlobal(
    'VideoFrame',
    class {
      colorSpace = { primaries: 'bt709' }
      close() {}
    },
  )
  vi.stubGlobal('createImageBitmap', async () => ({ width: 120, height: 80, close: () => undefined }))
})
afterEach(() => {
  vi.unstubAllGlobals()
  contents.clear()
})

test.each([
  ['orientation-6.jpg', ['APP1 Exif', 'APP1 http://ns.adobe.com/xap/1.0/', 'APP13 Photoshop 3.0']],
  ['metadata.webp', ['EXIF', 'XMP ']],
])('encoding removes the metadata of the fixture %s', (name, parts) => {
  expect(extraParts(photo(name))).toEqual(parts)
  expect(extraParts(ENCODED)).toEqual([])
})

describe.each([
  ['orientation-6.jpg', 'image/jpeg'],
  ['metadata.webp', 'image/webp'],
  ['transparent.png', 'image/png'],
])('CREATE-03 metadata of %s', (name, type) => {
  test('MEDIA-01 is removed from every size for posts, messages and stories', async () => {
    const picture = await processPicture(blobOf(photo(name), type), () => undefined)
    for (const size of [picture.full, picture.feed, picture.grid]) {
      expect(size.type).toBe('image/webp')
      expect(contents.get(size)).toEqual(ENCODED)
    }
  })

  test('is removed for profile pictures', async () => {
    const avatar = await processAvatar(blobOf(photo(name), type), { left: 0, top: 0, side: 1 })
    expect(contents.get(avatar)).toEqual(ENCODED)
  })
})

describe('MEDIA-02 a picture in Storage', () => {
  test('is encoded in its full, middle, feed and grid size, and never enlarged', async () => {
    const sizes: string[] = []
    vi.stubGlobal(
      'OffscreenCanvas',
      class extends FakeCanvas {
        override convertToBlob = async ({ type }: { type: string }) => {
          sizes.push(`${this.width} × ${this.height}`)
          return blobOf(ENCODED, type)
        }
      },
    )
    const source = blobOf(photo('orientation-1.jpg'), 'image/jpeg')
    const encodedSizes = async (width: number, height: number) => {
      vi.stubGlobal('createImageBitmap', async () => ({ width, height, close: () => undefined }))
      const { width: storedWidth, height: storedHeight } = await processPicture(source, () => undefined)
      // The first encoding finds out whether the browser can encode WebP.
      return [`${storedWidth} × ${storedHeight}`, ...sizes.splice(0).slice(1)]
    }
    // At the lowest quality, then at the highest, in which it fits.
    const full = ['2560 × 20', '2560 × 20']
    expect(await encodedSizes(2_560, 20)).toEqual([
      '2560 × 20',
      ...full,
      '2048 × 16',
      '1080 × 8',
      '2048 × 16',
    ])
    expect(await encodedSizes(120, 80)).toEqual(['120 × 80', ...Array(4).fill('120 × 80')])
  })

  test('has a full size of at most 12.6 megapixels, with longer sides beyond 3:1', () => {
    const sizeOf = (width: number, height: number) => {
      const size = fullSize({ width, height })
      return `${size.width} × ${size.height}`
    }
    expect(sizeOf(4_032, 3_024)).toBe('4032 × 3024')
    expect(sizeOf(9_248, 6_936)).toBe('4096 × 3072')
    expect(sizeOf(6_000, 6_000)).toBe('3549 × 3550')
    expect(sizeOf(9_000, 3_000)).toBe('4096 × 1365')
    expect(sizeOf(9_001, 3_000)).toBe('6149 × 2049')
    expect(sizeOf(1_080, 12_000)).toBe('1080 × 12000')
    expect(sizeOf(20_000, 2_000)).toBe('11225 × 1122')
    expect(sizeOf(30_000, 300)).toBe('12288 × 123')
    expect(sizeOf(640, 480)).toBe('640 × 480')
  })

  test('shrinks until it has 1.5 MB at a quality of 0.75', async () => {
    const tries: string[] = []
    vi.stubGlobal(
      'OffscreenCanvas',
      class extends FakeCanvas {
        override convertToBlob = async ({ type, quality = 0 }: { type: string; quality?: number }) => {
          if (quality >= 0.75 && this.width > 1_080 && this.width !== 2_048) {
            tries.push(`${this.width} × ${this.height} at ${quality}`)
            // Half a byte for each pixel at the lowest quality.
            return new Blob([new Uint8Array(Math.round(this.width * this.height * (quality - 0.25)))], {
              type,
            })
          }
          return blobOf(ENCODED, type)
        }
      },
    )
    vi.stubGlobal('createImageBitmap', async () => ({ width: 4_000, height: 1_000, close: () => undefined }))
    const source = blobOf(photo('orientation-1.jpg'), 'image/jpeg')
    const { full, middle, width, height } = await processPicture(source, () => undefined)
    expect(tries).toEqual(['4000 × 1000 at 0.75', '3360 × 840 at 0.75'])
    expect([width, height]).toEqual([3_360, 840])
    expect(full.size).toBeLessThanOrEqual(STORED_PICTURE.fullBytes)
    expect(middle).toBeDefined()
  })

  test('is 1080 px wide in the feed and 640 px on its shorter side in grids', () => {
    const sizesOf = (width: number, height: number) => {
      const { feed, grid } = pictureSizes({ width, height })
      return [feed.width, feed.height, grid.width, grid.height]
    }
    expect(sizesOf(2048, 1365)).toEqual([1080, 720, 960, 640])
    expect(sizesOf(1365, 2048)).toEqual([1080, 1620, 640, 960])
    expect(sizesOf(800, 600)).toEqual([800, 600, 800, 600])
    expect(sizesOf(700, 1)).toEqual([700, 1, 700, 1])
  })

  test('has a ThumbHash that the database accepts, whose colours are those of the picture', () => {
    const data = new Uint8ClampedArray(200 * 100 * 4)
    const pixels = { width: 200, height: 100, data, colorSpace: 'srgb' } as const
    for (let at = 0; at < pixels.data.length; at += 4) pixels.data.set([200, 40, 40, 255], at)
    const hash = thumbHashOf(pixels)
    expect(hash).toMatch(/^[A-Za-z0-9+/]{1,62}={0,2}$/)
    const { r, g, b } = thumbHashToAverageRGBA(Buffer.from(hash, 'base64'))
    for (const [found, wanted] of [
      [r, 200],
      [g, 40],
      [b, 40],
    ] as const)
      expect(Math.abs(found * 255 - wanted)).toBeLessThan(8)
  })
})

describe('EDIT-02 cropPixels', () => {
  test('converts fractions of the picture to pixels', () => {
    expect(cropPixels({ left: 0.25, top: 0, side: 1 }, { width: 6000, height: 3000 })).toEqual({
      x: 1500,
      y: 0,
      side: 3000,
    })
    expect(cropPixels({ left: 0.5, top: 0.75, side: 0.5 }, { width: 1000, height: 2000 })).toEqual({
      x: 500,
      y: 1500,
      side: 500,
    })
  })

  test('returns whole pixels, at least one, within the picture for any input', () => {
    const share = fc.double({ min: -0.5, max: 1.5, noNaN: true })
    const length = fc.integer({ min: 1, max: 8000 })
    fc.assert(
      fc.property(share, share, share, length, length, (left, top, part, width, height) => {
        const { x, y, side } = cropPixels({ left, top, side: part }, { width, height })
        for (const value of [x, y, side]) expect(Number.isInteger(value)).toBe(true)
        expect(side).toBeGreaterThanOrEqual(1)
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
        expect(x + side).toBeLessThanOrEqual(width)
        expect(y + side).toBeLessThanOrEqual(height)
      }),
    )
  })
})
