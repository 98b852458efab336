/**
 * The default look. `exposure` in stops; `shadows` and `highlights` are tints around 0.5; `denoise` is 0 for scenes
 * without random light.
 */
const NEUTRAL = {
  exposure: 0,
  contrast: 0.25,
  saturation: 1,
  balance: [1, 1, 1],
  shadows: [0.5, 0.5, 0.5],
  highlights: [0.5, 0.5, 0.5],
  fade: 0.02,
  mono: 0,
  vignette: 0.3,
  grain: 0.028,
  bloom: 0.35,
  bloomRadius: 1,
  fringe: 0.004,
  denoise: 1,
}

const FILM_STOCKS = {
  neutral: {},
  portra: {
    balance: [1.05, 1, 0.94],
    shadows: [0.49, 0.51, 0.52],
    highlights: [0.54, 0.51, 0.46],
    saturation: 0.92,
    fade: 0.035,
  },
  kodachrome: {
    contrast: 0.5,
    saturation: 1.15,
    shadows: [0.5, 0.48, 0.5],
    highlights: [0.54, 0.52, 0.46],
    grain: 0.02,
  },
  cool: {
    balance: [0.95, 1, 1.06],
    shadows: [0.46, 0.5, 0.56],
    highlights: [0.52, 0.51, 0.48],
    saturation: 0.85,
  },
  night: {
    shadows: [0.47, 0.49, 0.57],
    highlights: [0.55, 0.5, 0.44],
    contrast: 0.3,
    bloom: 0.8,
    grain: 0.036,
    fade: 0.025,
  },
  faded: {
    contrast: 0.1,
    saturation: 0.78,
    fade: 0.07,
    shadows: [0.5, 0.5, 0.54],
    highlights: [0.53, 0.51, 0.47],
    grain: 0.034,
  },
  trix: { mono: 1, contrast: 0.6, grain: 0.06, fade: 0.02, vignette: 0.4 },
  hp5: { mono: 1, contrast: 0.25, grain: 0.05, fade: 0.045, shadows: [0.51, 0.5, 0.49] },
}

/** The settings of a film stock, with the overrides of one picture. */
export function grade(filmStock, overrides = {}) {
  return { ...NEUTRAL, ...FILM_STOCKS[filmStock], ...overrides }
}
