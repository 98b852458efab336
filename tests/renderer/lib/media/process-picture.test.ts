import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cropPixels, processAvatar, processPicture } from '#/renderer/lib/media/process-picture'
import { extraParts } from '#tests/picture-parts'
import { photo } from './files'

/** The result of every fake encoding: a picture without metadata. */
const ENCODED = photo('lossy.webp')

/** The bytes of each Blob, because Node has no FileReaderSync. */
const contents = new Map<Blob, Uint8Array>()

function blobOf(bytes: Uint8Array<ArrayBuffer>, type: string): Blob {
  const blob = new Blob([bytes], { type })
  contents.set(blob, bytes)
  return blob
}

const bytesOf = (dataUrl: string) => new Uint8Array(Buffer.from(dataUrl.split(',')[1] ?? '', 'base64'))

/** A worker's canvas that implements only the methods used here. Its encoding does not depend on the source file. */
class FakeCanvas {
  constructor(
    readonly width: number,
    readonly height: number,
  ) {}

  getContext() {
    return {
      drawImage: () => undefined,
      putImageData: () => undefined,
      fillRect: () => undefined,
      getImageData: (_x: number, _y: number, width: number, height: number) => ({
        width,
        height,
        data: new Uint8ClampedArray(width * height * 4),
      }),
    }
  }

  convertToBlob = async ({ type }: { type: string }) => blobOf(ENCODED, type)
}

beforeEach(() => {
  vi.stubGlobal('OffscreenCanvas', FakeCanvas)
  vi.stubGlobal('ImageData', class {})
  vi.stubGlobal('createImageBitmap', async () => ({ width: 120, height: 80, close: () => undefined }))
  vi.stubGlobal(
    'FileReaderSync',
    class {
      readAsDataURL(blob: Blob) {
        const bytes = contents.get(blob)
        if (bytes === undefined) throw new Error('unknown Blob')
        return `data:${blob.type};base64,${Buffer.from(bytes).toString('base64')}`
      }
    },
  )
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
  test('is removed for posts, messages and stories', async () => {
    const picture = await processPicture(blobOf(photo(name), type), () => undefined)
    expect(bytesOf(picture.dataUrl)).toEqual(ENCODED)
    expect(bytesOf(picture.thumbnailUrl)).toEqual(ENCODED)
  })

  test('is removed for profile pictures', async () => {
    const whole = { left: 0, top: 0, side: 1 }
    expect(bytesOf(await processAvatar(blobOf(photo(name), type), whole))).toEqual(ENCODED)
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
