import { describe, expect, test } from 'vitest'
import { hasLightInk, isWide } from '#/renderer/lib/media/decode/drawing'

type Colour = readonly [red: number, green: number, blue: number, alpha: number]

const pixels = (...colours: Colour[]) => new Uint8ClampedArray(colours.flat())

describe('MEDIA-06 isWide', () => {
  // The numbers of CSS Color 4: color(display-p3 …) of the corners of sRGB.
  test.each<[string, Colour]>([
    ['red', [234, 51, 35, 255]],
    ['green', [117, 251, 76, 255]],
    ['blue', [0, 0, 245, 255]],
    ['yellow', [255, 255, 84, 255]],
    ['cyan', [117, 251, 253, 255]],
    ['magenta', [234, 51, 247, 255]],
    ['white', [255, 255, 255, 255]],
    ['grey', [128, 128, 128, 255]],
    ['black', [0, 0, 0, 255]],
  ])('the %s of sRGB is within sRGB', (_, colour) => {
    expect(isWide(pixels(colour))).toBe(false)
  })

  test.each<[string, Colour]>([
    ['red', [255, 0, 0, 255]],
    ['green', [0, 255, 0, 255]],
    ['orange', [255, 140, 0, 255]],
    ['cyan', [0, 255, 255, 255]],
  ])('the %s of Display P3 is not', (_, colour) => {
    expect(isWide(pixels([128, 128, 128, 255], colour))).toBe(true)
  })

  test('nearly transparent pixels do not count', () => {
    expect(isWide(pixels([255, 0, 0, 100]))).toBe(false)
  })
})

describe('MEDIA-06 hasLightInk', () => {
  const CLEAR: Colour = [0, 0, 0, 0]
  const WHITE: Colour = [255, 255, 255, 255]
  const BLACK: Colour = [0, 0, 0, 255]
  const RED: Colour = [210, 30, 30, 255]
  /** In one row. */
  const hasLight = (...colours: Colour[]) => hasLightInk(pixels(...colours), colours.length)
  /** Strokes of one pixel, each between transparent ones. */
  const strokes = (...colours: Colour[]) => colours.flatMap((colour) => [CLEAR, colour, CLEAR])

  test('white ink on a transparent ground is light, black ink is not', () => {
    expect(hasLight(...strokes(WHITE))).toBe(true)
    expect(hasLight(...strokes(BLACK))).toBe(false)
    expect(hasLight(...strokes(RED))).toBe(false)
  })

  test('white ink beside coloured ink is light, however much of that there is', () => {
    expect(hasLight(...strokes(WHITE, RED, RED, RED, RED, RED))).toBe(true)
    expect(hasLight(...strokes(WHITE), ...Array<Colour>(100).fill(RED), CLEAR)).toBe(true)
    expect(hasLight(...strokes(WHITE, WHITE, BLACK, RED))).toBe(true)
  })

  test('beside more black ink, or as much, it is not', () => {
    expect(hasLight(...strokes(WHITE, BLACK))).toBe(false)
    expect(hasLight(...strokes(WHITE, BLACK, BLACK, RED))).toBe(false)
  })

  test('white parts inside a coloured drawing, and few at its edge, are not hidden', () => {
    expect(hasLight(CLEAR, RED, WHITE, WHITE, WHITE, RED, CLEAR)).toBe(false)
    expect(hasLight(...strokes(WHITE, ...Array<Colour>(30).fill(RED)))).toBe(false)
  })

  test('half transparent ink counts half, also in rows below each other', () => {
    expect(hasLight(...strokes([255, 255, 255, 120], BLACK))).toBe(false)
    expect(hasLight(...strokes(WHITE, [0, 0, 0, 120]))).toBe(true)
    expect(hasLightInk(pixels(...strokes([255, 255, 255, 20])), 1)).toBe(true)
    expect(hasLightInk(pixels(...strokes(WHITE, [0, 0, 0, 120])), 2)).toBe(true)
  })

  test('a light photo without transparent parts has none, nor has one with round corners or an empty picture', () => {
    const sky: Colour = [250, 250, 250, 255]
    expect(hasLight(WHITE, sky)).toBe(false)
    expect(hasLight(CLEAR, ...Array<Colour>(400).fill(sky))).toBe(false)
    expect(hasLight(CLEAR, CLEAR)).toBe(false)
  })
})
