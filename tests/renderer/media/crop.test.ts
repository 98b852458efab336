import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cropPixels } from '#/renderer/lib/media/crop'

describe('EDIT-02 the square in pixels', () => {
  test('is the part that was shown', () => {
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

  test('is whole, never empty and never beyond the picture, whatever was shown', () => {
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
