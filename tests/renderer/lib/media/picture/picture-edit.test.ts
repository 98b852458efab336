import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  editedSize,
  editTransform,
  isUnedited,
  lookOf,
  MAX_ANGLE,
  type PictureEdit,
  parseEdit,
  turnedCrop,
  UNEDITED,
  WHOLE,
} from '#/renderer/lib/media/picture/picture-edit'
import {
  applyLook,
  contrasted,
  exposed,
  FILTERS,
  highlighted,
  isUnchanged,
  type Look,
  shadowed,
  UNCHANGED,
  vignetted,
  warmthGains,
} from '#/renderer/lib/media/picture/picture-look'

const SIZE = { width: 300, height: 200 }

/** The point of the original that an edited picture shows at x, y. */
function originAt(edit: PictureEdit, x: number, y: number, size = SIZE): [number, number] {
  const [a, b, c, d, e, f] = editTransform(size, edit, 1)
  const scale = a * d - b * c
  return [(d * (x - e) - c * (y - f)) / scale, (a * (y - f) - b * (x - e)) / scale]
}

const fraction = (min: number) => fc.double({ min, max: 1, noNaN: true })

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
  ...Object.fromEntries(
    (['contrast', 'highlights', 'shadows', 'warmth'] as const).map((name) => [name, fraction(-1)]),
  ),
  ...Object.fromEntries((['strength', 'grain', 'vignette'] as const).map((name) => [name, fraction(0)])),
}) as fc.Arbitrary<PictureEdit>

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
    fc.assert(
      fc.property(edits, (edit) => {
        const stored = JSON.parse(JSON.stringify(edit))
        expect(parseEdit(stored)).toEqual(stored)
      }),
    )
    for (const wrong of [
      null,
      'turns',
      {},
      { ...UNEDITED, turns: 1.5 },
      { ...UNEDITED, angle: 90 },
      { ...UNEDITED, filter: 'sepia' },
      { ...UNEDITED, exposure: '1' },
      { ...UNEDITED, contrast: 1.1 },
      { ...UNEDITED, grain: -0.1 },
      { ...UNEDITED, strength: null },
      { ...UNEDITED, crop: { left: 0.5, top: 0, width: 0.6, height: 1 } },
      { ...UNEDITED, crop: { left: 0, top: 0, width: 0, height: 1 } },
      { ...UNEDITED, crop: null },
    ])
      expect(parseEdit(wrong)).toBeNull()
  })

  test('CREATE-08 an edit that an earlier version stored opens unchanged', () => {
    const stored = { turns: 1, angle: -2.5, crop: WHOLE, filter: 'ink', exposure: 0.5 }
    expect(parseEdit(stored)).toEqual({ ...UNEDITED, ...stored, strength: 1, contrast: 0 })
  })
})

type Colour = readonly [red: number, green: number, blue: number]

/** The middle pixel of an even picture of this colour after a look. */
function changed(colour: Colour, look: Partial<Look>): number[] {
  const data = Uint8ClampedArray.from({ length: 9 * 4 }, (_, index) => [...colour, 200][index % 4] ?? 0)
  applyLook({ data, width: 3, height: 3 }, { ...UNCHANGED, ...look })
  return [...data.slice(16, 20)]
}

const look = (colour: Colour, filter: Look['filter'], exposure = 0) => changed(colour, { filter, exposure })

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

