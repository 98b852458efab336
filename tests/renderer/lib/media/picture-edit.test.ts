import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  editedSize,
  editTransform,
  isEdit,
  isUnedited,
  MAX_ANGLE,
  type PictureEdit,
  turnedCrop,
  UNEDITED,
} from '#/renderer/lib/media/picture-edit'
import { applyLook, FILTERS, type Filter } from '#/renderer/lib/media/picture-look'

const SIZE = { width: 300, height: 200 }

/** The point of the original that an edited picture shows at x, y. */
function originAt(edit: PictureEdit, x: number, y: number, size = SIZE): [number, number] {
  const [a, b, c, d, e, f] = editTransform(size, edit, 1)
  const scale = a * d - b * c
  return [(d * (x - e) - c * (y - f)) / scale, (a * (y - f) - b * (x - e)) / scale]
}

const edits = fc.record({
  turns: fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const),
  angle: fc.double({ min: -MAX_ANGLE, max: MAX_ANGLE, noNaN: true }),
  crop: fc
    .tuple(...Array.from({ length: 4 }, () => fc.double({ min: 0.05, max: 1, noNaN: true })))
    .map(([width = 1, height = 1, x = 0, y = 0]) => ({
      width,
      height,
      left: x * (1 - width),
      top: y * (1 - height),
    })),
  filter: fc.constantFrom(...FILTERS),
  exposure: fc.double({ min: -2, max: 2, noNaN: true }),
})

describe('CREATE-07 the geometry of an edit', () => {
  test('without changes is the original', () => {
    expect(isUnedited(UNEDITED)).toBe(true)
    expect(editedSize(SIZE, UNEDITED)).toEqual(SIZE)
    expect(editTransform(SIZE, UNEDITED, 0.5).map((value) => value + 0)).toEqual([0.5, 0, 0, 0.5, 0, 0])
  })

  test('a quarter turn clockwise shows the lower left corner at the upper left', () => {
    const turned: PictureEdit = { ...UNEDITED, turns: 1 }
    expect(editedSize(SIZE, turned)).toEqual({ width: 200, height: 300 })
    expect(originAt(turned, 0, 0)).toEqual([expect.closeTo(0), expect.closeTo(200)])
    expect(originAt(turned, 200, 0)).toEqual([expect.closeTo(0), expect.closeTo(0)])
  })

  test('a crop area is of the turned picture, and turns with it', () => {
    const crop = { left: 0, top: 0, width: 0.5, height: 0.25 }
    expect(editedSize(SIZE, { ...UNEDITED, crop })).toEqual({ width: 150, height: 50 })
    expect(turnedCrop(crop)).toEqual({ left: 0.75, top: 0, width: 0.25, height: 0.5 })
    const again = [turnedCrop, turnedCrop, turnedCrop].reduce((area, turn) => turn(area), turnedCrop(crop))
    expect(again).toEqual(crop)
  })

  test('shows no empty corner, however the picture is turned, straightened and cropped', () => {
    const sides = fc.integer({ min: 40, max: 6_000 })
    fc.assert(
      fc.property(edits, sides, sides, (edit, width, height) => {
        const size = { width, height }
        const edited = editedSize(size, edit)
        // Whole pixels may exceed the area by half a pixel.
        const slack = edit.angle === 0 ? 0.51 : 0.01
        for (const [x, y] of [
          [0.5, 0.5],
          [edited.width - 0.5, 0.5],
          [0.5, edited.height - 0.5],
          [edited.width - 0.5, edited.height - 0.5],
        ] as const) {
          const [left, top] = originAt(edit, x, y, size)
          expect(left).toBeGreaterThanOrEqual(-slack)
          expect(top).toBeGreaterThanOrEqual(-slack)
          expect(left).toBeLessThanOrEqual(width + slack)
          expect(top).toBeLessThanOrEqual(height + slack)
        }
      }),
    )
  })

  test('CREATE-08 a stored edit is used only if this version of the app can apply it', () => {
    fc.assert(fc.property(edits, (edit) => isEdit(JSON.parse(JSON.stringify(edit)))))
    for (const wrong of [
      null,
      'turns',
      {},
      { ...UNEDITED, turns: 1.5 },
      { ...UNEDITED, angle: 90 },
      { ...UNEDITED, filter: 'sepia' },
      { ...UNEDITED, exposure: '1' },
      { ...UNEDITED, crop: { left: 0.5, top: 0, width: 0.6, height: 1 } },
      { ...UNEDITED, crop: { left: 0, top: 0, width: 0, height: 1 } },
      { ...UNEDITED, crop: null },
    ])
      expect(isEdit(wrong)).toBe(false)
  })
})

/** The result of a filter for one opaque pixel. */
function look(colour: readonly [number, number, number], filter: Filter, exposure = 0): number[] {
  const data = new Uint8ClampedArray([...colour, 200])
  applyLook({ data }, filter, exposure)
  return [...data]
}

describe('CREATE-07 the colours of an edit', () => {
  test('the original keeps every value', () => {
    expect(look([12, 130, 250], 'none')).toEqual([12, 130, 250, 200])
  })

  test('black and white filters have no colour, and keep transparency', () => {
    for (const filter of ['silver', 'ink'] as const) {
      const [red, green, blue, alpha] = look([200, 80, 40], filter)
      expect([green, blue, alpha]).toEqual([red, red, 200])
    }
  })

  test('exposure brightens or darkens, without clipping a bright sky', () => {
    const grey = (stops: number) => look([128, 128, 128], 'none', stops)[0] ?? 0
    expect(grey(1)).toBeGreaterThan(150)
    expect(grey(-1)).toBeLessThan(110)
    expect(look([240, 240, 240], 'none', 1)[0]).toBeLessThan(255)
    expect(look([0, 0, 0], 'none', 2).slice(0, 3)).toEqual([0, 0, 0])
  })

  test('warm and cool shift the balance, faded lifts black, vivid saturates', () => {
    const [warmRed = 0, , warmBlue = 0] = look([128, 128, 128], 'warm')
    expect(warmRed).toBeGreaterThan(warmBlue)
    const [coolRed = 0, , coolBlue = 0] = look([128, 128, 128], 'cool')
    expect(coolBlue).toBeGreaterThan(coolRed)
    expect(look([0, 0, 0], 'faded')[0]).toBeGreaterThan(15)
    const [red = 0, , blue = 0] = look([160, 120, 100], 'vivid')
    expect(red - blue).toBeGreaterThan(60)
  })
})
