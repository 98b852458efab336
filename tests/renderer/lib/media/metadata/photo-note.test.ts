import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { photoNote } from '#/renderer/lib/media'
import { RAW_FILES } from '#tests/camera-files'
import { bytes, photo } from '#tests/renderer/lib/media/files'

const noteOf = (bytes: Uint8Array<ArrayBuffer>) => photoNote(new Blob([bytes]))
const animated = async (bytes: Uint8Array<ArrayBuffer>) => (await noteOf(bytes)) === 'animated'
const cameraFile = (name: string) =>
  new Uint8Array(readFileSync(join(import.meta.dirname, '../../../../e2e/fixtures/camera-files', name)))

/** A GIF with this many frames of one pixel. */
function gif(frames: number): Uint8Array<ArrayBuffer> {
  const header = [...Buffer.from('GIF89a'), 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
  const control = [0x21, 0xf9, 4, 0, 10, 0, 0, 0]
  const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0]
  return new Uint8Array([
    ...header,
    ...Array.from({ length: frames }, () => [...control, ...frame]).flat(),
    0x3b,
  ])
}

test('CREATE-07 an animated GIF or WebP is recognized, and a still one is not', async () => {
  expect(await animated(photo('animated.gif'))).toBe(true)
  expect(await animated(gif(2))).toBe(true)
  expect(await animated(gif(1))).toBe(false)
  for (const name of ['lossy.webp', 'metadata.webp', 'pixel.png', 'orientation-1.jpg'] as const)
    expect(await animated(photo(name))).toBe(false)
  const webp = new Uint8Array(photo('metadata.webp'))
  webp[20] = (webp[20] ?? 0) | 2
  expect(await animated(webp)).toBe(true)
})

test('CREATE-07 damaged files and folders are not animated, and end the search', async () => {
  const whole = gif(3)
  for (let length = 0; length < 40; length += 1) expect(await animated(whole.slice(0, length))).toBe(false)
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (noise) => {
      const file = new Uint8Array([...Buffer.from('GIF89a'), ...noise])
      expect(await animated(file)).toBeTypeOf('boolean')
    }),
  )
  const unreadable = { slice: () => ({ arrayBuffer: () => Promise.reject(new Error('a folder')) }) }
  expect(await photoNote(unreadable as unknown as Blob)).toBeNull()
})

test('CREATE-07 animations of every format are recognized, and stills are not', async () => {
  expect(await animated(cameraFile('animated-apng.png'))).toBe(true)
  expect(await animated(cameraFile('animated-avif.avif'))).toBe(true)
  // A brand of HEIC for image sequences.
  expect(await animated(bytes("00000018 'ftyp' 'hevc' 00000000 'mif1' 'hevc'"))).toBe(true)
  // SizeHeader of 88 × 48 pixels; then neither all defaults nor without further fields, an orientation, no other size, no preview.
  expect(await animated(bytes('ff0a 0b94 0100'))).toBe(false)
  expect(await animated(bytes('ff0a 0b94 2000'))).toBe(true)
  for (const name of [
    'corners.heic',
    'corners.jxl',
    'corners-lzw16.tif',
    'png-exif-orientation-6-after-idat.png',
  ])
    expect(await noteOf(cameraFile(name)), name).toBeNull()
})

test('CREATE-11 RAW files of every maker are recognized', async () => {
  for (const [maker, file] of Object.entries(RAW_FILES))
    expect(await noteOf(file(photo('orientation-1.jpg'), 1)), maker).toBe('raw')
})