describe('CREATE-07 the curves of an edit', () => {
  const curves = { shadowed, highlighted, contrasted }
  const amount = fraction(-1)
  const values = Array.from({ length: 256 }, (_, level) => level / 255)

  test('have the values that their formulas give by hand', () => {
    expect(exposed(0.5, -1)).toBeCloseTo(0.5 * 2 ** (-1 / 2.2))
    expect(exposed(0.5, 1)).toBeCloseTo(1 - 0.5 ** (2 ** 0.74))
    // A quarter: 0.25 · 0.75³ = 0.10546875.
    expect(shadowed(0.25, 1)).toBeCloseTo(0.25 + 1.8 * 0.10546875)
    expect(shadowed(0.25, -1)).toBeCloseTo(0.25 - 0.9 * 0.10546875)
    expect(highlighted(0.75, -1)).toBeCloseTo(0.75 - 1.8 * 0.10546875)
    expect(highlighted(0.75, 0.5)).toBeCloseTo(0.75 + 0.45 * 0.10546875)
    // 3 · 0.25² - 2 · 0.25³ = 0.15625.
    expect(contrasted(0.25, 1)).toBeCloseTo(0.15625)
    expect(contrasted(0.25, -1)).toBeCloseTo(0.34375)
    expect(warmthGains(0.5)).toEqual({ red: 1.04, blue: 0.9 })
    expect(warmthGains(-1)).toEqual({ red: 0.8, blue: 1.08 })
  })

  test('keep black and white, and never make a lighter value the darker one', () => {
    fc.assert(
      fc.property(amount, (by) => {
        for (const curve of Object.values(curves)) {
          expect([curve(0, by), curve(1, by)]).toEqual([0, 1])
          const curved = values.map((value) => curve(value, by))
          expect(
            curved.every((value, index) => index === 0 || value >= (curved[index - 1] ?? 0) - 1e-9),
          ).toBe(true)
        }
      }),
    )
  })

  test('change pixels by them: shadows, highlights, contrast and warmth', () => {
    const grey = Math.round(0.25 * 255)
    const expected = (value: number) => Math.round(value * 255)
    const dark: Colour = [grey, grey, grey]
    const level = grey / 255
    expect(changed(dark, { shadows: 1 })[0]).toBe(expected(shadowed(level, 1)))
    expect(changed(dark, { contrast: 0.5 })[0]).toBe(expected(contrasted(level, 0.5)))
    expect(changed([200, 200, 200], { highlights: -1 })[0]).toBe(expected(highlighted(200 / 255, -1)))
    expect(changed([100, 100, 100], { warmth: 1 })).toEqual([108, 100, 80, 200])
  })

  test('the strength of a filter is between the original and the whole filter', () => {
    const colour: Colour = [200, 120, 60]
    const whole = changed(colour, { filter: 'silver' })
    expect(changed(colour, { filter: 'silver', strength: 0 })).toEqual([...colour, 200])
    const half = changed(colour, { filter: 'silver', strength: 0.5 })
    for (const [channel, value] of colour.entries())
      expect(Math.abs((half[channel] ?? 0) - (value + (whole[channel] ?? 0)) / 2)).toBeLessThanOrEqual(1)
    expect(isUnchanged({ ...UNCHANGED, strength: 0.2 })).toBe(true)
  })

  test('a vignette leaves the middle alone, and darkens the corners of the picture, not of what is around it', () => {
    expect(vignetted(0, 0, 1)).toBe(1)
    expect(vignetted(1, 1, 1)).toBe(0.25)
    // Half of the distance to the corner, squared twice: a quarter of 0.75.
    expect(vignetted(1, 0, 1)).toBeCloseTo(1 - 0.75 / 4)
    const even = () => new Uint8ClampedArray(100 * 100 * 4).fill(200)
    const [whole, part] = [even(), even()]
    applyLook({ data: whole, width: 100, height: 100 }, { ...UNCHANGED, vignette: 1 })
    applyLook(
      { data: part, width: 100, height: 100 },
      { ...UNCHANGED, vignette: 1 },
      { left: 50, top: 50, width: 50, height: 50 },
    )
    const at = (data: Uint8ClampedArray, x: number, y: number) => data[(y * 100 + x) * 4] ?? 0
    expect(at(whole, 50, 50)).toBe(200)
    expect(at(whole, 0, 0)).toBeLessThan(60)
    expect(at(part, 75, 75)).toBe(200)
    expect(at(part, 99, 99)).toBe(Math.round(200 * vignetted(0.98, 0.98, 1)))
    expect(at(whole, 75, 75)).toBeLessThan(200)
  })

  test('grain is the same each time, even, without colour, and the same at every size of a picture', () => {
    const grained = (width: number, height: number, grey = 128) => {
      const data = new Uint8ClampedArray(width * height * 4).fill(grey)
      applyLook({ data, width, height }, { ...UNCHANGED, grain: 1 })
      return data
    }
    const [width, height] = [1_400, 200]
    const large = grained(width, height)
    expect(Buffer.from(grained(width, height)).equals(Buffer.from(large))).toBe(true)
    let isColourless = true
    for (let at = 0; at < large.length; at += 4)
      isColourless &&= large[at] === large[at + 1] && large[at] === large[at + 2]
    expect(isColourless).toBe(true)
    expect(new Set(grained(10, 10, 0))).toEqual(new Set([0]))
    // Half of the size: the mean of each four pixels.
    const small = grained(width / 2, height / 2)
    let [difference, deviation] = [0, 0]
    for (let y = 0; y < height / 2; y += 1)
      for (let x = 0; x < width / 2; x += 1) {
        const at = (right: number, down: number) => large[((2 * y + down) * width + 2 * x + right) * 4] ?? 0
        const value = small[(y * (width / 2) + x) * 4] ?? 0
        difference += Math.abs(value - (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) / 4)
        deviation += Math.abs(value - 128)
      }
    const pixels = (width * height) / 4
    expect(deviation / pixels).toBeGreaterThan(3)
    expect(difference).toBeLessThan(deviation * 0.3)
  })

  test('the look of an edit has no geometry', () => {
    expect(lookOf({ ...UNEDITED, turns: 1, grain: 0.5 })).toEqual({ ...UNCHANGED, grain: 0.5 })
  })
})
