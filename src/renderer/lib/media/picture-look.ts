import type { Pixels } from './scale'

/** Filters of the photo editor, in the order in which it shows them. */
export const FILTERS = ['none', 'vivid', 'warm', 'cool', 'faded', 'silver', 'ink'] as const
export type Filter = (typeof FILTERS)[number]

/** How a filter changes colours. */
interface Look {
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

const LOOKS: Readonly<Record<Filter, Look>> = {
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

/** The value of each of the 256 levels of a channel under a curve from 0..1 to 0..1. */
function curve(of: (value: number) => number): Uint8ClampedArray {
  return Uint8ClampedArray.from({ length: 256 }, (_, level) => of(level / 255) * 255)
}

/** Brightens without clipping highlights, or darkens. @param stops as on a camera */
function exposed(value: number, stops: number): number {
  return stops > 0 ? 1 - (1 - value) ** (2 ** (0.74 * stops)) : value * 2 ** (stops / 2.2)
}

function toned(value: number, { contrast, fade }: Look): number {
  const steep = value * value * (3 - 2 * value)
  return fade + (value + contrast * (steep - value)) * (1 - fade)
}

/** Changes the colours of a picture in place. @param exposure in stops */
export function applyLook({ data }: Pick<Pixels, 'data'>, filter: Filter, exposure: number): void {
  if (filter === 'none' && exposure === 0) return
  const look = LOOKS[filter]
  const { saturation } = look
  const light = curve((value) => exposed(value, exposure))
  const red = curve((value) => toned(value, look) * look.red)
  const green = curve((value) => toned(value, look))
  const blue = curve((value) => toned(value, look) * look.blue)
  const at = (levels: Uint8ClampedArray, level: number) => levels[level] as number
  // Rounds and clamps to 0..255 as the array's own values are.
  const level = (value: number) => (value < 0 ? 0 : value > 255 ? 255 : (value + 0.5) | 0)
  for (let i = 0; i < data.length; i += 4) {
    const r = at(light, at(data, i))
    const g = at(light, at(data, i + 1))
    const b = at(light, at(data, i + 2))
    const grey = (r * LUMA.red + g * LUMA.green + b * LUMA.blue) * (1 - saturation)
    data[i] = at(red, level(grey + r * saturation))
    data[i + 1] = at(green, level(grey + g * saturation))
    data[i + 2] = at(blue, level(grey + b * saturation))
  }
}
