import type { Dimensions } from '#/shared/media-formats'
import type { Pixels } from './scale'

/** Filters of the photo editor, in the order in which it shows them. */
export const FILTERS = ['none', 'vivid', 'warm', 'cool', 'faded', 'silver', 'ink'] as const
export type Filter = (typeof FILTERS)[number]

/** What an edit changes of the colours. Applied in the picture's own colour space, in this order. */
export interface Look {
  /** In stops. */
  exposure: number
  /** From -1 to 1: darker or lighter, the darkest and lightest values stay. */
  shadows: number
  highlights: number
  /** From -1 to 1: flatter or steeper around the middle. */
  contrast: number
  /** From -1 (blue) to 1 (orange). */
  warmth: number
  filter: Filter
  /** Of the filter, from 0 to 1. */
  strength: number
  /** From 0 to 1: darker corners. */
  vignette: number
  /** From 0 to 1. */
  grain: number
}

export const UNCHANGED: Look = {
  exposure: 0,
  shadows: 0,
  highlights: 0,
  contrast: 0,
  warmth: 0,
  filter: 'none',
  strength: 1,
  vignette: 0,
  grain: 0,
}

/** Whether a look changes nothing. The strength of no filter does not count. */
export function isUnchanged(look: Look): boolean {
  return (Object.keys(UNCHANGED) as (keyof Look)[]).every(
    (name) => name === 'strength' || look[name] === UNCHANGED[name],
  )
}

/** How a filter changes colours. */
interface Recipe {
  /** 0 is black and white. */
  saturation: number
  /** From -1 to 1; keeps black and white. */
  contrast: number
  /** How far black is lifted, from 0 to 1. */
  fade: number
  /** Factors of the channels. */
  red: number
  blue: number
}

const RECIPES: Readonly<Record<Filter, Recipe>> = {
  none: { saturation: 1, contrast: 0, fade: 0, red: 1, blue: 1 },
  vivid: { saturation: 1.28, contrast: 0.35, fade: 0, red: 1, blue: 1 },
  warm: { saturation: 1.05, contrast: 0.15, fade: 0.02, red: 1.05, blue: 0.9 },
  cool: { saturation: 0.92, contrast: 0.18, fade: 0.01, red: 0.94, blue: 1.06 },
  faded: { saturation: 0.78, contrast: -0.12, fade: 0.09, red: 1.02, blue: 0.97 },
  silver: { saturation: 0, contrast: 0.2, fade: 0.02, red: 1, blue: 1 },
  ink: { saturation: 0, contrast: 0.95, fade: 0, red: 1, blue: 1 },
}

/** Luma of ITU-R BT.709. */
const LUMA = { red: 0.2126, green: 0.7152, blue: 0.0722 }

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}

/** Brightens without clipping highlights, or darkens. @param stops as on a camera */
export function exposed(value: number, stops: number): number {
  return stops > 0 ? 1 - (1 - value) ** (2 ** (0.74 * stops)) : value * 2 ** (stops / 2.2)
}

/** The most that shadows are lifted or lowered, where (1 - value)³ · value is largest. Never makes a lighter value the darker one. */
const [LIFT, LOWER] = [1.8, 0.9]

/** Lifts or lowers dark values, most at a quarter; black and white stay. @param amount from -1 to 1 */
export function shadowed(value: number, amount: number): number {
  return value + amount * (amount > 0 ? LIFT : LOWER) * value * (1 - value) ** 3
}

/** The same for light values, most at three quarters. @param amount from -1 to 1 */
export function highlighted(value: number, amount: number): number {
  return 1 - shadowed(1 - value, -amount)
}

/** Steeper or flatter around the middle; black, middle and white stay. @param amount from -1 to 1 */
export function contrasted(value: number, amount: number): number {
  return value + amount * (value * value * (3 - 2 * value) - value)
}

/** Factors of red and blue at the warmest; the coldest has them exchanged. */
const WARM = { more: 0.08, less: 0.2 }

/** The factors of red and blue. @param warmth from -1 to 1 */
export function warmthGains(warmth: number): { red: number; blue: number } {
  const gain = (amount: number) => 1 + amount * (amount > 0 ? WARM.more : WARM.less)
  return { red: gain(warmth), blue: gain(-warmth) }
}

/** How dark the darkest corner is. */
const VIGNETTE = 0.75

/**
 * The factor of a pixel's values.
 * @param x from the middle, -1 at the left and 1 at the right edge
 * @param y the same from top to bottom
 */
export function vignetted(x: number, y: number, amount: number): number {
  const distance = clamp((x * x + y * y) / 2)
  return 1 - VIGNETTE * amount * distance * distance
}

