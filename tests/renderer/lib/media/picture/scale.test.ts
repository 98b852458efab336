import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitWithin, type Pixels, scaleDown } from '#/renderer/lib/media/picture/scale'

type Colour = readonly [red: number, green: number, blue: number, alpha: number]

function painted(width: number, height: number, colourAt: (x: number, y: number) => Colour): Pixels {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set(colourAt(x, y), (y * width + x) * 4)
  }
  return { data, width, height, colorSpace: 'srgb' }
}

function pixel({ data, width }: Pixels, x: number, y: number): number[] {
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)]
}

describe('CREATE-03 fitWithin', () => {
  test('fits the longest side and keeps the proportions', () => {
    expect(fitWithin({ width: 6000, height: 4000 }, 1440)).toEqual({ width: 1440, height: 960 })
    expect(fitWithin({ width: 4000, height: 6000 }, 1440)).toEqual({ width: 960, height: 1440 })
  })

  test('never enlarges', () => {
    expect(fitWithin({ width: 800, height: 600 }, 1440)).toEqual({ width: 800, height: 600 })
    expect(fitWithin({ width: 1, height: 1 }, 1440)).toEqual({ width: 1, height: 1 })
  })

  test('keeps at least one pixel of a very thin picture', () => {
    expect(fitWithin({ width: 60_000, height: 3 }, 1440)).toEqual({ width: 1440, height: 1 })
  })

  test('returns whole sides between one and the square for any size', () => {
    const side = fc.integer({ min: 1, max: 70_000 })
    fc.assert(
      fc.property(side, side, (width, height) => {
        const fitted = fitWithin({ width, height }, 1440)
        for (const [length, original] of [
          [fitted.width, width],
          [fitted.height, height],
        ] as const) {
          expect(Number.isInteger(length)).toBe(true)
          expect(length).toBeGreaterThanOrEqual(1)
          expect(length).toBeLessThanOrEqual(Math.min(1440, original))
        }
      }),
    )
  })
})

describe('CREATE-03 scaleDown', () => {
  test('keeps a single colour up to the edges', () => {
    const scaled = scaleDown(
      painted(97, 61, () => [42, 120, 200, 255]),
      { width: 31, height: 17 },
    )
    expect(scaled).toMatchObject({ width: 31, height: 17 })
    for (let y = 0; y < 17; y++) {
      for (let x = 0; x < 31; x++) expect(pixel(scaled, x, y)).toEqual([42, 120, 200, 255])
    }
  })

  test('returns an equal picture for the same size', () => {
    const picture = painted(5, 3, (x, y) => [x * 20, y * 20, 7, 255])
    expect(scaleDown(picture, { width: 5, height: 3 })).toEqual(picture)
  })

  test('keeps the position of coloured quarters', () => {
    const red: Colour = [208, 28, 28, 255]
    const blue: Colour = [28, 67, 208, 255]
    const scaled = scaleDown(
      painted(80, 60, (x, y) => (x < 40 === y < 30 ? red : blue)),
      { width: 20, height: 15 },
    )
    expect(pixel(scaled, 2, 2)).toEqual(red)
    expect(pixel(scaled, 17, 2)).toEqual(blue)
    expect(pixel(scaled, 2, 12)).toEqual(blue)
    expect(pixel(scaled, 17, 12)).toEqual(red)
  })

  test('does not mix the colour of transparent pixels into edges', () => {
    const scaled = scaleDown(
      painted(40, 40, (x) => (x < 19 ? [255, 255, 255, 255] : [0, 0, 0, 0])),
      { width: 10, height: 10 },
    )
    for (let x = 0; x < 10; x++) {
      const [red = 0, , , alpha = 0] = pixel(scaled, x, 5)
      if (alpha > 0) expect(red).toBe(255)
    }
    expect(pixel(scaled, 0, 5)).toEqual([255, 255, 255, 255])
    expect(pixel(scaled, 9, 5)).toEqual([0, 0, 0, 0])
  })

  /** Rings that get finer towards the edge: 0.5 cycles per pixel at `side / 2`. */
  const rings = (side: number): Pixels =>
    painted(side, side, (x, y) => {
      const value =
        127.5 + 127.5 * Math.cos((Math.PI * ((x + 0.5 - side / 2) ** 2 + (y + 0.5 - side / 2) ** 2)) / side)
      return [value, value, value, 255]
    })

  test('keeps detail that the small picture can show, and turns finer detail into grey instead of moiré', () => {
    const [from, to] = [300, 120]
    const scaled = scaleDown(rings(from), { width: to, height: to })
    const visible: number[] = []
    const tooFine: number[] = []
    for (let y = 0; y < to; y++) {
      for (let x = 0; x < to; x++) {
        const square = (((x + 0.5) * from) / to - from / 2) ** 2 + (((y + 0.5) * from) / to - from / 2) ** 2
        const frequency = Math.sqrt(square) / from
        const [value = 0] = pixel(scaled, x, y)
        const ideal = 127.5 + 127.5 * Math.cos((Math.PI * square) / from)
        if (frequency < 0.6 * (to / from / 2)) visible.push((value - ideal) ** 2)
        else if (frequency > 1.3 * (to / from / 2) && frequency < 0.5) tooFine.push((value - 127.5) ** 2)
      }
    }
    const deviation = (squares: number[]) =>
      Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length)
    // A canvas at its best quality deviates by 14 and 23.
    expect(deviation(visible)).toBeLessThan(4)
    expect(deviation(tooFine)).toBeLessThan(8)
  })
})
