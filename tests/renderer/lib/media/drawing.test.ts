import { describe, expect, test } from 'vitest'
import { hasLightInk, isWide } from '#/renderer/lib/media/drawing'

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

  test('white ink on a transparent ground is light, black ink is not', () => {
    expect(hasLightInk(pixels(CLEAR, CLEAR, [255, 255, 255, 255]))).toBe(true)
    expect(hasLightInk(pixels(CLEAR, CLEAR, [0, 0, 0, 255]))).toBe(false)
  })

  test('half transparent ink counts half', () => {
    expect(hasLightInk(pixels(CLEAR, [255, 255, 255, 128], [0, 0, 0, 255]))).toBe(false)
    expect(hasLightInk(pixels(CLEAR, [255, 255, 255, 255], [0, 0, 0, 40]))).toBe(true)
  })

  test('a light photo without transparent parts has none, nor has an empty picture', () => {
    expect(hasLightInk(pixels([255, 255, 255, 255], [250, 250, 250, 255]))).toBe(false)
    expect(hasLightInk(pixels(CLEAR, CLEAR))).toBe(false)
  })
})
