import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  aspectOf,
  fitCrop,
  fractionRatio,
  moveCrop,
  resizeCrop,
  sizeCrop,
} from '#/renderer/features/composer/crop-area'
import { type CropArea, WHOLE } from '#/renderer/lib/media'

const QUARTER: CropArea = { left: 0.25, top: 0.25, width: 0.5, height: 0.5 }

const fraction = fc.double({ min: 0.06, max: 1, noNaN: true })
const area = fc
  .tuple(
    fraction,
    fraction,
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  .map(([width, height, x, y]): CropArea => ({ width, height, left: x * (1 - width), top: y * (1 - height) }))
const distance = fc.double({ min: -2, max: 2, noNaN: true })
const side = fc.constantFrom(-1 as const, 0 as const, 1 as const)
const ratio = fc.option(fc.double({ min: 0.2, max: 5, noNaN: true }))

const TINY = 1e-9

function expectInside({ left, top, width, height }: CropArea): void {
  expect(left).toBeGreaterThanOrEqual(0)
  expect(top).toBeGreaterThanOrEqual(0)
  expect(left + width).toBeLessThanOrEqual(1 + TINY)
  expect(top + height).toBeLessThanOrEqual(1 + TINY)
  expect(Math.min(width, height)).toBeGreaterThan(0.009)
}

describe('CREATE-07 the crop area', () => {
  test('moves up to the edges of the picture, and keeps its size', () => {
    expect(moveCrop(QUARTER, 0.1, -0.1)).toMatchObject({ left: 0.35, top: 0.15 })
    expect(moveCrop(QUARTER, 9, -9)).toEqual({ ...QUARTER, left: 0.5, top: 0 })
  })

  test('a corner moves two sides, and the opposite corner stays', () => {
    expect(resizeCrop(QUARTER, { x: -1, y: -1 }, -0.1, 0.1, null)).toEqual({
      left: expect.closeTo(0.15),
      top: expect.closeTo(0.35),
      width: expect.closeTo(0.6),
      height: expect.closeTo(0.4),
    })
  })

  test('dragging a side moves that side alone; with fixed proportions both dimensions change', () => {
    expect(resizeCrop(QUARTER, { x: 1, y: 0 }, 0.1, 0.4, null)).toEqual({ ...QUARTER, width: 0.6 })
    expect(resizeCrop(QUARTER, { x: 1, y: 0 }, 0.1, 0.4, 1)).toMatchObject({
      left: 0.25,
      width: 0.6,
      height: 0.6,
      top: expect.closeTo(0.2),
    })
  })

  test('its width and height can be set, with and without proportions', () => {
    expect(sizeCrop(QUARTER, 'width', 0.8, null)).toMatchObject({ width: 0.8, height: 0.5 })
    expect(sizeCrop(QUARTER, 'height', 0.8, 0.5)).toMatchObject({ width: 0.4, height: 0.8 })
    expect(sizeCrop({ ...QUARTER, left: 0.5 }, 'width', 1, null)).toMatchObject({ left: 0, width: 1 })
  })

  test('stays inside the picture, and keeps its proportions, whatever is dragged', () => {
    fc.assert(
      fc.property(area, side, side, distance, distance, ratio, (start, x, y, right, down, wanted) => {
        const crop = wanted === null ? start : fitCrop(start, wanted)
        expectInside(crop)
        const resized = resizeCrop(crop, { x, y }, right, down, wanted)
        expectInside(resized)
        expectInside(sizeCrop(crop, 'width', right, wanted))
        if (wanted !== null) expect(resized.width / resized.height).toBeCloseTo(wanted, 6)
      }),
    )
  })

  test('takes the chosen proportions, from which its aspect is recognized', () => {
    const landscape = 3 / 2
    for (const aspect of ['square', 'portrait', 'medium', 'wide', 'tall'] as const) {
      const crop = fitCrop(WHOLE, fractionRatio(aspect, landscape))
      expect(Math.max(crop.width, crop.height)).toBeCloseTo(1)
      expect(aspectOf(crop, landscape)).toBe(aspect)
    }
    const part = fitCrop({ ...QUARTER, width: 0.3 }, fractionRatio('original', 1.37))
    expect(part.width).toBeCloseTo(part.height)
    expect(aspectOf(part, 1.37)).toBe('original')
    expect(aspectOf(fitCrop(WHOLE, fractionRatio('classic', 1)), 1)).toBe('classic')
    expect(aspectOf(WHOLE, 16 / 9)).toBe('free')
    expect(aspectOf({ ...QUARTER, width: 0.3 }, landscape)).toBe('free')
  })
})
