import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  frameRatio,
  GAP,
  justifiedRows,
  neighbour,
  rowOf,
  squareRows,
  targetHeight,
} from '#/renderer/lib/layout/photo-rows'

/** Ratios of cameras and phones. */
const ratio = fc.constantFrom(3 / 2, 2 / 3, 4 / 3, 3 / 4, 4 / 5, 1, 9 / 16)
const anyRatio = fc.double({ min: 0.01, max: 100, noNaN: true })
const width = fc.integer({ min: 300, max: 3_400 })

describe('FEED-21 justified rows', () => {
  test('fill the width with every photo once, in order, and keep their proportions', () => {
    fc.assert(
      fc.property(fc.array(anyRatio, { minLength: 1, maxLength: 80 }), width, (ratios, wide) => {
        const rows = justifiedRows(ratios, wide, targetHeight(wide))
        expect(rows.flatMap(({ first, cells }) => cells.map((_, index) => first + index))).toEqual([
          ...ratios.keys(),
        ])
        for (const { first, height, cells } of rows)
          for (const [index, cell] of cells.entries()) {
            const shape = frameRatio(ratios[first + index] ?? 0)
            expect(Math.abs(cell.width - shape * height)).toBeLessThanOrEqual(1 + shape)
            expect(cell.left + cell.width).toBeLessThanOrEqual(wide + 1)
          }
        for (const { cells } of rows.slice(0, -1)) {
          const { left, width: last } = cells.at(-1) ?? { left: 0, width: 0 }
          expect(Math.abs(left + last - wide)).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  test('take a photo without a proportion as a square', () => {
    expect(justifiedRows([Number.NaN, 2, Number.NaN], 600, 150)).toEqual(justifiedRows([1, 2, 1], 600, 150))
  })

  test('of common proportions are 280 to 360 pixels high in wide windows', () => {
    fc.assert(
      fc.property(
        fc.array(ratio, { minLength: 40, maxLength: 200 }),
        fc.integer({ min: 2_200, max: 3_400 }),
        (ratios, wide) => {
          const rows = justifiedRows(ratios, wide, targetHeight(wide)).slice(0, -1)
          for (const { height } of rows) {
            expect(height).toBeGreaterThanOrEqual(280)
            expect(height).toBeLessThanOrEqual(360)
          }
        },
      ),
    )
  })

  test('stay when further photos are loaded, except the last one', () => {
    fc.assert(
      fc.property(
        fc.array(anyRatio, { minLength: 2, maxLength: 80 }),
        width,
        fc.nat(),
        (ratios, wide, cut) => {
          const loaded = justifiedRows(ratios.slice(0, 1 + (cut % ratios.length)), wide, 300).slice(0, -1)
          expect(justifiedRows(ratios, wide, 300).slice(0, loaded.length)).toEqual(loaded)
        },
      ),
    )
  })

  test('a last row is not stretched', () => {
    const [row] = justifiedRows([2 / 3], 1_600, 320)
    expect(row).toEqual({ first: 0, top: 0, height: 320, cells: [{ left: 0, width: 213 }] })
  })

  test('10,000 photos are laid out while a frame is drawn, without a row for each photo', () => {
    const ratios = Array.from({ length: 10_000 }, (_, index) => 0.5 + (index % 13) / 8)
    const rows = justifiedRows(ratios, 2_200, 320)
    expect(rows.length).toBeLessThan(2_500)
    expect(rows.at(-1)?.top).toBeGreaterThan(300_000)
    for (const index of [0, 4_321, 9_999]) {
      const row = rows[rowOf(rows, index)]
      expect(row?.first).toBeLessThanOrEqual(index)
      expect((row?.first ?? 0) + (row?.cells.length ?? 0)).toBeGreaterThan(index)
    }
  })
})

test('PROF-06 squares in three columns', () => {
  const rows = squareRows(5, 312, 3)
  expect(rows).toEqual([
    { first: 0, top: 0, height: 100, cells: [0, 106, 212].map((left) => ({ left, width: 100 })) },
    { first: 3, top: 100 + GAP, height: 100, cells: [0, 106].map((left) => ({ left, width: 100 })) },
  ])
})

test('FEED-21 arrow keys go to the photo beside, above or below', () => {
  // 300 + 6 + 200 | 100 + 6 + 400 | 150
  const rows = [
    {
      first: 0,
      top: 0,
      height: 100,
      cells: [
        { left: 0, width: 300 },
        { left: 306, width: 200 },
      ],
    },
    {
      first: 2,
      top: 106,
      height: 100,
      cells: [
        { left: 0, width: 100 },
        { left: 106, width: 400 },
      ],
    },
    { first: 4, top: 212, height: 100, cells: [{ left: 0, width: 150 }] },
  ]
  const go = (index: number, direction: Parameters<typeof neighbour>[2]) =>
    neighbour(rows, index, direction, 5)
  expect(go(1, 'right')).toBe(2)
  expect(go(2, 'left')).toBe(1)
  expect(go(0, 'left')).toBe(0)
  expect(go(4, 'right')).toBe(4)
  expect(go(0, 'down')).toBe(2)
  expect(go(1, 'down')).toBe(3)
  expect(go(3, 'up')).toBe(1)
  expect(go(3, 'down')).toBe(4)
  expect(go(4, 'down')).toBe(4)
  expect(go(0, 'up')).toBe(0)
})
