import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { photoFrame } from '#/renderer/features/post/photo-frame'

test('FEED-03 a picture keeps its proportions, within reason', () => {
  expect(photoFrame(1440, 960)).toEqual({ ratio: 1.5, isTall: false })
  expect(photoFrame(960, 1440).isTall).toBe(true)
  expect(photoFrame(5000, 100)).toEqual({ ratio: 2.4, isTall: false })
  expect(photoFrame(100, 5000)).toEqual({ ratio: 0.5, isTall: true })
})

test('FEED-03 a picture whose size nobody stored is framed as a square', () => {
  expect(photoFrame(null, null)).toEqual({ ratio: 1, isTall: false })
  expect(photoFrame(1440, null)).toEqual({ ratio: 1, isTall: false })
})

test('FEED-03 every frame can be drawn', () => {
  const side = fc.integer({ min: 1, max: 60_000 })
  fc.assert(
    fc.property(side, side, (width, height) => {
      const { ratio } = photoFrame(width, height)
      expect(ratio).toBeGreaterThanOrEqual(0.5)
      expect(ratio).toBeLessThanOrEqual(2.4)
    }),
  )
})