/** Cells of noise along the longer side of a picture: each size of a picture shows the same grain. */
const GRAIN_CELLS = 1_400
/** Side of the noise, which repeats. A power of two. */
const NOISE_SIDE = 256
/** The standard deviation of the strongest grain on a medium grey is about half of it, because noise between cells is interpolated. */
const GRAIN = 0.11

/** Values around 0 with a standard deviation of 1, the same each time. */
function noiseValues(): Float32Array {
  // A linear congruential generator (Numerical Recipes, 'quick and dirty'), whose upper bits count.
  let state = 20_261
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  // The sum of three uniform values is nearly normal.
  return Float32Array.from({ length: NOISE_SIDE * NOISE_SIDE }, () => (next() + next() + next() - 1.5) * 2)
}

const NOISE: ArrayLike<number> = /* @__PURE__ */ noiseValues()

/** The noise at a point, in cells: between cells it is interpolated. */
function noiseAt(x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const [right, down] = [x - left, y - top]
  const mask = NOISE_SIDE - 1
  const [x0, x1] = [left & mask, (left + 1) & mask]
  const [y0, y1] = [(top & mask) * NOISE_SIDE, ((top + 1) & mask) * NOISE_SIDE]
  const at = (index: number) => NOISE[index] as number
  const upper = at(y0 + x0) * (1 - right) + at(y0 + x1) * right
  const lower = at(y1 + x0) * (1 - right) + at(y1 + x1) * right
  return upper * (1 - down) + lower * down
}

/** The mean noise of a pixel, so that a small version of a picture has the grain of the large one scaled down. */
function pixelNoise(x: number, y: number, pixel: number, samples: number): number {
  let sum = 0
  for (let down = 0; down < samples; down += 1)
    for (let right = 0; right < samples; right += 1)
      sum += noiseAt((x + (right + 0.5) / samples) * pixel, (y + (down + 0.5) / samples) * pixel)
  return sum / (samples * samples)
}

/** The value of each of the 256 levels of a channel, from 0 to 1. */
function tones({ exposure, shadows, highlights, contrast }: Look, gain: number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, level) => {
    const light = exposed(level / 255, exposure)
    return clamp(contrasted(highlighted(shadowed(light, shadows), highlights), contrast) * gain)
  })
}

/** The part of a canvas that the picture fills; the rest is shown around it while it is cropped. In pixels. */
interface Area extends Dimensions {
  left: number
  top: number
}

/**
 * Changes the colours of a picture in place. Previews and stored pictures both come from here.
 * @param area by default all pixels
 */
export function applyLook(
  { data, width, height }: Pick<Pixels, 'data' | 'width' | 'height'>,
  look: Look,
  area: Area = { left: 0, top: 0, width, height },
): void {
  if (isUnchanged(look)) return
  const { strength, vignette, grain } = look
  const { saturation, contrast, fade, red, blue } = RECIPES[look.filter]
  const hasFilter = look.filter !== 'none' && strength > 0
  const gains = warmthGains(look.warmth)
  const [redTones, greenTones, blueTones] = [tones(look, gains.red), tones(look, 1), tones(look, gains.blue)]
  const filtered = (value: number, grey: number, gain: number) => {
    const saturated = clamp(grey * (1 - saturation) + value * saturation)
    const toned = (fade + contrasted(saturated, contrast) * (1 - fade)) * gain
    return value + (toned - value) * strength
  }
  const pixel = GRAIN_CELLS / Math.max(area.width, area.height)
  const samples = Math.min(4, Math.max(1, Math.ceil(1.2 * pixel)))
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 4) {
      let r = redTones[data[at] as number] as number
      let g = greenTones[data[at + 1] as number] as number
      let b = blueTones[data[at + 2] as number] as number
      if (hasFilter) {
        const grey = r * LUMA.red + g * LUMA.green + b * LUMA.blue
        r = filtered(r, grey, red)
        g = filtered(g, grey, 1)
        b = filtered(b, grey, blue)
      }
      if (vignette > 0) {
        const right = (2 * (x + 0.5 - area.left)) / area.width - 1
        const down = (2 * (y + 0.5 - area.top)) / area.height - 1
        const factor = vignetted(right, down, vignette)
        r *= factor
        g *= factor
        b *= factor
      }
      if (grain > 0) {
        const luma = clamp(r * LUMA.red + g * LUMA.green + b * LUMA.blue)
        // Most in the middle, as on film: black and white have none.
        const added =
          4 * luma * (1 - luma) * grain * GRAIN * pixelNoise(x - area.left, y - area.top, pixel, samples)
        r += added
        g += added
        b += added
      }
      // The array rounds and clamps.
      data[at] = r * 255
      data[at + 1] = g * 255
      data[at + 2] = b * 255
    }
  }
}
