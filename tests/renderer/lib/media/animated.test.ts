import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAnimated } from '#/renderer/lib/media'
import { photo } from './files'

const animated = (bytes: Uint8Array<ArrayBuffer>) => isAnimated(new Blob([bytes]))

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
      const bytes = new Uint8Array([...Buffer.from('GIF89a'), ...noise])
      expect(await animated(bytes)).toBeTypeOf('boolean')
    }),
  )
  const unreadable = { slice: () => ({ arrayBuffer: () => Promise.reject(new Error('a folder')) }) }
  expect(await isAnimated(unreadable as unknown as Blob)).toBe(false)
})
