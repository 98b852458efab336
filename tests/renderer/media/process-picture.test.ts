import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { processAvatar } from '#/renderer/lib/media/process-avatar'
import { processPicture } from '#/renderer/lib/media/process-picture'
import { extraParts } from '#tests/picture-parts'
import { photo } from './files'

/** What every canvas encodes to: a picture without any metadata. */
const ENCODED = photo('lossy.webp')

/** The bytes of the Blobs of a test: Node reads none synchronously, as the worker's FileReaderSync does. */
const contents = new Map<Blob, Uint8Array>()

function blobOf(bytes: Uint8Array<ArrayBuffer>, type: string): Blob {
  const blob = new Blob([bytes], { type })
  contents.set(blob, bytes)
  return blob
}

const bytesOf = (dataUrl: string) => new Uint8Array(Buffer.from(dataUrl.split(',')[1] ?? '', 'base64'))

/** The canvas of a worker, as far as pictures are developed on it: it forgets the file that its pixels come from. */
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
        if (bytes === undefined) throw new Error('A Blob of unknown origin')
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
])('%s says where and with what it was taken', (name, parts) => {
  expect(extraParts(photo(name))).toEqual(parts)
  expect(extraParts(ENCODED)).toEqual([])
})

describe.each([
  ['orientation-6.jpg', 'image/jpeg'],
  ['metadata.webp', 'image/webp'],
  ['transparent.png', 'image/png'],
])('CREATE-03 of %s, however small it is already,', (name, type) => {
  test('a post, a message and a story store the pixels alone', async () => {
    const picture = await processPicture(blobOf(photo(name), type), () => undefined)
    expect(bytesOf(picture.dataUrl)).toEqual(ENCODED)
    expect(bytesOf(picture.thumbnailUrl)).toEqual(ENCODED)
  })

  test('a profile stores the pixels alone', async () => {
    const whole = { left: 0, top: 0, side: 1 }
    expect(bytesOf(await processAvatar(blobOf(photo(name), type), whole))).toEqual(ENCODED)
  })
})
